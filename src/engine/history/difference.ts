import type { Decision } from '../../domain/decision.ts';
import type { Entry } from '../../domain/entry.ts';
import type { Forest, Node, NodeId } from '../../domain/forest.ts';
import { subtree } from '../../domain/queries.ts';

/** Where a turn is, and how it got there. */
export interface Place {
  /** Where it hangs now. */
  readonly parentId: NodeId | null;
  /** Where the decision put it, before anybody moved it. */
  readonly decidedUnder: NodeId | null;
  readonly decision: Decision;
}

/**
 * Why a turn is on the list:
 * `moved`: it was decided to hang from another turn;
 * `by-hand`: it was decided alike, and what the person did by hand has come to something else;
 * `same-place`: it hangs from the same turn, by another action;
 * `carried`: it hangs from the same turn, which is elsewhere.
 */
export type Change = 'moved' | 'by-hand' | 'same-place' | 'carried';

export interface Difference {
  readonly nodeId: NodeId;
  readonly number: number;
  readonly change: Change;
  /** null where the turn is not there (any more). */
  readonly before: Place | null;
  readonly after: Place | null;
}

/** A conversation as a log and the forest that it makes. */
export interface Told {
  readonly entries: readonly Entry[];
  readonly forest: Forest;
}

/** The turns of two tellings of one conversation that are not placed alike, in order of time. */
export const differences = (before: Told, after: Told): Difference[] => {
  const [placedBefore, placedAfter] = [placementsIn(before.entries), placementsIn(after.entries)];
  const ids = new Set([...Object.keys(before.forest.nodes), ...Object.keys(after.forest.nodes)]);
  const own = new Map<NodeId, Difference>();
  for (const nodeId of ids) {
    const [was, is] = [before.forest.nodes[nodeId], after.forest.nodes[nodeId]];
    const [from, to] = [placeOf(was, placedBefore), placeOf(is, placedAfter)];
    const change = changeOf(from, to);
    const number = (is ?? was)?.number ?? 0;
    if (change !== null) own.set(nodeId, { nodeId, number, change, before: from, after: to });
  }
  for (const { nodeId, number, from, to } of carried(before.forest, after.forest, own)) {
    own.set(nodeId, {
      nodeId,
      number,
      change: 'carried',
      before: placeOf(from, placedBefore),
      after: placeOf(to, placedAfter),
    });
  }
  return [...own.values()].sort((a, b) => a.number - b.number);
};

const placementsIn = (entries: readonly Entry[]): ReadonlyMap<NodeId, NodeId | null> =>
  new Map(
    entries.flatMap(({ event }) => (event.type === 'turn-placed' ? [[event.nodeId, event.placement.parentId]] : [])),
  );

const placeOf = (node: Node | undefined, placed: ReadonlyMap<NodeId, NodeId | null>): Place | null => {
  if (node === undefined) return null;
  const { id, parentId, decision } = node;
  return { parentId, decidedUnder: placed.has(id) ? (placed.get(id) ?? null) : parentId, decision };
};

const changeOf = (before: Place | null, after: Place | null): Change | null => {
  if (before === null || after === null) return 'by-hand';
  if (before.decidedUnder !== after.decidedUnder) return 'moved';
  if (before.parentId !== after.parentId) return 'by-hand';
  const [was, is] = [before.decision, after.decision];
  return was.topic === is.topic && was.branch === is.branch ? null : 'same-place';
};

/** Turns under one that hangs elsewhere, and that hang from the same turn as before themselves. */
const carried = (before: Forest, after: Forest, own: ReadonlyMap<NodeId, Difference>) => {
  const known = new Map<NodeId, boolean>();
  const elsewhere = ({ parentId, id }: Node): boolean => {
    const found = own.get(id);
    if (found !== undefined && found.change !== 'same-place') {
      // Decided otherwise, and put back in its place by hand: what hangs from it has not gone anywhere.
      if (found.before?.parentId !== found.after?.parentId) return true;
    }
    return parentId !== null && known.get(parentId) === true;
  };
  const parentsFirst = Object.values(after.trees).flatMap(({ rootId }) => subtree(after, rootId));
  for (const node of parentsFirst) known.set(node.id, elsewhere(node));
  return parentsFirst.flatMap((to) => {
    const from = before.nodes[to.id];
    return known.get(to.id) === true && from !== undefined && !own.has(to.id)
      ? [{ nodeId: to.id, number: to.number, from, to }]
      : [];
  });
};
