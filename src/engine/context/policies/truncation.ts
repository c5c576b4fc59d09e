import type { Policy } from '../policy.ts';
import { flatContext, latestFirst } from './flat-context.ts';

/** The last turns by time in full, whatever their topic: `lastTurns` of them, or as many as `contextBudget` holds. */
export const truncation: Policy = {
  name: 'truncation',
  about: 'The last turns in full, whatever their topic.',
  retrieval: 'similarity',
  sendsPath: false,
  build: (input) =>
    flatContext(input, {
      policy: truncation.name,
      rank: latestFirst,
      most: input.parameters.lastTurns,
      gaps: false,
    }),
};
