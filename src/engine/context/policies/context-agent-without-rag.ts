import type { Policy } from '../policy.ts';
import { treeContext } from './tree-context.ts';

/**
 * Context-Agent without retrieval: the ablation “w/o RAG” of the paper (Hu et al. 2026). The topic is decided as
 * ever. Fork points are found by a heuristic alone (`revisedParent` in fork-point.ts): a message that revises
 * something may fork from the active node's direct parent, everything else goes on. The overview of other
 * branches and topics is ranked by recency.
 */
export const contextAgentWithoutRag: Policy = {
  name: 'context-agent-without-rag',
  retrieval: 'none',
  sendsPath: true,
  onlyGrows: true,
  // With nothing near, the latest come first.
  build: (input) => treeContext(contextAgentWithoutRag.name, { ...input, nearness: () => null }),
};
