import type { Fallback } from '../../domain/decision.ts';
import type { Entry } from '../../domain/entry.ts';
import type { Forest, NodeId } from '../../domain/forest.ts';
import { nodeOf } from '../../domain/queries.ts';
import { visibleForest, visibleTarget } from '../context/visible-forest.ts';
import type { EngineCore } from '../core.ts';
import type { PastQuestions } from '../lessons.ts';
import { ComparedMessage } from '../place/compared-message.ts';
import type { BranchQuestion, Decider, TopicQuestion } from '../ports.ts';
import { Stopwatch } from '../tasks.ts';
import { route } from '../turn/decide.ts';

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

/**
 * Returns the questions about a turn as they were when it was decided: the log up to its placement, with the current
 * vectors. `forestAt`: the forest after some entries. Null if the engine had nothing to decide or a vector is unavailable.
 */
export const questionsAbout = async (
  core: EngineCore,
  entries: readonly Entry[],
  nodeId: NodeId,
  parentId: NodeId | null,
  forestAt: (count: number) => Forest | Promise<Forest>,
  signal: AbortSignal,
): Promise<PastQuestions | null> => {
  // From the end, since what is corrected is mostly recent.
  const placed = entries.findLastIndex(({ event }) => event.type === 'turn-placed' && event.nodeId === nodeId);
  if (placed === -1) return null;
  const whole = await forestAt(placed);
  const pending = whole.pending[nodeId];
  if (parentId !== null && whole.nodes[parentId] === undefined) return null;
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
