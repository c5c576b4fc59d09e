/** A colour as one opaque pixel of an ImageData on a little-endian machine: 0xAABBGGRR. */
export type Pixel = number;

/**
 * Fills upright rectangles straight into pixels. Where tens of thousands of small ones are to be
 * drawn in a frame, this takes a small part of the time that a 2D context takes for them.
 */
export const createPixelBrush = () => {
  let pixels = new Uint32Array(0);
  let width = 0;
  let height = 0;
  let scale = 1;
  let left = 0;
  let top = 0;
  let ink: Pixel = 0;

  return {
    /** Begins a picture of `w` × `h` pixels in which (x, y) lies at (x · zoom + dx, y · zoom + dy). */
    begin: (w: number, h: number, zoom: number, dx: number, dy: number, ground: Pixel): void => {
      if (w !== width || h !== height) {
        width = w;
        height = h;
        pixels = new Uint32Array(w * h);
      }
      pixels.fill(ground);
      scale = zoom;
      // Whole pixels, or every edge would flicker while panning.
      left = Math.round(dx);
      top = Math.round(dy);
    },
    dip: (pixel: Pixel): void => {
      ink = pixel;
    },
    /** Never thinner than a pixel. */
    rect: (x: number, y: number, w: number, h: number): void => {
      const x0 = Math.round(x * scale) + left;
      const y0 = Math.round(y * scale) + top;
      const x1 = Math.min(width, Math.max(x0 + 1, Math.round((x + w) * scale) + left));
      const y1 = Math.min(height, Math.max(y0 + 1, Math.round((y + h) * scale) + top));
      const from = Math.max(0, x0);
      if (from >= x1) return;
      for (let row = Math.max(0, y0); row < y1; row++) {
        const end = row * width + x1;
        // Most are a few pixels wide: a loop is faster than `fill` there.
        for (let at = row * width + from; at < end; at++) pixels[at] = ink;
      }
    },
    image: (): ImageData => new ImageData(new Uint8ClampedArray(pixels.buffer), width, height),
  };
};
export type PixelBrush = ReturnType<typeof createPixelBrush>;

/** Reads CSS colours as pixels. */
export const createPixelReader = () => {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const pen = canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D;
  return (colour: string): Pixel => {
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    return new Uint32Array(pen.getImageData(0, 0, 1, 1).data.buffer)[0] as Pixel;
  };
};
