import type { Policy } from '../policy.ts';
import { treeContext } from './tree-context.ts';

/**
 * Context-Agent as it is (Hu et al. 2026, §3.3), nothing added but what the person pins or refers to: the active path in full, every
 * other branch and topic as summaries, fork points and the overview by similarity to the message.
 */
export const contextAgent: Policy = {
  name: 'context-agent',
  retrieval: 'similarity',
  sendsPath: true,
  onlyGrows: true,
  build: (input) => treeContext(contextAgent.name, input),
};
