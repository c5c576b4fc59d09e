/* What is known about the embedded models before they are loaded. The names appear in logs and never change. */

export const DECIDER = 'embedded decider';
export const SUMMARISER = 'extractive';
export const EMBEDDER = 'use-lite-en int8';

/** Tokens; the window of a small chat model, so that contexts are cut as they would be for one. */
export const RECALL_WINDOW = 4096;

/** Floats in a vector of `use-lite-en`. Apart from the encoder, so that the page can know it without loading the runtime. */
export const USE_LITE_DIMENSIONS = 512;
