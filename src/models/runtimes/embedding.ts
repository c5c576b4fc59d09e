/* Matched by the names these weights have on the hub, as GGUF and on servers; languages according to each model card. */

const ENGLISH = [
  /\buse-lite-en\b/i,
  /\ball-minilm\b/i,
  /\ball-mpnet-base-v2\b/i,
  /\bbge-(?:small|base|large)-en\b/i,
  /\bgte-(?:small|base|large)\b/i,
  /\be5-(?:small|base|large)-v2\b/i,
  /\bmxbai-embed-large\b/i,
  /\bnomic-embed-text(?!-v2)\b/i,
  /\bsnowflake-arctic-embed-(?:xs|s|m|l)(?!-v2)\b/i,
];

/** The languages that an embedder supports (ISO 639-1), judging by its name; null if multilingual or unknown. */
export const languagesOf = (name: string): readonly string[] | null =>
  ENGLISH.some((known) => known.test(name)) ? ['en'] : null;

/**
 * θ for an embedder that was never measured on labelled forks: the paper's value for its own embedder (Context-Agent §4). A
 * guess: models differ by 0.2 or more in where they put "related".
 */
export const UNCALIBRATED_THETA = 0.6;

/** Maximum number of halvings: sixteen pieces. The model truncates any piece that is still too long. */
const MOST_HALVINGS = 4;

/** Splits a text into pieces that fit, between words if possible. */
export const fittingPieces = (
  text: string,
  fits: (piece: string) => boolean,
  halvings = MOST_HALVINGS,
): readonly string[] => {
  if (halvings === 0 || text.length < 2 || fits(text)) return [text];
  const [first, second] = halves(text);
  return [first, second]
    .filter((half) => half.trim() !== '')
    .flatMap((half) => fittingPieces(half, fits, halvings - 1));
};

/** Splits at the first space after the middle, else at the last one before it, else in the middle. */
export const halves = (text: string): readonly [string, string] => {
  const middle = Math.floor(text.length / 2);
  const after = text.indexOf(' ', middle);
  const space = after >= 0 && after < text.length - 1 ? after : text.lastIndexOf(' ', middle);
  const at = space > 0 ? space + 1 : middle;
  return [text.slice(0, at), text.slice(at)];
};

/**
 * θ of `use-lite-en` int8: the similarity from which a node is a fork point (Context-Agent §3.3, step 3). At 0.45
 * the gate lets through 18 of the 19 labelled forks that the nearest node finds at all (15 at 0.5 … 11 at 0.6;
 * NTM, CAsT 2022, StructFlowBench and OpenAssistant; November 2026).
 */
export const USE_LITE_THETA = 0.45;

/** Returns one normalised vector per text, in order. */
export type EmbedTexts = (texts: readonly string[]) => Promise<Float32Array[]>;

/**
 * Embeds each text only once: policies make the same requests for a dialogue however its turns are placed. `before`: vectors
 * already known.
 */
export const cacheEmbeddings = (
  embed: EmbedTexts,
  before: Iterable<readonly [string, Float32Array]> = [],
): EmbedTexts => {
  const known = new Map(before);
  return async (texts) => {
    const asked = [...new Set(texts)].filter((text) => !known.has(text));
    const made = asked.length === 0 ? [] : await embed(asked);
    for (const [i, text] of asked.entries()) known.set(text, made[i] as Float32Array);
    return texts.map((text) => known.get(text) as Float32Array);
  };
};
