import type { Policy } from '../policy.ts';
import { treeContext } from './tree-context.ts';

/** Context-Agent as it is (Hu et al. 2026): fork points and the overview by similarity to the message. */
export const contextAgent: Policy = {
  name: 'context-agent',
  retrieval: 'similarity',
  sendsPath: true,
  build: (input) => treeContext(contextAgent.name, input),
};
