import type { Forest, Node, NodeId } from '../../domain/forest.ts';

/** The turns that refer to a turn, in order of time. */
export const referencesTo = (forest: Forest, id: NodeId): Node[] =>
  Object.values(forest.nodes)
    .filter((node) => node.references.some(({ to }) => to === id))
    .sort((a, b) => a.number - b.number);
