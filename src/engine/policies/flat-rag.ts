import { searchCost } from '../cost.ts';
import type { Policy } from '../policy.ts';
import { flatContext, latestFirst } from './flat-context.ts';

/**
 * The turns most similar to the message in full, wherever they stand, in order of time: `retrievedTurns` of
 * them, or as many as `contextBudget` holds. The ablation “w/o Tree” of the paper (Hu et al. 2026). A turn
 * whose similarity is not known comes after all others; where none is known the latest turns are taken.
 */
export const flatRag: Policy = {
  name: 'flat-rag',
  retrieval: 'similarity',
  sendsPath: false,
  build: async (input) => {
    const nearness = (id: string): number => input.nearness(id) ?? Number.NEGATIVE_INFINITY;
    const built = await flatContext(input, {
      policy: flatRag.name,
      // The sort is stable: of equally near turns the later one comes first.
      rank: (turns) =>
        latestFirst(turns).sort((a, b) => {
          const [nearA, nearB] = [nearness(a.id), nearness(b.id)];
          return nearA === nearB ? 0 : nearB - nearA;
        }),
      most: input.parameters.retrievedTurns,
      gaps: true,
    });
    return { ...built, cost: async () => searchCost(input.forest, input.nodeId, input.tokens) };
  },
};
