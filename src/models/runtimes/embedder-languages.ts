/* By the names that these weights go by on the hub, as GGUF and on servers; each by its model card. */

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

/** The languages that an embedder knows, as ISO 639-1, by its name; null where they are many or nothing is known. */
export const languagesOf = (name: string): readonly string[] | null =>
  ENGLISH.some((known) => known.test(name)) ? ['en'] : null;
