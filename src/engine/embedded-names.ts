/* What is known about the embedded models before they are loaded. Names and openings appear in logs and never change. */

export const DECIDER = 'embedded decider';
export const SUMMARISER = 'extractive';
export const EMBEDDER = 'use-lite-en int8';

/** Tokens; the window of a small chat model, so that contexts are cut as they would be for one. */
export const RECALL_WINDOW = 4096;

/** Milliseconds between its words: quick, but visibly word by word. */
export const RECALL_WORD_DELAY = 8;

/** What a reply of `recall` begins with, in its own words. */
export const RECALL_OPENINGS = [
  'I am recall, not a language model: I cannot answer, only quote what was said before.',
  'No language model is at work here, only recall: it quotes what this conversation already holds.',
  'This is recall, which is no language model and writes no answers; it finds what was said.',
] as const;

/** Whether `recall` wrote a reply. Such a reply holds nothing new: summaries leave it out. */
export const isRecalled = (reply: string): boolean => RECALL_OPENINGS.some((opening) => reply.startsWith(opening));

/** Floats in a vector of `use-lite-en`. Apart from the encoder, so that the page can know it without loading the runtime. */
export const USE_LITE_DIMENSIONS = 512;
