import { type Attachment, isPicture } from '../../../domain/attachment.ts';
import { type Forest, type Node, RECALL, type Reply } from '../../../domain/forest.ts';
import { activePath, childrenOf, treesOf } from '../../../domain/queries.ts';
import { defaultReplySettings, spokenOf } from '../../../domain/reply.ts';
import { isSummarised } from '../../../domain/stored-forest.ts';
import { recordsOf, sizeOf } from '../../../domain/table.ts';
import { counted } from '../../../ui/parts/format.ts';
import { hasReplyText } from './messages.ts';
import { ALL_PARTS, type ConversationPart, type Scope, type Writer, type WrittenConversation } from './writer.ts';

export const PDF = 'application/pdf';

export const isSound = ({ mediaType }: Attachment): boolean => mediaType.startsWith('audio/');

type CountInTurn = (node: Node, forest: Forest) => number;

/** Something that a conversation may contain but a format may not support. */
interface PartKind {
  /** How many of them a turn contains; or else, how many there are in all. */
  readonly inTurn?: CountInTurn;
  readonly inAll?: (conversation: WrittenConversation) => number;
  /** Describes this many of them, after "Not in this format:". */
  words(count: number): string;
  /** Describes any number of them. */
  readonly any: string;
}

const counting =
  (has: (node: Node, forest: Forest) => boolean): CountInTurn =>
  (node, forest) =>
    Number(has(node, forest));
const repliesThat =
  (are: (reply: Reply) => boolean): CountInTurn =>
  ({ replies }) =>
    replies.filter(are).length;

/** A file that chat tools do not keep in full, and that is more than plain text. */
const isMoreThanWords = (attachment: Attachment): boolean => {
  const { id, mediaType, text } = attachment;
  if (id === null || isPicture(attachment) || isSound(attachment) || mediaType === PDF) return false;
  return text === undefined || mediaType.startsWith('application/vnd.');
};

const PARTS: Readonly<Record<ConversationPart, PartKind>> = {
  texts: {
    inTurn: () => 1,
    words: (n) => `more than the first words of ${counted(n, 'message')}, and their replies`,
    any: 'more than the first words of messages, and replies',
  },
  single: {
    inTurn: counting(({ replies: all }) => all.filter(hasReplyText).length < 2),
    words: (n) => `${counted(n, 'turn')} without a second reply`,
    any: 'turns without a second reply',
  },
  replies: {
    inTurn: ({ replies }) => Math.max(0, replies.filter(hasReplyText).length - 1),
    words: (n) => `${counted(n, 'reply', 'replies')} beside the shown ones`,
    any: 'replies beside the shown ones',
  },
  choices: {
    inTurn: counting(({ replies: all }) => all.filter(hasReplyText).length > 1),
    words: (n) => `which reply you chose in ${counted(n, 'turn')}`,
    any: 'which reply you chose',
  },
  unanswered: {
    inTurn: counting(({ id, replies: all }, forest) => childrenOf(forest, id).length === 0 && !all.some(hasReplyText)),
    words: (n) => `${counted(n, 'unanswered message')} at the end of a path`,
    any: 'unanswered messages at the end of a path',
  },
  quotes: {
    inTurn: repliesThat(({ model }) => model === RECALL),
    words: (n) => `${counted(n, 'reply', 'replies')} not from a language model`,
    any: 'replies not from a language model',
  },
  wordless: {
    inTurn: repliesThat((reply) => !hasReplyText(reply)),
    words: (n) => `${counted(n, 'reply', 'replies')} that stopped before any text`,
    any: 'replies that stopped before any text',
  },
  files: {
    inTurn: ({ attachments = [] }) => attachments.length,
    words: (n) => `the content of ${counted(n, 'attached file')}`,
    any: 'the content of attached files',
  },
  // For formats that keep files, but only the text of documents like these.
  documents: {
    inTurn: ({ attachments = [] }) => attachments.filter(isMoreThanWords).length,
    words: (n) => `all but the words of ${counted(n, 'document')}`,
    any: 'all but the words of documents',
  },
  hiddenTurns: {
    inTurn: counting(({ hidden }) => hidden),
    words: (n) => counted(n, 'hidden turn'),
    any: 'hidden turns',
  },
  pending: {
    inAll: ({ forest }) => sizeOf(forest.pending),
    words: () => 'the message waiting to be placed',
    any: 'a message waiting to be placed',
  },
  reasoning: {
    inTurn: repliesThat(({ text }) => spokenOf(text).reasoning !== null),
    words: (n) => `the reasoning before ${counted(n, 'answer')}`,
    any: 'reasoning',
  },
  topics: {
    inAll: ({ forest }) => (treesOf(forest).length > 1 ? treesOf(forest).length : 0),
    words: (n) => `that its ${n} topics are one conversation`,
    any: 'that topics are one conversation',
  },
  titles: {
    inAll: ({ forest }) => (treesOf(forest).length > 1 ? treesOf(forest).length : 0),
    words: (n) => `the titles of ${n} topics`,
    any: 'titles of topics',
  },
  branchTitles: {
    inAll: ({ forest }) => recordsOf(forest.branches).filter(({ title }) => title !== null).length,
    words: (n) => counted(n, 'branch title'),
    any: 'branch titles',
  },
  active: {
    inAll: ({ forest }) => (forest.active === null ? 0 : 1),
    words: () => 'which turn is active',
    any: 'which turn is active',
  },
  models: {
    inTurn: ({ replies }) => replies.length,
    words: () => 'which model replied',
    any: 'which model replied',
  },
  times: {
    inTurn: () => 1,
    words: () => 'times',
    any: 'times',
  },
  instructions: {
    inAll: ({ forest }) => (forest.replySettings.systemPrompt === null ? 0 : 1),
    words: () => 'your instructions to the model',
    any: 'your instructions to the model',
  },
  sampling: {
    inAll: ({ forest: { replySettings } }) =>
      (['temperature', 'topP', 'maxTokens'] as const).some((name) => replySettings[name] !== defaultReplySettings[name])
        ? 1
        : 0,
    words: () => 'the reply settings',
    any: 'reply settings',
  },
  notes: {
    inTurn: counting(({ note }) => note !== null),
    words: (n) => counted(n, 'note'),
    any: 'notes',
  },
  hidden: {
    inTurn: counting(({ hidden }) => hidden),
    words: (n) => `that ${counted(n, 'turn is', 'turns are')} hidden`,
    any: 'that turns are hidden',
  },
  pins: {
    inTurn: counting(({ pinned }) => pinned),
    words: (n) => `that ${counted(n, 'turn is', 'turns are')} pinned`,
    any: 'that turns are pinned',
  },
  references: {
    inTurn: ({ references }) => references.length,
    words: (n) => `${counted(n, 'reference')} between turns`,
    any: 'references between turns',
  },
  story: {
    inAll: ({ forest }) => forest.story.length,
    words: (n) => `the story of ${counted(n, 'scene')}`,
    any: 'stories used to present it',
  },
  summaries: {
    inTurn: counting(isSummarised),
    words: (n) => counted(n, 'summary', 'summaries'),
    any: 'summaries',
  },
  decisions: {
    inTurn: counting(({ decision }) => decision.trace !== null),
    words: (n) => counted(n, 'decision'),
    any: 'decisions',
  },
  labels: {
    inTurn: counting(({ label }) => label !== null),
    words: (n) => `what you said about ${counted(n, 'decision')}`,
    any: 'your corrections and confirmations',
  },
  contexts: {
    inTurn: repliesThat(({ context }) => context !== null),
    words: (n) => `what was sent for ${counted(n, 'reply', 'replies')}`,
    any: 'what was sent for replies',
  },
  history: {
    inAll: ({ forest: { history } }) => history.past.length,
    words: () => 'the history used by undo and the timeline',
    any: 'the history used by undo and the timeline',
  },
};

/** Turns read in a step: as many as take a few milliseconds. */
const PART = 64;

/**
 * What a format cannot hold of a conversation, each as a few words that continue "Not in this format:". Counted in steps:
 * of a long conversation, each turn may have to be read for it, though only once.
 */
export function* lostParts(
  writer: Pick<Writer, 'holds'>,
  conversation: WrittenConversation,
  scope: Scope,
): Generator<undefined, readonly string[]> {
  const { forest } = conversation;
  const off = scope === 'path' ? sizeOf(forest.nodes) - activePath(forest).length : 0;
  const parts = left(writer).map((part) => ({ ...PARTS[part], count: PARTS[part].inAll?.(conversation) ?? 0 }));
  for (const [at, node] of recordsOf(forest.nodes).entries()) {
    if (at > 0 && at % PART === 0) yield;
    for (const part of parts) part.count += part.inTurn?.(node, forest) ?? 0;
  }
  return [
    ...(off === 0 ? [] : [`${counted(off, 'turn')} off the path`]),
    ...parts.flatMap(({ count, words }) => (count === 0 ? [] : [words(count)])),
  ];
}

/** The same for conversations that have not been read. */
export const unsupportedParts = (writer: Pick<Writer, 'holds'>): string[] =>
  left(writer).map((part) => PARTS[part].any);

/** If files are left out, that includes documents. */
const left = ({ holds }: Pick<Writer, 'holds'>): ConversationPart[] =>
  ALL_PARTS.filter((part) => !holds.includes(part) && (part !== 'documents' || holds.includes('files')));
