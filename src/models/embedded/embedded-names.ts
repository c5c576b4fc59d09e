/* What of the embedded models is known before they are loaded: their names stand in logs and never change. */

export const DECIDER = 'embedded decider';
export const SUMMARISER = 'extractive';

/** Tokens; what a small chat model has, so that contexts are cut as they would be for one. */
export const RECALL_WINDOW = 4096;
