import type { Forest, Node, Tree } from '../../domain/forest.ts';
import { isAncestor, nodesOf, treesOf } from '../../domain/queries.ts';

/** A turn that another could hang from. `similarity` where the engine had retrieved it. */
export interface TurnTarget {
  readonly node: Node;
  readonly similarity: number | null;
}

/** The person's ways to correct where a turn hangs; null or empty where there is none. */
export interface CorrectionTargets {
  /** The turn that was active when this one was sent: going on there. */
  readonly here: Node | null;
  /** Fork points of its topic, those the engine retrieved first, then the newest. */
  readonly forks: readonly TurnTarget[];
  /** Whether it can be made a topic of its own. */
  readonly newTopic: boolean;
  /** Topics it could go on in, the most recent first. */
  readonly topics: readonly Tree[];
}

export const correctionTargets = (forest: Forest, node: Node): CorrectionTargets => {
  const possible = (target: Node | undefined): target is Node =>
    target !== undefined &&
    target.id !== node.id &&
    target.id !== node.parentId &&
    !isAncestor(forest, node.id, target.id);
  const before = turnBefore(forest, node);
  const retrieved = (node.decision.trace?.fork.candidates ?? []).flatMap(({ nodeId, similarity }): TurnTarget[] => {
    const target = forest.nodes[nodeId];
    return possible(target) ? [{ node: target, similarity }] : [];
  });
  const seen = new Set(retrieved.map((target) => target.node.id));
  const topicId = before?.treeId ?? node.treeId;
  const others = nodesOf(forest, topicId)
    .filter((target) => possible(target) && !seen.has(target.id))
    .reverse();
  return {
    here: possible(before) ? before : null,
    forks: [...retrieved, ...others.map((target) => ({ node: target, similarity: null }))],
    newTopic: node.parentId !== null,
    topics: treesOf(forest)
      .filter((tree) => tree.id !== node.treeId)
      .sort((a, b) => (forest.nodes[b.activeId]?.number ?? 0) - (forest.nodes[a.activeId]?.number ?? 0)),
  };
};

/**
 * The turn that was active when this one was sent. The log of a turn does not name it, but its trace
 * names the topic; without one it is the turn sent just before.
 */
const turnBefore = (forest: Forest, node: Node): Node | undefined => {
  const activeTopic = node.decision.trace?.topic.candidates.find((candidate) => candidate.active)?.treeId;
  let newest: Node | undefined;
  let newestOfTopic: Node | undefined;
  for (const id in forest.nodes) {
    const other = forest.nodes[id];
    if (other === undefined || other.number >= node.number) continue;
    if (newest === undefined || other.number > newest.number) newest = other;
    if (other.treeId !== activeTopic) continue;
    if (newestOfTopic === undefined || other.number > newestOfTopic.number) newestOfTopic = other;
  }
  return newestOfTopic ?? newest;
};
