import type { Forest, NodeId } from '../../domain/forest.ts';
import { childrenOf, replyOf } from '../../domain/queries.ts';

/** What a forest comes to, in numbers. */
export interface Shape {
  readonly turns: number;
  readonly topics: number;
  readonly branches: number;
  /** Turns from which more than one turn goes on. */
  readonly forks: number;
  /** Of the contexts of all replies that count. */
  readonly tokens: number;
  /** Names of the tokenizers that counted them. */
  readonly units: readonly string[];
}

export const shapeOf = (forest: Forest): Shape => {
  const nodes = Object.values(forest.nodes);
  const contexts = nodes.flatMap((node) => replyOf(node)?.context ?? []);
  return {
    turns: nodes.length,
    topics: Object.keys(forest.trees).length,
    branches: Object.keys(forest.branches).length,
    forks: nodes.filter(({ id }) => childrenOf(forest, id).length > 1).length,
    tokens: contexts.reduce((sum, { tokens }) => sum + tokens, 0),
    units: [...new Set(contexts.map(({ unit }) => unit))],
  };
};

/** Tokens of the context of one turn's reply; null where it is not known. */
export const tokensOf = (forest: Forest, nodeId: NodeId): number | null => {
  const node = forest.nodes[nodeId];
  return (node === undefined ? undefined : replyOf(node)?.context?.tokens) ?? null;
};
