import type { TopicView } from '../../engine/ports.ts';
import { stem, wordsOf } from '../../engine/text/words.ts';
import type { Setting } from './embedded-decider-setting.ts';

/** Share of the message's words that a topic has, too. */
export const overlapWith = ({ shared, words }: Setting, topic: TopicView | undefined): number =>
  share(shared.get(topic?.treeId ?? '')?.length ?? 0, words);

/** Share of the message's words that a topic's replies have, too. */
export const replyOverlapWith = ({ sharedWithReplies, words }: Setting, topic: TopicView | undefined): number =>
  share(sharedWithReplies.get(topic?.treeId ?? '')?.length ?? 0, words);

/** Share of the message's words that this topic has and no other. */
export const ownOverlapWith = ({ shared, spread, words }: Setting, topic: TopicView | undefined): number =>
  share((shared.get(topic?.treeId ?? '') ?? []).filter((word) => spread.get(word) === 1).length, words);

/** Share of the message's words that no topic has. */
export const newWords = ({ spread, words }: Setting): number =>
  share([...words].filter((word) => !spread.has(word)).length, words);

export const share = (part: number, whole: ReadonlySet<string>): number => (whole.size === 0 ? 0 : part / whole.size);

const POINTER = /^(?:the|this|that|these|those|my|our|your|its|their)$/;
/** Words between a determiner and the word it points at, as in "the new kitchen floor". */
const POINTER_REACH = 3;

/** Words that stand behind a determiner, by their stems. */
export const pointedWords = (message: string): ReadonlySet<string> => {
  const written = wordsOf(message);
  const pointed = written.filter((_, at) =>
    written.slice(Math.max(0, at - POINTER_REACH), at).some((before) => POINTER.test(before.toLowerCase())),
  );
  return new Set(pointed.map(stem));
};

/** 1 if a word in common stands behind a determiner: "the script" points back where "a script" need not. */
export const pointedAt = ({ pointed, shared }: Setting, topic: TopicView | undefined): number =>
  (shared.get(topic?.treeId ?? '') ?? []).some((word) => pointed.has(word)) ? 1 : 0;
