import type { Policy } from '../policy.ts';
import { flatContext, latestFirst } from './flat-context.ts';

/** Every earlier turn of the conversation in full. Of those that do not fit the window the oldest are left out. */
export const fullHistory: Policy = {
  name: 'full-history',
  retrieval: 'similarity',
  sendsPath: false,
  build: (input) => flatContext(input, { policy: fullHistory.name, rank: latestFirst, most: null, gaps: false }),
};
