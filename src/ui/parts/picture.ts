import { TOPIC_COLOURS, topicColour } from '../topic-colour.ts';
import { escapedMarkup } from './format.ts';

/* Pictures as files: SVG that any program can read, and PNG. */

/** Pixels of the picture per pixel of the drawing: sharp in print and on high-density screens. */
const SCALE = 2;
/** Browser limits of a canvas: pixels per side, … */
const MOST_TO_A_SIDE = 16_000;
/** … and in total. */
const MOST_PIXELS = 120_000_000;

/** Resolves CSS colours, including `var`, to `#rrggbb`, which is all that other programs understand. */
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

/** Colours of a drawing, in a form that any SVG program understands. */
export interface Inks {
  readonly ground: string;
  readonly ink: string;
  readonly quiet: string;
  readonly line: string;
}

/** The colours for a picture of the forest. */
export interface PictureInks extends Inks {
  readonly panel: string;
  /** In the order of topics; repeats after the last. */
  readonly topics: readonly string[];
}

/** The colours of the current theme. */
export const readInks = (read: (colour: string) => string): Inks => ({
  ground: read('var(--panel)'),
  ink: read('var(--ink)'),
  quiet: read('var(--ink-2)'),
  line: read('var(--line)'),
});

/** The same for a picture of the forest. */
export const readPictureInks = (): PictureInks => {
  const { read, done } = colourReader();
  const topics = Array.from({ length: TOPIC_COLOURS }, (_, order) => read(topicColour(order)));
  const ground = { ground: read('var(--bg)'), line: read('var(--line-2)') };
  const inks = { ...readInks(read), ...ground, panel: read('var(--panel)'), topics };
  done();
  return inks;
};

/** Renders a drawing of that size as PNG; a very large one at a lower scale. Rejects if the browser cannot draw it. */
export const pngOf = async (svg: string, width: number, height: number): Promise<Blob> => {
  const scale = Math.min(SCALE, MOST_TO_A_SIDE / Math.max(width, height), Math.sqrt(MOST_PIXELS / (width * height)));
  const image = new Image(width, height);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('the browser could not create the picture')) : resolve(blob)),
      'image/png',
    ),
  );
};

/** System fonts: a file cannot bring its own. */
export const PICTURE_FONT = 'system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif';

/** Escapes text for XML; characters that XML cannot represent are dropped. */
export const escapedXml = (words: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML has no way to write
  escapedMarkup(words.replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu, ''));
