/** θ of `use-lite-en` int8: the similarity from which a node is a fork point (Context-Agent §3.3, step 3). */
export const USE_LITE_THETA = 0.6;
