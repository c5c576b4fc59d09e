/** Floats in a vector of `use-lite-en`. Apart from the encoder, so that the page need not load its runtime to know. */
export const USE_LITE_DIMENSIONS = 512;
