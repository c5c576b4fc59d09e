import * as z from 'zod/mini';
import type { Kernel } from '../../app/kernel.ts';
import { chosenDeciderName, rerunModelsFor } from '../../app/re-run.ts';
import { apply } from '../../domain/apply.ts';
import type { Decision } from '../../domain/decision.ts';
import { type Entry, LOG_VERSION } from '../../domain/entry.ts';
import type { Event, PlainEvent } from '../../domain/event-kinds.ts';
import { emptyForest, type Forest, GIVEN, type Node, type NodeId } from '../../domain/forest.ts';
import { handle } from '../../domain/handle.ts';
import { DECIDER } from '../../engine/embedded-names.ts';
import { rerun } from '../../engine/history/re-run.ts';
import { AS_IT_WAS, type RerunWatch } from '../../engine/history/what-if.ts';
import { type Lesson, STUDY_LESSONS } from '../../engine/lessons.ts';
import type { Summariser } from '../../engine/ports.ts';
import type { Storage } from '../../engine/storage.ts';
import {
  type EngineLabel,
  messageWithSpeaker,
  type Study,
  type StudyDialogue,
  type StudyLabel,
  type StudyPlacement,
} from './study.ts';

const EnginePersonSchema = z.object({
  decider: z.enum(['embedded-untaught', 'embedded-taught', 'chosen', 'paper-rule', 'one-threshold']),
  /** By name. */
  policy: z.string(),
});

/** A decider with the policy that finds places for it; it joins a study as an additional person. */
export type EnginePerson = z.infer<typeof EnginePersonSchema>;

/** As stored; unknown ones are dropped. */
export const KeptEnginePerson = z.catch(z.optional(EnginePersonSchema), undefined);

/** Deciders that can join, the shipped one first. `title` is their name among people. */
export const ENGINE_DECIDERS: readonly { readonly decider: EnginePerson['decider']; readonly title: string }[] = [
  { decider: 'embedded-untaught', title: 'embedded decider, as it ships' },
  { decider: 'embedded-taught', title: 'embedded decider, with your lessons' },
  { decider: 'chosen', title: 'chosen decider' },
  { decider: 'paper-rule', title: 'paper’s rule' },
  { decider: 'one-threshold', title: 'one threshold' },
];

/** Its name among people. Another model that is asked where the chosen one is unsure makes it another decider. */
export const enginePersonName = ({ ports }: Kernel, { decider, policy }: EnginePerson): string => {
  const title = ENGINE_DECIDERS.find((one) => one.decider === decider)?.title ?? decider;
  const model = decider === 'chosen' ? ` (${chosenDeciderName(ports.models())})` : '';
  return `${title}${model}, ${policy}`;
};

/** Whether a name among people is that of the embedded decider, which may also be the chosen one. */
export const isEmbedded = (name: string): boolean => name.includes(DECIDER);

/** The conversation id under which lessons of a study's dialogue are stored. */
export const lessonsIdOf = (study: Pick<Study, 'id'>, dialogue: string): string =>
  `${STUDY_LESSONS}${study.id}:${dialogue}`;

const isLessonOf = (study: Pick<Study, 'id'>, { conversationId }: Lesson): boolean =>
  conversationId.startsWith(lessonsIdOf(study, ''));

/** The number of stored lessons from a study. */
export const lessonCount = async (storage: Storage, study: Pick<Study, 'id'>): Promise<number> =>
  (await storage.lessons()).filter((lesson) => isLessonOf(study, lesson)).length;

/** Replaces all stored lessons of the study; an empty list removes them. */
export const replaceLessonsOf = async (
  storage: Storage,
  study: Pick<Study, 'id'>,
  lessons: readonly Lesson[],
): Promise<void> => {
  const others = (await storage.lessons()).filter((lesson) => !isLessonOf(study, lesson));
  await storage.replaceLessons([...others, ...lessons]);
};

const heldOutFor = ({ ports }: Kernel, { turns }: StudyDialogue) =>
  ports.heldOutDeciders(turns.map(({ user }) => user));

/** Dialogues that the embedded decider was trained on, judging by their messages. */
export const findTrainingDialogues = async (
  kernel: Kernel,
  dialogues: readonly StudyDialogue[],
): Promise<readonly StudyDialogue[]> => {
  const held = await Promise.all(dialogues.map((dialogue) => heldOutFor(kernel, dialogue)));
  return dialogues.filter((_, at) => held[at] !== null);
};

/** Above any decider's confidence: people label a turn before they see its reply, and so does the engine. */
const ABOVE_ANY = 2;

/**
 * Where the engine puts each turn of a dialogue before its reply, without seeing anybody's labels; null for a turn
 * without words. The embedded decider is used with weights not trained on the dialogue, and without lessons from the
 * study's gold. Rejects if the signal is aborted.
 */
export const engineLabels = async (
  kernel: Kernel,
  study: Pick<Study, 'id'>,
  dialogue: StudyDialogue,
  { decider, policy }: EnginePerson,
  watch: RerunWatch,
): Promise<(EngineLabel | null)[]> => {
  const { entries, forest } = await logOf(dialogue, [], kernel.ports.embedded.summarise, kernel.ports.now());
  const parameters = { reconsiderFrom: ABOVE_ANY };
  const question = { ...AS_IT_WAS, base: 'now', decider, policy, parameters } as const;
  const origin = { conversationId: lessonsIdOf(study, dialogue.id), entries, forest };
  const models = await rerunModelsFor(kernel, origin, question, {
    deciders: await heldOutFor(kernel, dialogue),
    isOut: (lesson) => isLessonOf(study, lesson),
  });
  const { forest: placed } = await rerun(models, entries, question, watch);
  return dialogue.turns.map((_, turn) => {
    const node = placed.nodes[nodeOfTurn(turn)];
    return node === undefined ? null : labelOf(node);
  });
};

interface LabellingWatch extends Pick<RerunWatch, 'breathe' | 'signal'> {
  /** `done`: number of dialogues labelled so far, including fractions; `dialogue`: the current one. */
  progress(done: number, dialogue: StudyDialogue): void;
}

/** Where the engine puts the turns of several dialogues, by dialogue id. Rejects if the signal is aborted. */
export const engineLabelsOf = async (
  kernel: Kernel,
  study: Pick<Study, 'id'>,
  dialogues: readonly StudyDialogue[],
  person: EnginePerson,
  { progress, ...watch }: LabellingWatch,
): Promise<Map<string, (EngineLabel | null)[]>> => {
  const labels = new Map<string, (EngineLabel | null)[]>();
  for (const [done, dialogue] of dialogues.entries()) {
    progress(done, dialogue);
    const within = (turns: number, of: number) => progress(done + turns / of, dialogue);
    labels.set(dialogue.id, await engineLabels(kernel, study, dialogue, person, { ...watch, progress: within }));
  }
  return labels;
};

const labelOf = ({ parentId, decision }: Node): EngineLabel => {
  const { topic, branch, trace } = decision;
  const asked = topic === 'continue-topic' ? trace?.branch.answer : null;
  const answer = asked ?? trace?.topic.answer;
  return {
    by: answer?.decider ?? decision.by,
    placement: placementOf(parentId === null ? 'create-topic' : topic, branch),
    parent: parentId === null ? 'new-topic' : turnOfNode(parentId),
    confidence: answer?.confidence ?? null,
  };
};

const placementOf = (topic: Node['decision']['topic'], branch: Node['decision']['branch']): StudyPlacement =>
  topic === 'continue-topic' ? (branch ?? 'continue-branch') : topic;

export const nodeOfTurn = (turn: number): NodeId => `turn-${turn}`;
/** The index in the dialogue of a node's turn. */
const turnOfNode = (node: NodeId): number => Number(node.slice('turn-'.length));

/**
 * A dialogue as the log of a conversation in which each turn stands where its label says; a turn without a label follows the
 * previous one. Turns without words are skipped. `at`: the time of all entries, in milliseconds since 1970.
 */
export const logOf = async (
  { turns }: Pick<StudyDialogue, 'turns'>,
  labels: readonly (Pick<StudyLabel, 'parent'> | null)[],
  summarise: Summariser,
  at: number,
): Promise<{ entries: readonly Entry[]; forest: Forest }> => {
  const forest = emptyForest();
  const entries: Entry[] = [];
  const append = (event: Event): void => {
    const entry: Entry = { v: LOG_VERSION, seq: entries.length + 1, at, step: null, event };
    apply(forest, entry);
    entries.push(entry);
  };
  const record = (event: PlainEvent): void => {
    const handled = handle(forest, { type: 'record', event, step: null });
    if (!handled.ok) throw new Error(`a turn of a sound dialogue was refused: ${handled.refusal}`);
    for (const one of handled.events) append(one);
  };
  let last: NodeId | null = null;
  for (const [turn, said] of turns.entries()) {
    const { assistant } = said;
    if (said.user.trim() === '') continue;
    const user = messageWithSpeaker(said);
    const nodeId = nodeOfTurn(turn);
    const parent = labels[turn]?.parent;
    const named = typeof parent === 'number' ? nodeOfTurn(parent) : undefined;
    const opens: boolean = last === null || parent === 'new-topic' || parent === 'elsewhere';
    const parentId: NodeId | null = opens ? null : named !== undefined && forest.nodes[named] ? named : last;
    const given = assistant === '' ? null : assistant;
    record({ type: 'message-sent', nodeId, message: user, given, target: null });
    place(nodeId, parentId);
    if (given !== null) {
      const reply = { nodeId, replyId: `${nodeId}-reply` };
      record({ type: 'reply-started', ...reply, model: GIVEN, context: null });
      record({ type: 'reply-received', ...reply, text: given });
      record({ type: 'reply-ended', ...reply, state: 'done', failure: null, timings: [] });
    }
    const digested = { message: user, reply: assistant };
    record({ type: 'summarised', nodeId, text: await summarise.summarise(digested), by: summarise.name });
    if (parentId === null) {
      const title = await summarise.title(digested);
      record({ type: 'topic-titled', treeId: `${nodeId}-topic`, title, by: 'engine' });
    }
    last = nodeId;
  }
  return { entries, forest };

  function place(nodeId: NodeId, parentId: NodeId | null): void {
    const decision: Decision = {
      topic: parentId === null ? 'create-topic' : 'continue-topic',
      branch: parentId === null ? null : 'continue-branch',
      by: 'import',
      trace: null,
    };
    const fresh = { treeId: `${nodeId}-topic`, branchId: `${nodeId}-branch` };
    const placed = handle(forest, { type: 'place', nodeId, parentId, fresh, decision });
    if (!placed.ok) throw new Error(`a turn of a sound dialogue has no place: ${placed.refusal}`);
    for (const event of placed.events) append(event);
  }
};
