import type { MessageTree, TreeMessage } from './mend-tree.ts';
import type { Attachment } from './source.ts';

/** A turn as a file has it: a message with its replies, of which one is shown. */
export interface SourceTurn {
  /** The message's id; with `~2` and so on where the message stands several times. */
  readonly id: string;
  /** null: it opens a topic. */
  readonly parentId: string | null;
  readonly message: string;
  /** Whose name stands before the message, where there are several people; null where there is one. */
  readonly speaker: string | null;
  /** What came with the message, and what its replies came with. */
  readonly attachments: readonly (Attachment & { readonly made: boolean })[];
  readonly at: number;
  readonly replies: readonly SourceReply[];
  /** Of `replies`; null where there are none. */
  readonly shownReplyId: string | null;
  /** Turns off its path that it goes on from, too. */
  readonly references: readonly string[];
  /** Of a message that opens a topic: the one before it that it says anew in other words; null where it says something else. */
  readonly editOf: string | null;
}

export interface SourceReply {
  /** Of the last message that it is made of. */
  readonly id: string;
  readonly text: string;
  readonly model: string | null;
  readonly at: number;
}

export interface TurnForest {
  /** In order of time, parents first. */
  readonly turns: readonly SourceTurn[];
  /** null where there are no turns. */
  readonly currentId: string | null;
  /** What had to be done to cut it into turns. */
  readonly notes: readonly string[];
}

/** Stands where an assistant speaks before anybody has said anything. */
export const NO_MESSAGE = '(The assistant began.)';

/** One way in which a message was answered: messages of the assistant in a row. */
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
 * Cuts a tree of messages into turns. Answers that stand side by side are replies of one turn; where several of them were gone on
 * from, the message stands once for each, side by side, so that every path reads as it was. What an assistant says in a row is one reply.
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
    // People who speak twice in a row: the second message is a turn below the first.
    const besides = isOpening ? [] : childrenOf(message.id).filter(({ by }) => by === 'user');
    const groups = groupsOf(answers, besides, current);
    doubled += groups.length - 1;
    for (const [at, group] of groups.entries()) {
      const id = at === 0 ? message.id : `${message.id}~${at + 1}`;
      // Where a tool shows one of several replies last, it was not the last to be given.
      const replies = group.answers.toSorted(byTimeSaid).map(replyOf);
      for (const { messages: said } of group.answers) for (const { id: own } of said) turnOf.set(own, id);
      if (at === 0) turnOf.set(message.id, id);
      turns.push({
        id,
        parentId,
        ...(isOpening ? { message: NO_MESSAGE, speaker: null } : asked(message)),
        attachments: [
          ...(isOpening ? [] : message.attachments.map((one) => ({ ...one, made: false }))),
          ...group.answers.flatMap(({ messages: said }) =>
            said.flatMap((one) => one.attachments.map((file) => ({ ...file, made: true }))),
          ),
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
    notes.push(
      `${doubled === 1 ? 'a message stands' : `${doubled} messages stand`} once more, as it was gone on from in more than one way`,
    );
  if (opened > 0) notes.push(`${opened === 1 ? 'a topic begins' : `${opened} topics begin`} with the assistant`);
  const inOrder = withEdits(timed.toSorted((a, b) => a.at - b.at));
  const edited = inOrder.filter(({ editOf }) => editOf !== null).length;
  if (edited > 0) {
    notes.push(
      `the first message was edited: it stands ${edited === 1 ? 'in a second topic' : `in ${edited} more topics`}, with a reference to the first`,
    );
  }
  return {
    turns: inOrder,
    currentId: currentId === null ? null : (turnOf.get(currentId) ?? null),
    notes,
  };
};

/** Share of their words from which two first messages are one that was edited. Chosen by hand. */
const ALIKE = 0.5;
/** In shorter ones, as in greetings, that says nothing. */
const WORDS = 4;

/**
 * Tools keep an edited first message beside the first. A topic has one root, so each opens a topic of its own, as an edited first
 * message does here; that it is an edit is known by its words, for topics that really are others look the same in a file.
 */
const withEdits = (turns: readonly SourceTurn[]): readonly SourceTurn[] => {
  // Where several people speak, what is alike was said twice.
  if (turns.some(({ speaker }) => speaker !== null)) return turns;
  const openings: { readonly id: string; readonly words: ReadonlySet<string> }[] = [];
  return turns.map((turn) => {
    if (turn.parentId !== null || turn.message === NO_MESSAGE) return turn;
    const words = new Set(turn.message.toLowerCase().match(/[\p{L}\p{N}]+/gu));
    const original = openings.find((one) => shareOf(one.words, words) >= ALIKE);
    if (original === undefined) openings.push({ id: turn.id, words });
    return { ...turn, editOf: original?.id ?? null };
  });
};

const shareOf = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  const both = [...a].filter((word) => b.has(word)).length;
  return Math.min(a.size, b.size) < WORDS ? 0 : both / (a.size + b.size - both);
};

const byTimeSaid = (a: Answer, b: Answer): number =>
  (a.messages.at(-1)?.saidAt ?? 0) - (b.messages.at(-1)?.saidAt ?? 0) || 0;

/** Every run of the assistant's messages that ends, or that somebody went on from. */
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

/** One turn for every answer that was gone on from, and one without for what was said past any answer; the others stand beside the one that is shown. */
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
  // The shown answer may be one that nobody went on from: those that were then stand by themselves.
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

/** What stands before the words of a message. */
const prefixOf = (speaker: string): string => `${speaker}: `;

/** A message with its speaker, where there are several. */
const spoken = ({ text, name }: TreeMessage): string => (name === null ? text : `${prefixOf(name)}${text}`);

/** The words of a turn's message, without its speaker. */
export const wordsOf = ({ message, speaker }: SourceTurn): string =>
  speaker === null ? message : message.slice(prefixOf(speaker).length);

/** The same of a person; what is nothing but files goes by their names. */
const asked = (message: TreeMessage): Pick<SourceTurn, 'message' | 'speaker'> =>
  message.text.trim() === ''
    ? { message: message.attachments.map(({ name }) => name).join(', '), speaker: null }
    : { message: spoken(message), speaker: message.name };

/** The same of an assistant, with the text of what it wrote into files. */
const answered = (message: TreeMessage): string => {
  const files = message.attachments.flatMap(({ name, text }) => (text === null ? [] : [`[${name}]\n${text}`]));
  const words = [spoken(message), ...files].filter((part) => part.trim() !== '').join('\n\n');
  return words === '' ? message.attachments.map(({ name }) => `[${name}]`).join('\n\n') : words;
};
