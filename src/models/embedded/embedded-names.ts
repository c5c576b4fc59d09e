/* What is known about the embedded models before they are loaded. The names appear in logs and never change. */

export const DECIDER = 'embedded decider';
export const SUMMARISER = 'extractive';

/** Tokens; the window of a small chat model, so that contexts are cut as they would be for one. */
export const RECALL_WINDOW = 4096;

/**
 * θ of `use-lite-en` int8: the similarity from which a node is a fork point (Context-Agent §3.3, step 3). At 0.45
 * the gate lets through 18 of the 19 labelled forks that the nearest node finds at all (15 at 0.5 … 11 at 0.6;
 * NTM, CAsT 2022, StructFlowBench and OpenAssistant; November 2026).
 */
export const USE_LITE_THETA = 0.45;

/** Floats in a vector of `use-lite-en`. Apart from the encoder, so that the page can know it without loading the runtime. */
export const USE_LITE_DIMENSIONS = 512;
