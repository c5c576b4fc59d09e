/**
 * θ of `use-lite-en` int8: the similarity from which a node is a fork point (Context-Agent §3.3, step 3). At 0.45
 * the gate lets through 18 of the 19 labelled forks that the nearest node finds at all (15 at 0.5 … 11 at 0.6;
 * NTM, CAsT 2022, StructFlowBench and OpenAssistant; `npm run calibrate`, November 2026).
 */
export const USE_LITE_THETA = 0.45;
