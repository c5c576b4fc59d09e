/** Distance of the ground's dots at a zoom of 1, in pixels of the screen. */
const PITCH = 24;
/** Dots are thinned out or filled in so that their distance stays from this to twice this. */
const LEAST_PITCH = 16;
/** The distance goes in steps, so that a few tiles do for every zoom. */
const PITCH_STEP = 4;

/**
 * Lays the dotted ground. It is copied from tiles of whole pixels, unscaled: a scaled pattern over
 * the whole pane would take more of a frame than everything else.
 */
export const createGround = (pen: CanvasRenderingContext2D) => {
  const tiles = new Map<number, HTMLCanvasElement>();
  let made = '';

  /** Covers `width` × `height` pixels of the device; the pen must not be transformed. */
  return (
    x: number,
    y: number,
    zoom: number,
    width: number,
    height: number,
    ratio: number,
    ground: string,
    dot: string,
  ): void => {
    const look = `${width} ${height} ${ratio} ${ground} ${dot}`;
    if (made !== look) tiles.clear();
    made = look;
    const pitch = Math.round(pitchAt(zoom) * ratio);
    const tile = tiles.get(pitch) ?? makeTile(pitch, width + pitch, height + pitch, ratio, ground, dot);
    tiles.set(pitch, tile);
    pen.drawImage(tile, mod(Math.round(x * ratio), pitch) - pitch, mod(Math.round(y * ratio), pitch) - pitch);
  };
};

const pitchAt = (zoom: number): number => {
  let pitch = PITCH * zoom;
  while (pitch < LEAST_PITCH) pitch *= 2;
  while (pitch >= 2 * LEAST_PITCH) pitch /= 2;
  return Math.round(pitch / PITCH_STEP) * PITCH_STEP;
};

const mod = (value: number, by: number): number => ((value % by) + by) % by;

const makeTile = (
  pitch: number,
  width: number,
  height: number,
  ratio: number,
  ground: string,
  dot: string,
): HTMLCanvasElement => {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const pen = canvas.getContext('2d', { alpha: false }) as CanvasRenderingContext2D;
  pen.fillStyle = ground;
  pen.fillRect(0, 0, width, height);
  pen.fillStyle = dot;
  const size = Math.max(1, Math.round(1.5 * ratio));
  for (let y = pitch >> 1; y < height; y += pitch) {
    for (let x = pitch >> 1; x < width; x += pitch) pen.fillRect(x, y, size, size);
  }
  return canvas;
};
