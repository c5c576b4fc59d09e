import type { Decision } from '../../domain/decision.ts';
import type { Entry } from '../../domain/entry.ts';
import type { Event, Refusal } from '../../domain/event-kinds.ts';
import type { Forest, Node, NodeId } from '../../domain/forest.ts';
import { subtree } from '../../domain/queries.ts';
import { idsOf, recordsOf } from '../../domain/table.ts';
import type { EngineParts } from '../core.ts';
import type { Parameters } from '../parameters.ts';
import type { Lesson } from '../place/lessons.ts';
import type { Decider, Embedder, Models } from '../ports.ts';
import type { Prompts, Settings } from '../settings.ts';

/** Who decides in a re-run. */
export type WhatIfDecider =
  /** The one that is chosen; what it had learned from the person is what it had learned at each moment. */
  | 'chosen'
  /** The embedded one, with what it had learned at each moment. */
  | 'embedded'
  /** The embedded one, with all that it has learned until now. */
  | 'embedded-taught'
  /** The embedded one as it ships. */
  | 'embedded-untaught'
  /** The paper's rule without a language model: similarity, and the gate θ. */
  | 'paper-rule'
  /** One similarity from which a topic is gone on with or returned to; no branches. */
  | 'one-threshold';

/** What is to be otherwise in a re-run. */
export interface WhatIf {
  /** The first turn that is decided anew; null for the very first. */
  readonly from: NodeId | null;
  /** What is not named here: as it was for each turn, or as it is set now. */
  readonly base: 'then' | 'now';
  /** What the person did by hand from there on is carried out again, or left out. */
  readonly byHand: 'again' | 'left-out';
  readonly decider: WhatIfDecider;
  readonly embedder: 'chosen' | 'embedded';
  /** By name; null leaves it to `base`. */
  readonly policy: string | null;
  readonly parameters: Partial<Parameters>;
  readonly prompts: Partial<Prompts>;
}

/** Nothing is otherwise: a re-run places every turn where it was placed. */
export const AS_IT_WAS: WhatIf = {
  from: null,
  base: 'then',
  byHand: 'again',
  decider: 'chosen',
  embedder: 'chosen',
  policy: null,
  parameters: {},
  prompts: {},
};

/** Deciders of which a re-run has its own: those that answer in the open conversation are never touched. */
export interface WhatIfDeciders {
  /** The embedded decider with what it makes of these lessons, oldest first. */
  taught(lessons: readonly Lesson[]): Promise<Decider>;
  readonly paperRule: Decider;
  readonly oneThreshold: Decider;
}

/** What re-runs of one conversation work with. */
export interface WhatIfParts {
  /** As they are chosen now. */
  readonly models: Models;
  readonly embedded: EngineParts['embedded'] & { readonly embed: Embedder };
  readonly deciders: WhatIfDeciders;
  /** All that there are; none where the decider may not learn. */
  readonly lessons: readonly Lesson[];
  /** As they are now. */
  readonly settings: Settings;
  /** Those of a version; null for one that is not known. */
  settingsOf(version: number): Settings | null;
  readonly vectors: EngineParts['vectors'];
  now(): number;
  newId(): string;
}

/** How a re-run gets on, and lets others in between. It rejects as soon as it sees that the signal has fired. */
export interface RerunWatch {
  /** Turns decided anew, of how many. */
  progress(done: number, of: number): void;
  /** Resolves when the page has had time for itself; at once where it needs none yet. */
  breathe(): Promise<void>;
  readonly signal: AbortSignal;
}

/** Something that the person did by hand and that a re-run does not have. */
export interface LeftOut {
  /** Where it stands in the original log. */
  readonly seq: number;
  readonly what: Event['type'];
  /** The turns that it is about. */
  readonly nodeIds: readonly NodeId[];
  readonly why: /** All edits by hand were to be left out. */
    | 'wanted'
    /** The engine put the turn there by itself. */
    | 'not-needed'
    /** The person had confirmed a place that the turn does not have here. */
    | 'placed-otherwise'
    /** What it was about is not there, or not the same. */
    | 'not-there'
    | Refusal;
}

export const leftOut = ({ seq, event }: Entry, why: LeftOut['why']): LeftOut => ({
  seq,
  what: event.type,
  nodeIds: 'nodeIds' in event ? event.nodeIds : 'nodeId' in event ? [event.nodeId] : [],
  why,
});

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
export interface LoggedForest {
  readonly entries: readonly Entry[];
  readonly forest: Forest;
}

/** The turns of two tellings of one conversation that are not placed alike, in order of time. */
export const differences = (before: LoggedForest, after: LoggedForest): Difference[] => {
  const [placedBefore, placedAfter] = [placementsIn(before), placementsIn(after)];
  const ids = new Set([...idsOf(before.forest.nodes), ...idsOf(after.forest.nodes)]);
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

/** Where decisions put turns; what was reconsidered or sorted since, and is not undone, among it. */
const placementsIn = ({ entries, forest }: LoggedForest): ReadonlyMap<NodeId, NodeId | null> => {
  const done = new Set(forest.history.past.map(({ id }) => id));
  return new Map(
    entries.flatMap(({ event, step }): [NodeId, NodeId | null][] => {
      if (event.type === 'turn-placed') return [[event.nodeId, event.placement.parentId]];
      if (!done.has(step ?? '')) return [];
      if (event.type === 'turn-reconsidered') return [[event.nodeId, event.placement.parentId]];
      if (event.type !== 'turns-arranged') return [];
      return event.turns.map(({ nodeId, placement }) => [nodeId, placement.parentId]);
    }),
  );
};

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
  const parentsFirst = recordsOf(after.trees).flatMap(({ rootId }) => subtree(after, rootId));
  for (const node of parentsFirst) known.set(node.id, elsewhere(node));
  return parentsFirst.flatMap((to) => {
    const from = before.nodes[to.id];
    return known.get(to.id) === true && from !== undefined && !own.has(to.id)
      ? [{ nodeId: to.id, number: to.number, from, to }]
      : [];
  });
};
