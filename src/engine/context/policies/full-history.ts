import type { Policy } from '../policy.ts';
import { flatContext, latestFirst } from './flat-context.ts';

/** Every earlier turn of the conversation in full. Of those that do not fit the window the oldest are left out. */
export const fullHistory: Policy = {
  name: 'full-history',
  about: 'Every earlier turn in full, as a plain chat sends it. When the window is full, the oldest are left out.',
  retrieval: 'similarity',
  sendsPath: false,
  build: (input) => flatContext(input, { policy: fullHistory.name, rank: latestFirst, most: null, gaps: false }),
};
