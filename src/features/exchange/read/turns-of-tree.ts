import type { MessageTree, TreeMessage } from './mend-tree.ts';
import type { SourceAttachment } from './source.ts';

/** A turn as found in a file: a message with its replies, one of which is shown. */
export interface SourceTurn {
  /** The message's id; with a suffix `~2` and so on if the message occurs several times. */
  readonly id: string;
  /** The message's id, also in its duplicates. */
  readonly messageId: string;
  /** null: it opens a topic. */
  readonly parentId: string | null;
  readonly message: string;
  /** The name that precedes the message if there are several people; otherwise null. */
  readonly speaker: string | null;
  /** Attachments of the message and of its replies. `madeIn`: the reply that came with it; null for one of the message. */
  readonly attachments: readonly (SourceAttachment & { readonly madeIn: string | null })[];
  readonly at: number;
  readonly replies: readonly SourceReply[];
  /** One of `replies`; null if there are none. */
  readonly shownReplyId: string | null;
  /** Turns off its path that it also continues from. */
  readonly references: readonly string[];
  /** For a message that opens a topic: the earlier opening message that it is an edit of; otherwise null. */
  readonly editOf: string | null;
}

interface SourceReply {
  /** The id of the last message that it is made of. */
  readonly id: string;
  readonly text: string;
  readonly model: string | null;
  readonly at: number;
}

export interface TurnForest {
  /** Chronological, parents first. */
  readonly turns: readonly SourceTurn[];
  /** null if there are no turns. */
  readonly currentId: string | null;
  /** Adjustments made to split it into turns. */
  readonly notes: readonly string[];
}

/** Used when an assistant speaks before anybody else. */
export const NO_MESSAGE = '(The assistant began.)';

/** One alternative answer to a message: consecutive messages of the assistant. */
interface Answer {
  readonly messages: readonly TreeMessage[];
  /** What people said after it. */
  readonly next: readonly TreeMessage[];
}

interface Work {
  readonly message: TreeMessage;
  readonly parentId: string | null;
}

/**
 * Splits a tree of messages into turns. Alternative answers are replies of one turn. If several of them were continued, the
 * message is duplicated side by side, once for each, so that every path reads as it was. Consecutive assistant messages form
 * one reply.
 */
export const turnsOf = ({ messages, currentId }: Pick<MessageTree, 'messages' | 'currentId'>): TurnForest => {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const children = new Map<string | null, TreeMessage[]>();
  for (const message of messages) {
    const siblings = children.get(message.parentId) ?? [];
    siblings.push(message);
    children.set(message.parentId, siblings);
  }
  const childrenOf = (id: string | null): readonly TreeMessage[] => children.get(id) ?? [];
  const current = new Set<string>();
  for (let id = currentId; id !== null && !current.has(id); id = byId.get(id)?.parentId ?? null) current.add(id);

  const turns: SourceTurn[] = [];
  const turnOf = new Map<string, string>();
  let [doubled, opened] = [0, 0];
  const work: Work[] = [];
  for (const root of childrenOf(null).toReversed()) {
    work.push({ message: root, parentId: null });
  }
  for (let one = work.pop(); one !== undefined; one = work.pop()) {
    const { message, parentId } = one;
    const isOpening = message.by === 'assistant';
    if (isOpening) opened++;
    const answers = answersOf(
      isOpening ? [message] : childrenOf(message.id).filter(({ by }) => by === 'assistant'),
      childrenOf,
    );
    // If a user speaks twice in a row, the second message is a turn below the first.
    const besides = isOpening ? [] : childrenOf(message.id).filter(({ by }) => by === 'user');
    const groups = groupsOf(answers, besides, current);
    doubled += groups.length - 1;
    for (const [at, group] of groups.entries()) {
      const id = at === 0 ? message.id : `${message.id}~${at + 1}`;
      // The reply that a tool shows last is not necessarily the latest.
      const replies = group.answers.toSorted(byTimeSaid).map(replyOf);
      for (const { messages: said } of group.answers) for (const { id: own } of said) turnOf.set(own, id);
      if (at === 0) turnOf.set(message.id, id);
      turns.push({
        id,
        messageId: message.id,
        parentId,
        ...(isOpening ? { message: NO_MESSAGE, speaker: null } : asked(message)),
        attachments: [
          ...(isOpening ? [] : message.attachments.map((one) => ({ ...one, madeIn: null }))),
          ...group.answers.flatMap((answer) => {
            const madeIn = replyOf(answer).id;
            return answer.messages.flatMap((one) => one.attachments.map((file) => ({ ...file, madeIn })));
          }),
        ],
        at: message.at - (isOpening ? 1 : 0) + at,
        replies,
        shownReplyId: group.shown === null ? null : replyOf(group.shown).id,
        references: message.alsoFrom,
        editOf: null,
      });
      for (const next of group.next.toReversed()) work.push({ message: next, parentId: id });
    }
  }
  const times = new Map<string, number>();
  const timed = turns.map((turn) => {
    const above = turn.parentId === null ? undefined : times.get(turn.parentId);
    const at = Math.max(turn.at, above === undefined ? turn.at : above + 1);
    times.set(turn.id, at);
    return {
      ...turn,
      at,
      references: turn.references.flatMap((id) => turnOf.get(id) ?? []).filter((id) => id !== turn.id),
    };
  });
  const notes: string[] = [];
  if (doubled > 0)
    notes.push(`${doubled === 1 ? 'a message was' : `${doubled} messages were`} duplicated to hold every continuation`);
  if (opened > 0) notes.push(`${opened === 1 ? 'a topic begins' : `${opened} topics begin`} with the assistant`);
  const inOrder = withEdits(timed.toSorted((a, b) => a.at - b.at));
  const edited = inOrder.filter(({ editOf }) => editOf !== null).length;
  if (edited > 0) {
    notes.push(
      `the first message was edited: ${edited === 1 ? 'the edit opens a second topic that refers' : `the edits open ${edited} more topics that refer`} to the first`,
    );
  }
  return {
    turns: inOrder,
    currentId: currentId === null ? null : (turnOf.get(currentId) ?? null),
    notes,
  };
};

/** Share of words in common from which two first messages count as an edit. Chosen by hand. */
const ALIKE = 0.5;
/** Below this number of words, as in greetings, similarity is meaningless. */
const WORDS = 4;

/**
 * Tools keep an edited first message beside the original. A topic has one root, so each version opens its own topic, as an
 * edited first message does here. An edit is recognised by its words, because truly different topics look the same in a
 * file.
 */
const withEdits = (turns: readonly SourceTurn[]): readonly SourceTurn[] => {
  // With several speakers, similar messages are repetitions, not edits.
  if (turns.some(({ speaker }) => speaker !== null)) return turns;
  const openings: { readonly id: string; readonly messageId: string; readonly words: ReadonlySet<string> }[] = [];
  return turns.map((turn) => {
    if (turn.parentId !== null || turn.message === NO_MESSAGE) return turn;
    const words = new Set(turn.message.toLowerCase().match(/[\p{L}\p{N}]+/gu));
    const original = openings.find((one) => shareOf(one.words, words) >= ALIKE);
    if (original === undefined) openings.push({ id: turn.id, messageId: turn.messageId, words });
    const isDuplicate = original?.messageId === turn.messageId;
    return { ...turn, editOf: isDuplicate ? null : (original?.id ?? null) };
  });
};

const shareOf = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  const both = [...a].filter((word) => b.has(word)).length;
  return Math.min(a.size, b.size) < WORDS ? 0 : both / (a.size + b.size - both);
};

const byTimeSaid = (a: Answer, b: Answer): number =>
  (a.messages.at(-1)?.saidAt ?? 0) - (b.messages.at(-1)?.saidAt ?? 0) || 0;

/** Every run of assistant messages that ends, or that somebody continued from. */
const answersOf = (firsts: readonly TreeMessage[], childrenOf: (id: string) => readonly TreeMessage[]): Answer[] => {
  const answers: Answer[] = [];
  const work = firsts.toReversed().map((message) => [message]);
  for (let run = work.pop(); run !== undefined; run = work.pop()) {
    const last = run.at(-1) as TreeMessage;
    const below = childrenOf(last.id);
    const more = below.filter(({ by }) => by === 'assistant');
    const next = below.filter(({ by }) => by === 'user');
    if (more.length === 0 || next.length > 0) answers.push({ messages: run, next });
    for (const message of more.toReversed()) work.push([...run, message]);
  }
  return answers;
};

interface Group {
  readonly answers: readonly Answer[];
  readonly shown: Answer | null;
  readonly next: readonly TreeMessage[];
}

/**
 * One turn for every answer that was continued, and one without answers for what was said past any answer; the other answers
 * go with the one that is shown.
 */
const groupsOf = (
  answers: readonly Answer[],
  besides: readonly TreeMessage[],
  current: ReadonlySet<string>,
): Group[] => {
  const isCurrent = ({ messages }: Answer): boolean => messages.every(({ id }) => current.has(id));
  const isShown = ({ messages }: Answer): boolean => messages.at(-1)?.shown === true;
  const goneOn = answers.filter(({ next }) => next.length > 0);
  const main =
    goneOn.find(isCurrent) ??
    answers.find(isCurrent) ??
    goneOn.at(0) ??
    answers.find(isShown) ??
    answers.at(-1) ??
    null;
  // The shown answer may have no continuation: continued answers then get their own turns.
  const others = goneOn.filter((answer) => answer !== main);
  const first: Group = {
    answers: answers.filter((answer) => !others.includes(answer)),
    shown: main,
    next: main === null ? besides : main.next,
  };
  const apart = others.map((answer): Group => ({ answers: [answer], shown: answer, next: answer.next }));
  const unanswered: Group[] =
    main === null || besides.length === 0 ? [] : [{ answers: [], shown: null, next: besides }];
  return [first, ...apart, ...unanswered];
};

const replyOf = ({ messages }: Answer): SourceReply => {
  const last = messages.at(-1) as TreeMessage;
  const thinking = messages.map((message) => message.thinking).filter((text) => text.trim() !== '');
  const text = messages
    .map(answered)
    .filter((said) => said.trim() !== '')
    .join('\n\n');
  return {
    id: last.id,
    text:
      thinking.length === 0
        ? text
        : `<think>\n${thinking.join('\n\n').replaceAll('</think>', '‹/think›')}\n</think>\n\n${text}`,
    model: last.model,
    at: last.at,
  };
};

/** The prefix of a message with a named speaker. */
const prefixOf = (speaker: string): string => `${speaker}: `;

/** A message with its speaker, if there are several. */
const spoken = ({ text, name }: TreeMessage): string => (name === null ? text : `${prefixOf(name)}${text}`);

/** The text of a turn's message, without its speaker. */
export const messageWithoutSpeaker = ({ message, speaker }: SourceTurn): string =>
  speaker === null ? message : message.slice(prefixOf(speaker).length);

/** The text of a user message; if it consists only of files, their names are used. */
const asked = (message: TreeMessage): Pick<SourceTurn, 'message' | 'speaker'> =>
  message.text.trim() === ''
    ? { message: message.attachments.map(({ name }) => name).join(', '), speaker: null }
    : { message: spoken(message), speaker: message.name };

/** The text of an assistant message, including the text of files that it wrote. */
const answered = (message: TreeMessage): string => {
  const files = message.attachments.flatMap(({ name, text }) => (text === null ? [] : [`[${name}]\n${text}`]));
  const words = [spoken(message), ...files].filter((part) => part.trim() !== '').join('\n\n');
  return words === '' ? message.attachments.map(({ name }) => `[${name}]`).join('\n\n') : words;
};
