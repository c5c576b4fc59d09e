import { apply } from '../../domain/apply.ts';
import type { Fallback } from '../../domain/decision.ts';
import { type Entry, LOG_VERSION } from '../../domain/entry.ts';
import type { Forest, NodeId, StepId } from '../../domain/forest.ts';
import { nodeOf } from '../../domain/queries.ts';
import { idsOf } from '../../domain/table.ts';
import { visibleForest, visibleTarget } from '../context/visible-forest.ts';
import type { EngineCore } from '../core.ts';
import type { PastQuestions } from '../lessons.ts';
import { ComparedMessage } from '../place/compared-message.ts';
import type { BranchQuestion, Decider, TopicQuestion } from '../ports.ts';
import { createYielder, Stopwatch } from '../tasks.ts';
import { route } from '../turn/decide.ts';
import { foldInParts, readInParts } from './fold-in-parts.ts';
import { asSorted } from './sort-topics.ts';

const ANSWER = { confidence: null, reasons: [], raw: '', decider: 'the person' };

/** Answers as the user did and records what it was asked. */
interface Listener {
  readonly decider: Decider;
  /** What a route with this decider asked; null if there was nothing to ask. */
  heard(): PastQuestions | null;
}

/**
 * Creates a listener for a route through a forest as it was before a turn was placed. `parentId`: the parent according
 * to the user; null for a new topic. Returns null if that parent did not exist yet.
 */
export const listenFor = (forest: Forest, parentId: NodeId | null): Listener | null => {
  if (parentId !== null && forest.nodes[parentId] === undefined) return null;
  const target = parentId === null ? null : nodeOf(forest, parentId).treeId;
  let topic: TopicQuestion | null = null;
  let branch: BranchQuestion | null = null;
  const decider: Decider = {
    name: ANSWER.decider,
    ungated: true,
    topic: async (question) => {
      topic = question;
      return { ...ANSWER, action: target === null ? 'create-topic' : 'switch-topic', target };
    },
    branch: async (question) => {
      branch = question;
      return { ...ANSWER, action: 'continue-branch' };
    },
  };
  const heard = (): PastQuestions | null => {
    if (topic === null) return null;
    return {
      topic: { question: topic, target },
      branch: branch === null || parentId === null ? null : { question: branch, parentId },
    };
  };
  return { decider, heard };
};

interface DecidedMoment {
  /** The forest in which a turn was decided. */
  readonly forest: Forest;
  /** Turns in it that were not seen then. */
  readonly unseen: ReadonlySet<NodeId>;
}

/** Returns the number of entries before a turn was placed, null if it was not, and whether turns have been sorted into topics since. */
const placingOf = (entries: readonly Entry[], nodeId: NodeId): { placed: number | null; isSortedSince: boolean } => {
  /** Whether a step was undone in the end. */
  const isUndone = new Map<StepId, boolean>();
  let isSortedSince = false;
  // From the end, since what is corrected is mostly recent.
  const placed = entries.findLastIndex(({ event, step }) => {
    if (event.type === 'undone' || event.type === 'redone') {
      if (!isUndone.has(event.step)) isUndone.set(event.step, event.type === 'undone');
    } else if (event.type === 'turns-arranged' && (step === null || isUndone.get(step) !== true)) isSortedSince = true;
    return event.type === 'turn-placed' && event.nodeId === nodeId;
  });
  return { placed: placed === -1 ? null : placed, isSortedSince };
};

/**
 * Returns when a turn was decided: just before it was placed, or, if it was sorted into topics after an import, with what came
 * before it on its own path in its topics, as it was shown then. Null if that cannot be told.
 */
const decidedMoment = async (
  entries: readonly Entry[],
  nodeId: NodeId,
  forestAt: (count: number) => Forest | Promise<Forest>,
  breathe: () => Promise<void>,
): Promise<DecidedMoment | null> => {
  const { placed, isSortedSince } = placingOf(entries, nodeId);
  if (placed === null) return null;
  if (!isSortedSince) return { forest: await forestAt(placed), unseen: new Set() };
  const sorted = await asSorted(entries, breathe);
  const again = placingOf(sorted, nodeId);
  if (again.placed === null || again.isSortedSince) return null;
  const forest = await foldInParts(sorted, breathe, again.placed);
  const imported = entries[placed]?.event;
  if (imported?.type !== 'turn-placed' || imported.decision.by !== 'import') return { forest, unseen: new Set() };
  const parents = new Map<NodeId, NodeId | null>();
  const note = ({ event }: Entry): void => {
    if (event.type === 'turn-placed') parents.set(event.nodeId, event.placement.parentId);
  };
  await readInParts(entries, breathe, note, placed);
  const unseen = new Set(idsOf(forest.nodes));
  for (let id = imported.placement.parentId; id !== null; id = parents.get(id) ?? null) unseen.delete(id);
  // Like hidden ones.
  const event = { type: 'turns-hidden' as const, nodeIds: [...unseen], hidden: true };
  apply(forest, { v: LOG_VERSION, seq: 0, at: 0, step: null, event });
  return { forest, unseen };
};

/**
 * Returns the questions about a turn as they were when it was decided, with the current vectors. `forestAt`: the forest
 * after some entries. Null if the engine had nothing to decide or a vector is unavailable.
 */
export const questionsAbout = async (
  core: EngineCore,
  entries: readonly Entry[],
  nodeId: NodeId,
  parentId: NodeId | null,
  forestAt: (count: number) => Forest | Promise<Forest>,
  signal: AbortSignal,
): Promise<PastQuestions | null> => {
  const moment = await decidedMoment(entries, nodeId, forestAt, createYielder(core.parts.now, signal));
  if (moment === null) return null;
  const { forest: whole, unseen } = moment;
  const pending = whole.pending[nodeId];
  if (parentId !== null && (whole.nodes[parentId] === undefined || unseen.has(parentId))) return null;
  // Hidden turns are invisible to decisions.
  const forest = visibleForest(whole);
  const under = parentId === null ? null : visibleTarget(whole, forest, { kind: 'under', nodeId: parentId });
  const listener = listenFor(forest, under?.kind === 'under' ? under.nodeId : null);
  // If the place followed from a user action, nobody was asked; if the user chose the place, that answers what would have been asked.
  const toAsk = pending !== undefined && (pending.target === null || pending.target.chosen === true);
  if (!toAsk || listener === null) return null;
  const fallbacks: Fallback[] = [];
  const { embedding, spoken, terms } = await core.compareMessage(pending.message, signal, fallbacks);
  if (embedding === null) return null;
  // One that maintains no index: the existing one belongs to the current forest.
  const { table, replies } = core.vectors;
  const near = new ComparedMessage(pending.message, embedding.vector, table, embedding.embedder, null, {
    replies,
    spoken,
    terms,
  });
  await route({
    forest,
    pending: { ...pending, target: null },
    near,
    deciders: [listener.decider],
    ...core.routing,
    signal,
    fallbacks,
    stopwatch: new Stopwatch(core.parts.now),
  });
  return listener.heard();
};
