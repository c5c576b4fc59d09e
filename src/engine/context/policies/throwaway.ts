import type { Policy } from '../policy.ts';
import { flatContext, latestFirst } from './flat-context.ts';

export const throwaway: Policy = {
  name: 'throwaway',
  about: 'The last two turns in full.',
  retrieval: 'similarity',
  sendsPath: false,
  build: (input) => flatContext(input, { policy: throwaway.name, rank: latestFirst, most: 2, gaps: false }),
};
