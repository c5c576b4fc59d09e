import type { Forest, Node } from '../../domain/forest.ts';
import { childrenOf } from '../../domain/queries.ts';
import type { BranchPlace, NodeView } from '../ports.ts';
import { viewOf } from './node-views.ts';
import type { Nearness } from './views.ts';

/** Ancestors of the active node that are weighed, nearest first; of 153 labelled forks from an ancestor 149 are within. */
const ANCESTORS = 4;
/** Retrieved nodes, and other branches, that are weighed beside them. */
const RETRIEVED = 3;
const BRANCHES = 4;
/** Retrieved nodes that are read, and how many of them are weighed for their words, and for their replies. */
const LOOKED_AT = 48;
const SPOKEN_OF = 2;

/**
 * Where a message that stays in the topic could go on from instead of the active node: a new branch from one of
 * its near ancestors, from the root or from a retrieved node, or the tip of another branch (the latest and the
 * nearest). `candidates`: the topic's nodes, most similar first.
 */
export const branchPlaces = (
  forest: Forest,
  current: Node,
  near: Nearness,
  candidates: readonly NodeView[],
): BranchPlace[] => {
  const path = near.pathTo(forest, current.id);
  const root = path.slice(0, Math.min(1, path.length - 1));
  const retrieved = candidates.slice(0, RETRIEVED).map(({ node }) => node);
  const points = new Set([...path.slice(-1 - ANCESTORS, -1), ...root, ...retrieved, ...spokenOf(near, candidates)]);
  const places: BranchPlace[] = [];
  for (const node of points) {
    if (node.id === current.id || childrenOf(forest, node.id).length === 0) continue;
    const at = path.lastIndexOf(node);
    const next = at < 0 ? undefined : path[at + 1];
    places.push({
      action: 'create-branch',
      from: viewOf(near, node),
      steps: at < 0 ? null : path.length - 1 - at,
      setAside: next === undefined ? null : viewOf(near, next),
      nearest: null,
    });
  }
  return [...places, ...otherBranches(forest, current, near, candidates)];
};

/** Turns that the message seems to speak of by its words, or whose replies are like it: the foremost of those that were retrieved. */
const spokenOf = (near: Nearness, candidates: readonly NodeView[]): Node[] => {
  const looked = candidates.slice(0, LOOKED_AT).map(({ node }) => node);
  const found = near.terms?.matches(
    near.message,
    near.spoken,
    looked.map((node) => [node]),
  );
  const by = (score: (node: Node, at: number) => number): Node[] =>
    looked
      .map((node, at) => ({ node, score: score(node, at) }))
      .filter((one) => one.score > 0)
      .sort((a, b) => b.score - a.score || b.node.number - a.node.number)
      .slice(0, SPOKEN_OF)
      .map(({ node }) => node);
  return [...by((_, at) => found?.of[at]?.sum ?? 0), ...by((node) => near.toReply(node.id) ?? 0)];
};

/** One for each other branch that may be gone on with, from its tip. */
const otherBranches = (
  forest: Forest,
  current: Node,
  near: Nearness,
  candidates: readonly NodeView[],
): BranchPlace[] => {
  const nearest = new Map<string, NodeView>();
  for (const view of candidates) {
    const { branchId } = view.node;
    if (branchId !== current.branchId && !nearest.has(branchId)) nearest.set(branchId, view);
  }
  const tips = [...nearest].flatMap(([, view]) => {
    const tip = near.tipOf(forest, view.node);
    return childrenOf(forest, tip.id).length > 0 ? [] : [{ tip, view }];
  });
  const latest = tips.toSorted((a, b) => b.tip.number - a.tip.number).slice(0, BRANCHES / 2);
  return [...new Set([...latest, ...tips.slice(0, BRANCHES)])].slice(0, BRANCHES).map(({ tip, view }) => ({
    action: 'switch-branch',
    from: viewOf(near, tip),
    steps: null,
    setAside: null,
    nearest: view,
  }));
};
