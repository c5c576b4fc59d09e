import type { Decision } from '../../domain/decision.ts';
import type { Entry } from '../../domain/entry.ts';
import type { Refusal } from '../../domain/event-kind.ts';
import { type EventOf, type HandEdit, kindOf, placementsOf } from '../../domain/event-kinds.ts';
import { byNumber, type Forest, type Node, type NodeId, type StepId } from '../../domain/forest.ts';
import { subtree } from '../../domain/queries.ts';
import { idsOf, recordsOf } from '../../domain/table.ts';
import type { EngineParts } from '../core.ts';
import type { Lesson } from '../lessons.ts';
import type { Parameters } from '../parameters.ts';
import type { Decider, Embedder, Models } from '../ports.ts';
import type { Prompts, Settings } from '../settings.ts';

/** Who decides in a re-run. */
export type WhatIfDecider =
  /** The chosen one, with what it had learned from the user at each moment. */
  | 'chosen'
  /** The embedded one, with what it had learned at each moment. */
  | 'embedded'
  /** The embedded one, with everything learned so far. */
  | 'embedded-taught'
  /** The embedded one as it ships. */
  | 'embedded-untaught'
  /** The paper's rule without a language model: similarity, and the gate θ. */
  | 'paper-rule'
  /** A single similarity threshold for continuing or returning to a topic; no branches. */
  | 'one-threshold';

/** What to change in a re-run. */
export interface WhatIf {
  /** The first turn to decide again; null for the very first one. */
  readonly from: NodeId | null;
  /** Source of everything not set here: as it was for each turn, or the current settings. */
  readonly base: 'then' | 'now';
  /** Whether the user's manual edits from there on are repeated or left out. */
  readonly byHand: 'again' | 'left-out';
  readonly decider: WhatIfDecider;
  readonly embedder: 'chosen' | 'embedded';
  /** By name; null leaves it to `base`. */
  readonly policy: string | null;
  readonly parameters: Partial<Parameters>;
  readonly prompts: Partial<Prompts>;
}

/** Changes nothing: the re-run places every turn where it was. */
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

/** The re-run's own deciders; those of the open conversation are never touched. */
export interface WhatIfDeciders {
  /** The embedded decider, taught by these lessons, oldest first. */
  taught(lessons: readonly Lesson[]): Promise<Decider>;
  readonly paperRule: Decider;
  readonly oneThreshold: Decider;
}

/** What the re-runs of one conversation work with. */
export interface WhatIfParts {
  /** The currently chosen models. */
  readonly models: Models;
  readonly embedded: EngineParts['embedded'] & { readonly embed: Embedder };
  readonly deciders: WhatIfDeciders;
  /** All existing lessons; none if the decider may not learn. */
  readonly lessons: readonly Lesson[];
  /** The current settings. */
  readonly settings: Settings;
  /** The settings of a version; null if it is unknown. */
  settingsOf(version: number): Settings | null;
  readonly vectors: EngineParts['vectors'];
  now(): number;
  newId(): string;
}

/** Reports the progress of a re-run and lets other work run in between. Rejects once it sees that the signal has fired. */
export interface RerunWatch {
  /** Turns decided again so far, and in total. */
  progress(done: number, of: number): void;
  /** Resolves once the page has had time for its own work; immediately if it needs none yet. */
  breathe(): Promise<void>;
  readonly signal: AbortSignal;
}

/** An edit, or a message sent to a place of the user's choice. */
type ByHand = HandEdit | EventOf<'message-sent'>;

/** Something the user did by hand that a re-run lacks. */
export interface SkippedEdit {
  /** Its position in the original log. */
  readonly seq: number;
  readonly what: ByHand['type'];
  /** The turns it concerns. */
  readonly nodeIds: readonly NodeId[];
  readonly why: /** All manual edits were to be left out. */
    | 'wanted'
    /** The engine put the turn there on its own. */
    | 'not-needed'
    /** The user had confirmed a place that the turn does not have here. */
    | 'placed-otherwise'
    /** What it concerned does not exist here, or is not the same. */
    | 'not-there'
    | Refusal;
}

export const skippedEdit = (seq: number, event: ByHand, why: SkippedEdit['why']): SkippedEdit => ({
  seq,
  what: event.type,
  nodeIds: 'nodeIds' in event ? event.nodeIds : 'nodeId' in event ? [event.nodeId] : [],
  why,
});

/** Where a turn is and how it got there. */
export interface TurnPosition {
  /** Its current parent. */
  readonly parentId: NodeId | null;
  /** Where the decision put it, before anyone moved it. */
  readonly decidedUnder: NodeId | null;
  readonly decision: Decision;
}

/**
 * Why a turn is on the list:
 * `moved`: it was decided to have another parent;
 * `by-hand`: the decision is the same, but the user's manual edits had a different result;
 * `same-place`: it has the same parent, by another action;
 * `carried`: it has the same parent, which is elsewhere.
 */
export type ChangeCause = 'moved' | 'by-hand' | 'same-place' | 'carried';

export interface PlacementDifference {
  readonly nodeId: NodeId;
  readonly number: number;
  readonly change: ChangeCause;
  /** Null if the turn does not exist (any more). */
  readonly before: TurnPosition | null;
  readonly after: TurnPosition | null;
}

/** A conversation as a log and the resulting forest. */
export interface LoggedForest {
  readonly entries: readonly Entry[];
  readonly forest: Forest;
}

/** Returns the turns that two versions of a conversation place differently, in chronological order. */
export const placementDifferences = (before: LoggedForest, after: LoggedForest): PlacementDifference[] => {
  const [placedBefore, placedAfter] = [placementsIn(before), placementsIn(after)];
  const ids = new Set([...idsOf(before.forest.nodes), ...idsOf(after.forest.nodes)]);
  const own = new Map<NodeId, PlacementDifference>();
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
  return [...own.values()].sort(byNumber);
};

/** Where decisions put turns, including what was reconsidered or sorted since and not undone. */
const placementsIn = ({ entries }: LoggedForest): ReadonlyMap<NodeId, NodeId | null> => {
  // From the log: a purge empties the history of the forest.
  const undone = new Set<StepId>();
  for (const { event } of entries) {
    if (event.type === 'undone') undone.add(event.step);
    if (event.type === 'redone') undone.delete(event.step);
  }
  return new Map(
    entries.flatMap(({ event, step }): [NodeId, NodeId | null][] => {
      const stands = event.type === 'turn-placed' || (step !== null && !undone.has(step));
      if (!stands || kindOf(event).byHand !== false) return [];
      return placementsOf(event).map(({ nodeId, placement }) => [nodeId, placement.parentId]);
    }),
  );
};

const placeOf = (node: Node | undefined, placed: ReadonlyMap<NodeId, NodeId | null>): TurnPosition | null => {
  if (node === undefined) return null;
  const { id, parentId, decision } = node;
  return { parentId, decidedUnder: placed.has(id) ? (placed.get(id) ?? null) : parentId, decision };
};

const changeOf = (before: TurnPosition | null, after: TurnPosition | null): ChangeCause | null => {
  if (before === null || after === null) return 'by-hand';
  if (before.decidedUnder !== after.decidedUnder) return 'moved';
  if (before.parentId !== after.parentId) return 'by-hand';
  const [was, is] = [before.decision, after.decision];
  return was.topic === is.topic && was.branch === is.branch ? null : 'same-place';
};

/** Returns the turns below one that has moved that still have the same parent themselves. */
const carried = (before: Forest, after: Forest, own: ReadonlyMap<NodeId, PlacementDifference>) => {
  const known = new Map<NodeId, boolean>();
  const elsewhere = ({ parentId, id }: Node): boolean => {
    const found = own.get(id);
    if (found !== undefined && found.change !== 'same-place') {
      // Decided differently but put back by hand: what is below it has not moved.
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
