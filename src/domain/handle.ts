import type { Decision, Label, Placement } from './decision.ts';
import type { Refusal } from './event-kind.ts';
import { type Event, kindOf, type PlainEvent } from './event-kinds.ts';
import { type BranchId, byNumber, type Forest, type Node, type NodeId, type StepId, type TreeId } from './forest.ts';
import { childrenOf, isAncestor, nodeOf, pendingTurn } from './queries.ts';
import { recordsOf, sizeOf } from './table.ts';

/** Fresh ids for the topic and branch a placement may create. */
export interface FreshIds {
  readonly treeId: TreeId;
  readonly branchId: BranchId;
}

/**
 * What a person or the engine wants done. `record` carries a complete event; the others are resolved against the
 * forest. A `step` makes it undoable, as one unit with everything that shares it.
 */
export type Intent =
  | { readonly type: 'record'; readonly event: PlainEvent; readonly step: StepId | null }
  /** Puts the pending turn under a node (null: a new topic), as part of the step it was sent in. */
  | {
      readonly type: 'place';
      readonly nodeId: NodeId;
      readonly parentId: NodeId | null;
      readonly fresh: FreshIds;
      readonly decision: Decision;
      /** For a message whose place the person chose: where the engine would have put it, stored as a label. */
      readonly engineParentId?: NodeId | null;
    }
  /** Moves a turn with its subtree below another node (null: to a topic of its own), as a correction. */
  | {
      readonly type: 'move';
      readonly nodeId: NodeId;
      readonly parentId: NodeId | null;
      readonly fresh: FreshIds;
      readonly at: number;
      readonly step: StepId;
    }
  /** Moves a leaf turn to where its reply shows that it belongs (null: a new topic); not a correction. */
  | {
      readonly type: 'reconsider';
      readonly nodeId: NodeId;
      readonly parentId: NodeId | null;
      readonly fresh: FreshIds;
      readonly decision: Decision;
      readonly step: StepId;
    }
  /** Moves turns as the engine decides about a conversation that came with its own structure; not a correction. */
  | { readonly type: 'arrange'; readonly turns: readonly Arrangement[]; readonly step: StepId }
  /** Takes a turn out of its path: its children close the gap, and it starts a topic of its own. */
  | {
      readonly type: 'extract';
      readonly nodeId: NodeId;
      readonly fresh: FreshIds;
      readonly at: number;
      readonly step: StepId;
    }
  /** Deletes turns with their subtrees, or (`alone`) leaves their children in their place. */
  | { readonly type: 'delete'; readonly nodeIds: readonly NodeId[]; readonly alone: boolean; readonly step: StepId }
  /** Records as a label that a turn is where it belongs. */
  | { readonly type: 'confirm'; readonly nodeId: NodeId; readonly at: number; readonly step: StepId }
  /** Undoes or redoes until `to` steps are done, to reach any point of the history in one go. */
  | { readonly type: 'rewind'; readonly to: number }
  | { readonly type: 'undo' }
  | { readonly type: 'redo' };

/** Where a turn belongs, with its subtree except for turns that have an arrangement of their own. */
export interface Arrangement {
  readonly nodeId: NodeId;
  /** null: it opens a topic. */
  readonly parentId: NodeId | null;
  readonly fresh: FreshIds;
  /** null: it moves along with another turn, and no decider was asked about it. */
  readonly decision: Decision | null;
  /** Title of the topic it opens; null if it opens none. */
  readonly title: string | null;
}

export type IntentOutcome =
  | { readonly ok: true; readonly step: StepId | null; readonly events: readonly Event[] }
  | { readonly ok: false; readonly refusal: Refusal };

const refuse = (refusal: Refusal): IntentOutcome => ({ ok: false, refusal });
const accept = (step: StepId | null, ...events: Event[]): IntentOutcome => ({ ok: true, step, events });

/** Checks an intent against the forest and returns the events it amounts to. */
export const handle = (forest: Forest, intent: Intent): IntentOutcome => {
  switch (intent.type) {
    case 'record': {
      const refusal = checkPlain(forest, intent.event, intent.step);
      return refusal === null ? accept(intent.step, intent.event) : refuse(refusal);
    }
    case 'place': {
      const { nodeId, parentId, fresh, decision, engineParentId } = intent;
      const pending = forest.pending[nodeId];
      if (pending === undefined || (parentId !== null && !forest.nodes[parentId])) return refuse('unknown-turn');
      const placement = placementUnder(forest, parentId, fresh);
      const placed: Event = { type: 'turn-placed', nodeId, placement, decision };
      if (pending.target?.chosen !== true || engineParentId === undefined) return accept(pending.step, placed);
      // Topics and branches that were never created use the turn's own id.
      const unmade = { treeId: nodeId, branchId: nodeId };
      const engine = engineParentId === parentId ? placement : placementUnder(forest, engineParentId, unmade);
      const label: Label = { engine, person: placement, at: pending.at, beforehand: true };
      return accept(pending.step, { ...placed, label });
    }
    case 'move':
      return move(forest, intent);
    case 'reconsider':
      return reconsider(forest, intent);
    case 'arrange':
      return arrange(forest, intent);
    case 'extract':
      return extract(forest, intent);
    case 'delete':
      return remove(forest, intent);
    case 'confirm':
      return confirm(forest, intent);
    case 'rewind':
      return rewind(forest, intent.to);
    case 'undo': {
      const step = forest.history.past.at(-1);
      return step === undefined ? refuse('nothing-to-undo') : accept(null, { type: 'undone', step: step.id });
    }
    case 'redo': {
      const step = forest.history.future.at(-1);
      return step === undefined ? refuse('nothing-to-redo') : accept(null, { type: 'redone', step: step.id });
    }
  }
};

const checkPlain = (forest: Forest, event: PlainEvent, step: StepId | null): Refusal | null => {
  // A purge is no step, but what it removes may be where the message is going.
  const waits = step !== null || event.type === 'turns-purged';
  if (waits && pendingTurn(forest) !== null) return 'turn-pending';
  return kindOf(event).check?.(forest, event, step) ?? null;
};

const rewind = ({ history: { past, future } }: Forest, to: number): IntentOutcome => {
  if (to === past.length) return refuse('already-there');
  if (to < 0) return refuse('nothing-to-undo');
  if (to > past.length + future.length) return refuse('nothing-to-redo');
  const undone = past.slice(to).toReversed();
  const redone = future.slice(future.length - (to - past.length)).toReversed();
  const events: Event[] =
    to < past.length
      ? undone.map(({ id }): Event => ({ type: 'undone', step: id }))
      : redone.map(({ id }): Event => ({ type: 'redone', step: id }));
  return accept(null, ...events);
};

/** Continuing from a tip stays on its branch; under a node that has children it starts a new branch. */
export const placementUnder = (
  forest: Forest,
  parentId: NodeId | null,
  fresh: FreshIds,
  without?: NodeId,
): Placement => {
  if (parentId === null) return { treeId: fresh.treeId, branchId: fresh.branchId, parentId };
  const parent = nodeOf(forest, parentId);
  const isTip = childrenOf(forest, parentId).every((child) => child === without);
  return { treeId: parent.treeId, branchId: isTip ? parent.branchId : fresh.branchId, parentId };
};

const move = (forest: Forest, { nodeId, parentId, fresh, at, step }: Intent & { type: 'move' }): IntentOutcome => {
  const node = forest.nodes[nodeId];
  if (node === undefined || (parentId !== null && !forest.nodes[parentId])) return refuse('unknown-turn');
  if (pendingTurn(forest) !== null) return refuse('turn-pending');
  if (node.parentId === parentId) return refuse('already-there');
  if (parentId !== null && (parentId === nodeId || isAncestor(forest, nodeId, parentId))) return refuse('under-itself');
  const placement = placementUnder(forest, parentId, fresh, nodeId);
  const { treeId, branchId } = node;
  const engine = engineOf(node.label) ?? { treeId, branchId, parentId: node.parentId };
  const label: Label = { engine, person: placement, at };
  return accept(step, { type: 'turn-moved', nodeId, placement, label });
};

const reconsider = (
  forest: Forest,
  { nodeId, parentId, fresh, decision, step }: Intent & { type: 'reconsider' },
): IntentOutcome => {
  const node = forest.nodes[nodeId];
  if (node === undefined || (parentId !== null && !forest.nodes[parentId])) return refuse('unknown-turn');
  if (pendingTurn(forest) !== null) return refuse('turn-pending');
  if (node.label !== null) return refuse('already-labelled');
  if (node.parentId === parentId || parentId === nodeId) return refuse('already-there');
  if (childrenOf(forest, nodeId).length > 0) return refuse('under-itself');
  const placement = placementUnder(forest, parentId, fresh, nodeId);
  return accept(step, { type: 'turn-reconsidered', nodeId, placement, decision });
};

/** Where a turn was first put, as far as its label says; a label chosen beforehand only says where it would have been put. */
const engineOf = (label: Label | null): Placement | undefined =>
  label?.beforehand === true ? undefined : label?.engine;

const arrange = (forest: Forest, { turns, step }: Intent & { type: 'arrange' }): IntentOutcome => {
  if (pendingTurn(forest) !== null) return refuse('turn-pending');
  const known = (id: NodeId | null): boolean => id === null || forest.nodes[id] !== undefined;
  if (turns.some(({ nodeId, parentId }) => !known(nodeId) || !known(parentId))) return refuse('unknown-turn');
  const wanted = new Map(turns.map((one) => [one.nodeId, one]));
  const placements = placementsFor(forest, wanted);
  if (placements.size < sizeOf(forest.nodes)) return refuse('under-itself');
  const moved = [...placements].flatMap(([nodeId, placement]) =>
    isSamePlace(nodeOf(forest, nodeId), placement) ? [] : [{ nodeId, placement }],
  );
  if (moved.length === 0) return refuse('already-there');
  const titled = turns.flatMap(({ nodeId, parentId, title, fresh: { treeId } }): Event[] =>
    parentId === null && title !== null && placements.get(nodeId)?.treeId === treeId
      ? [{ type: 'topic-titled', treeId, title, by: 'engine' }]
      : [],
  );
  const decided = turns.flatMap(({ nodeId, decision }): Event[] =>
    decision === null ? [] : [{ type: 'turn-decided', nodeId, decision }],
  );
  return accept(step, { type: 'turns-arranged', turns: moved }, ...titled, ...decided);
};

const isSamePlace = (a: Placement, b: Placement): boolean =>
  a.parentId === b.parentId && a.branchId === b.branchId && a.treeId === b.treeId;

/** Places of all turns reachable from a root after the requested moves, parents first. */
const placementsFor = (forest: Forest, wanted: ReadonlyMap<NodeId, Arrangement>): Map<NodeId, Placement> => {
  const inOrder = recordsOf(forest.nodes).toSorted(byNumber);
  const under = new Map<NodeId | null, Node[]>();
  for (const node of inOrder) {
    const parentId = wanted.get(node.id)?.parentId;
    const to = parentId === undefined ? node.parentId : parentId;
    under.set(to, [...(under.get(to) ?? []), node]);
  }
  const placements = new Map<NodeId, Placement>();
  const work = (under.get(null) ?? []).map((node) => {
    const { treeId, branchId, parentId, id } = node;
    const own = parentId === null ? { treeId, branchId } : (wanted.get(id)?.fresh ?? { treeId: id, branchId: id });
    placements.set(id, { ...own, parentId: null });
    return node;
  });
  for (let parent = work.pop(); parent !== undefined; parent = work.pop()) {
    const children = under.get(parent.id) ?? [];
    const place = placements.get(parent.id) as Placement;
    const goesOn = continuationOf(forest, parent, children);
    for (const node of children) {
      const branchId = node === goesOn ? place.branchId : branchApart(forest, node, wanted);
      placements.set(node.id, { treeId: place.treeId, branchId, parentId: parent.id });
      work.push(node);
    }
  }
  return placements;
};

/** The child that stays on a turn's branch: the one that did before, otherwise the first one if it came from elsewhere. */
const continuationOf = (forest: Forest, parent: Node, children: readonly Node[]): Node | undefined => {
  const before = children.find(({ parentId, branchId }) => parentId === parent.id && branchId === parent.branchId);
  const [first] = children;
  return (
    before ??
    (first?.parentId === parent.id && forest.branches[first.branchId]?.headId === first.id ? undefined : first)
  );
};

/** The branch of a turn that does not continue its parent's: its own, if it headed one. */
const branchApart = (forest: Forest, node: Node, wanted: ReadonlyMap<NodeId, Arrangement>): BranchId => {
  const headed = node.parentId !== null && forest.branches[node.branchId]?.headId === node.id;
  return headed ? node.branchId : (wanted.get(node.id)?.fresh.branchId ?? node.id);
};

const extract = (forest: Forest, { nodeId, fresh, at, step }: Intent & { type: 'extract' }): IntentOutcome => {
  const node = forest.nodes[nodeId];
  if (node === undefined) return refuse('unknown-turn');
  if (pendingTurn(forest) !== null) return refuse('turn-pending');
  const children = childrenOf(forest, nodeId).length;
  if (node.parentId === null && children !== 1) return refuse(children === 0 ? 'already-there' : 'several-branches');
  const placement = placementUnder(forest, null, fresh);
  const { treeId, branchId, parentId } = node;
  const engine = engineOf(node.label) ?? { treeId, branchId, parentId };
  return accept(step, { type: 'turn-extracted', nodeId, placement, label: { engine, person: placement, at } });
};

const remove = (forest: Forest, { nodeIds, alone, step }: Intent & { type: 'delete' }): IntentOutcome => {
  if (pendingTurn(forest) !== null) return refuse('turn-pending');
  const there = nodeIds.filter((id) => forest.nodes[id] !== undefined);
  if (there.length === 0) return refuse('unknown-turn');
  if (!alone) return accept(step, { type: 'turns-deleted', nodeIds: there });
  const gone = new Set(there);
  const isStuck = (id: NodeId) => nodeOf(forest, id).parentId === null && countHeirs(forest, id, gone) > 1;
  if (there.some(isStuck)) return refuse('several-branches');
  return accept(
    step,
    ...there.map((nodeId): Event => ({ type: 'turn-extracted', nodeId, placement: null, label: null })),
  );
};

/** How many turns would take a turn's place once it and the other ones are gone. */
const countHeirs = (forest: Forest, nodeId: NodeId, gone: ReadonlySet<NodeId>): number => {
  let count = 0;
  const work = [nodeId];
  for (let id = work.pop(); id !== undefined; id = work.pop()) {
    for (const child of childrenOf(forest, id)) {
      if (gone.has(child)) work.push(child);
      else count += 1;
    }
  }
  return count;
};

const confirm = (forest: Forest, { nodeId, at, step }: Intent & { type: 'confirm' }): IntentOutcome => {
  const node = forest.nodes[nodeId];
  if (node === undefined) return refuse('unknown-turn');
  if (pendingTurn(forest) !== null) return refuse('turn-pending');
  if (node.label !== null) return refuse('already-labelled');
  const { treeId, branchId, parentId } = node;
  const place: Placement = { treeId, branchId, parentId };
  return accept(step, { type: 'turn-confirmed', nodeId, label: { engine: place, person: place, at } });
};
