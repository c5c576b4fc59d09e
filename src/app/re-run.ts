import type { Entry } from '../domain/entry.ts';
import type { Forest, NodeId } from '../domain/forest.ts';
import { copyOf } from '../domain/long-list.ts';
import { RerunModels } from '../engine/history/re-run-models.ts';
import type { WhatIf, WhatIfDeciders } from '../engine/history/what-if.ts';
import type { Lesson } from '../engine/lessons.ts';
import type { Models } from '../engine/ports.ts';
import type { Actions } from './actions.ts';
import { type Kernel, setSession } from './kernel.ts';
import { engineSettings } from './saved-settings.ts';
import type { TurnProgress } from './state.ts';

/** A conversation to re-run, as it was when the re-run was requested. */
export interface Origin {
  readonly conversationId: string;
  readonly entries: readonly Entry[];
  readonly forest: Forest;
}

/** Returns the log up to the last moment at which no message is being placed and no reply is in progress. */
export const originOf = ({ store, snapshots }: Kernel): Origin => {
  const { conversationId, entries, forest, turn } = store.getState();
  const begun = turn === null ? -1 : beginningOf(turn, entries);
  if (begun === -1) return { conversationId, entries, forest };
  // Cut off rather than sliced, which would unpack all of a long log.
  const settled = copyOf(entries);
  settled.length = begun;
  return { conversationId, entries: settled, forest: snapshots.at(entries, begun) };
};

/** Returns where in the log what is running began: with its message, or for an earlier turn with its new reply; -1 if that has not begun. */
const beginningOf = ({ nodeId, replyId }: TurnProgress, entries: readonly Entry[]): number => {
  const sent = entries.findLastIndex(({ event }) => event.type === 'message-sent');
  const event = entries[sent]?.event;
  if (event?.type === 'message-sent' && event.nodeId === nodeId) return sent;
  return entries.findLastIndex(
    (entry) =>
      (entry.event.type === 'reply-started' || entry.event.type === 'reply-resumed') && entry.event.replyId === replyId,
  );
};

/** The chosen decider by name, with the model that is asked where it is unsure. */
export const chosenDeciderName = ({ decide, consult }: Pick<Models, 'decide' | 'consult'>): string =>
  consult === undefined ? decide.name : `${decide.name}, and ${consult.name} where it is unsure`;

/**
 * Opens a dialog on the conversation that its results belong to: on another one, it would discard them. If that is open
 * already, a replay in it goes on.
 */
export const showResults = async (
  kernel: Kernel,
  dialog: 'compare' | 'what-if',
  { conversationId }: Pick<Origin, 'conversationId'>,
  openConversation: Actions['openConversation'],
): Promise<void> => {
  const isOpen = () => kernel.store.getState().conversationId === conversationId;
  if (!isOpen()) await openConversation(conversationId);
  if (isOpen()) setSession(kernel, { dialog });
};

/** What a re-run must not use for its decisions. */
interface HeldOutData {
  /** Replacements for the deciders that were trained on the conversation. */
  readonly deciders: WhatIfDeciders | null;
  readonly isOut: (lesson: Lesson) => boolean;
}

const NOTHING_OUT: HeldOutData = { deciders: null, isOut: () => false };

/** Creates the models for a re-run from the current settings and lessons. */
export const rerunModelsFor = async (
  kernel: Kernel,
  { conversationId, entries }: Origin,
  question: WhatIf,
  { deciders, isOut }: HeldOutData = NOTHING_OUT,
): Promise<RerunModels> => {
  const { ports, store } = kernel;
  const { settings } = store.getState();
  const { on } = store.getState().learning;
  const isOpen = () => store.getState().conversationId === conversationId;
  const wasOpen = isOpen();
  // Of a conversation that was purged or left, words may be gone for good.
  const mayCache = () => (isOpen() ? store.getState().entries[0] === entries[0] : !wasOpen);
  const lessons = on ? (await kernel.storage.lessons()).filter((lesson) => !isOut(lesson)) : [];
  const models = new RerunModels({
    models: ports.models(),
    embedded: ports.embedded,
    deciders: deciders ?? (await ports.rerunDeciders()),
    lessons: lessonsFor(lessons, conversationId, entries, question),
    settings: engineSettings(settings),
    settingsOf: (version) =>
      settings.versions.some((saved) => saved.version === version)
        ? engineSettings({ ...settings, current: version })
        : null,
    // Through the kernel, since its storage may be replaced.
    vectors: {
      readVectors: (model, hashes) => kernel.storage.readVectors(model, hashes),
      saveVectors: (model, vectors) =>
        kernel.inQueue(async () => {
          if (mayCache()) await kernel.storage.saveVectors(model, vectors);
        }),
    },
    now: ports.elapsed,
    newId: ports.newId,
  });
  await models.prepare(entries, question);
  return models;
};

/** Drops the lessons from corrections that the re-run leaves out: a copy has those of its original, which keeps the lessons. */
export const lessonsFor = (
  lessons: readonly Lesson[],
  conversationId: string,
  entries: Origin['entries'],
  { byHand, from }: Pick<WhatIf, 'byHand' | 'from'>,
): readonly Lesson[] => {
  if (byHand === 'again') return lessons;
  const begins = entries.find(({ event }) => event.type === 'message-sent' && event.nodeId === from);
  const since = begins?.at ?? 0;
  const keyOf = (nodeId: NodeId, at: number) => JSON.stringify([nodeId, at]);
  const corrections = new Set(
    entries.flatMap(({ event }) => ('label' in event && event.label ? [keyOf(event.nodeId, event.label.at)] : [])),
  );
  const isFromHere = (lesson: Lesson): boolean =>
    lesson.conversationId === conversationId || corrections.has(keyOf(lesson.nodeId, lesson.at));
  return lessons.filter((lesson) => lesson.at < since || !isFromHere(lesson));
};
