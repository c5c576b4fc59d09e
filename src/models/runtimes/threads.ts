/**
 * Threads for a runtime in WASM: about half of what the processor has, which is its cores, at most eight, and one is left
 * to the page. They wait by spinning, so that one too many makes all slow. One where the page is not isolated (COOP and COEP).
 */
export const threadsFor = (processors: number, isolated: boolean): number =>
  isolated ? Math.max(1, Math.min(8, processors - 1, Math.max(2, Math.floor(processors / 2)))) : 1;
