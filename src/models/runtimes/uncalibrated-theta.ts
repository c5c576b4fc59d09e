/**
 * θ of an embedder that was never measured on labelled forks (npm run calibrate): the paper's own value, for its own
 * embedder (Context-Agent §4). A guess: models differ by 0.2 and more in where they put "related".
 */
export const UNCALIBRATED_THETA = 0.6;
