import type { Policy } from '../policy.ts';
import { treeContext } from './tree-context.ts';

/**
 * Context-Agent as published (Hu et al. 2026, §3.3), with no additions except what the user pins or refers to: the
 * active path in full, every other branch and topic as summaries, fork points and the overview by similarity to the
 * message.
 */
export const contextAgent: Policy = {
  name: 'context-agent',
  about:
    'The active path in full, and every other branch and topic as a summary, within a budget. The policy of the paper.',
  retrieval: 'similarity',
  sendsPath: true,
  onlyGrows: true,
  build: (input) => treeContext(contextAgent.name, input),
};

/**
 * Context-Agent without retrieval: the paper's “w/o RAG” ablation (Hu et al. 2026). The topic is decided as usual. Fork
 * points are found by a heuristic alone (`revisedParent` in engine/place/branch.ts): a message that revises something may fork
 * from the active node's direct parent, everything else continues. The overview of other branches and topics is ranked
 * by recency.
 */
export const contextAgentWithoutRag: Policy = {
  name: 'context-agent-without-rag',
  about:
    'Like context-agent, but without looking for similar turns: only a message that revises something can fork. The paper’s ablation without retrieval.',
  retrieval: 'none',
  sendsPath: true,
  onlyGrows: true,
  // Without similarity, the latest come first.
  build: (input) => treeContext(contextAgentWithoutRag.name, { ...input, nearness: () => null }),
};
