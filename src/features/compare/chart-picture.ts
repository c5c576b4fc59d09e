import type { Inks } from './chart-svg.ts';

/** Pixels of a picture for each of the drawing: sharp in print, and on screens with fine pixels. */
const SCALE = 2;

/** Reads CSS colours, `var` among them, as `#rrggbb`: other programs know no others. */
export const colourReader = () => {
  const probe = document.createElement('span');
  probe.hidden = true;
  document.body.append(probe);
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  const read = (colour: string): string => {
    probe.style.color = colour;
    if (pen === null) return getComputedStyle(probe).color;
    pen.fillStyle = getComputedStyle(probe).color;
    pen.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = pen.getImageData(0, 0, 1, 1).data;
    return `#${[red, green, blue].map((value) => value.toString(16).padStart(2, '0')).join('')}`;
  };
  return { read, done: () => probe.remove() };
};

/** The theme as it stands. */
export const readInks = (read: (colour: string) => string): Inks => ({
  ground: read('var(--panel)'),
  ink: read('var(--ink)'),
  quiet: read('var(--ink-2)'),
  line: read('var(--line)'),
});

/** A drawing of that size as pixels. Rejects where the browser cannot draw it. */
export const pngOf = async (svg: string, width: number, height: number): Promise<Blob> => {
  const image = new Image(width, height);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = width * SCALE;
  canvas.height = height * SCALE;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('the browser made no picture of it')) : resolve(blob)),
      'image/png',
    ),
  );
};
