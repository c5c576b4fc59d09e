import { type Attachment, isPicture } from '../../../domain/attachment.ts';
import { type Forest, type Node, RECALL, type Reply } from '../../../domain/forest.ts';
import { activePath, childrenOf, treesOf } from '../../../domain/queries.ts';
import { defaultReplySettings, spokenOf } from '../../../domain/reply.ts';
import { recordsOf, sizeOf } from '../../../domain/table.ts';
import { counted } from '../../../ui/parts/format.ts';
import { hasReplyText } from './messages.ts';
import { ALL_PARTS, type ConversationPart, type Scope, type Writer, type WrittenConversation } from './writer.ts';

export const PDF = 'application/pdf';

export const isSound = ({ mediaType }: Attachment): boolean => mediaType.startsWith('audio/');

/** Something that a conversation may contain but a format may not support. */
interface PartKind {
  /** How many of them the conversation contains. */
  count(conversation: WrittenConversation): number;
  /** Describes this many of them, after "Not in this format:". */
  words(count: number): string;
  /** Describes any number of them. */
  readonly any: string;
}

const nodes = ({ forest }: WrittenConversation): readonly Node[] => recordsOf(forest.nodes);
const replies = (conversation: WrittenConversation): Reply[] => nodes(conversation).flatMap((node) => node.replies);
const counting =
  (has: (node: Node, forest: Forest) => boolean): PartKind['count'] =>
  (conversation) =>
    nodes(conversation).filter((node) => has(node, conversation.forest)).length;

/** A file that chat tools do not keep in full, and that is more than plain text. */
const isMoreThanWords = (attachment: Attachment): boolean => {
  const { id, mediaType, text } = attachment;
  if (id === null || isPicture(attachment) || isSound(attachment) || mediaType === PDF) return false;
  return text === undefined || mediaType.startsWith('application/vnd.');
};

const PARTS: Readonly<Record<ConversationPart, PartKind>> = {
  texts: {
    count: (conversation) => nodes(conversation).length,
    words: (n) => `more than the first words of ${counted(n, 'message')}, and their replies`,
    any: 'more than the first words of messages, and replies',
  },
  single: {
    count: counting(({ replies: all }) => all.filter(hasReplyText).length < 2),
    words: (n) => `${counted(n, 'turn')} without a second reply`,
    any: 'turns without a second reply',
  },
  replies: {
    count: (conversation) => {
      const spoken = nodes(conversation).map(({ replies: all }) => all.filter(hasReplyText).length);
      return spoken.reduce((sum, count) => sum + Math.max(0, count - 1), 0);
    },
    words: (n) => `${counted(n, 'reply', 'replies')} beside the shown ones`,
    any: 'replies beside the shown ones',
  },
  choices: {
    count: counting(({ replies: all }) => all.filter(hasReplyText).length > 1),
    words: (n) => `which reply you chose in ${counted(n, 'turn')}`,
    any: 'which reply you chose',
  },
  unanswered: {
    count: counting(({ id, replies: all }, forest) => childrenOf(forest, id).length === 0 && !all.some(hasReplyText)),
    words: (n) => `${counted(n, 'unanswered message')} at the end of a path`,
    any: 'unanswered messages at the end of a path',
  },
  quotes: {
    count: (conversation) => replies(conversation).filter(({ model }) => model === RECALL).length,
    words: (n) => `${counted(n, 'reply', 'replies')} not from a language model`,
    any: 'replies not from a language model',
  },
  wordless: {
    count: (conversation) => replies(conversation).filter((reply) => !hasReplyText(reply)).length,
    words: (n) => `${counted(n, 'reply', 'replies')} that stopped before any text`,
    any: 'replies that stopped before any text',
  },
  files: {
    count: (conversation) => nodes(conversation).reduce((sum, { attachments = [] }) => sum + attachments.length, 0),
    words: (n) => `the content of ${counted(n, 'attached file')}`,
    any: 'the content of attached files',
  },
  // For formats that keep files, but only the text of documents like these.
  documents: {
    count: (conversation) =>
      nodes(conversation).reduce((sum, { attachments = [] }) => sum + attachments.filter(isMoreThanWords).length, 0),
    words: (n) => `all but the words of ${counted(n, 'document')}`,
    any: 'all but the words of documents',
  },
  hiddenTurns: {
    count: counting(({ hidden }) => hidden),
    words: (n) => counted(n, 'hidden turn'),
    any: 'hidden turns',
  },
  pending: {
    count: ({ forest }) => sizeOf(forest.pending),
    words: () => 'the message waiting to be placed',
    any: 'a message waiting to be placed',
  },
  reasoning: {
    count: (conversation) => replies(conversation).filter(({ text }) => spokenOf(text).reasoning !== null).length,
    words: (n) => `the reasoning before ${counted(n, 'answer')}`,
    any: 'reasoning',
  },
  topics: {
    count: ({ forest }) => (treesOf(forest).length > 1 ? treesOf(forest).length : 0),
    words: (n) => `that its ${n} topics are one conversation`,
    any: 'that topics are one conversation',
  },
  titles: {
    count: ({ forest }) => (treesOf(forest).length > 1 ? treesOf(forest).length : 0),
    words: (n) => `the titles of ${n} topics`,
    any: 'titles of topics',
  },
  branchTitles: {
    count: ({ forest }) => recordsOf(forest.branches).filter(({ title }) => title !== null).length,
    words: (n) => counted(n, 'branch title'),
    any: 'branch titles',
  },
  active: {
    count: ({ forest }) => (forest.active === null ? 0 : 1),
    words: () => 'which turn is active',
    any: 'which turn is active',
  },
  models: {
    count: (conversation) => replies(conversation).length,
    words: () => 'which model replied',
    any: 'which model replied',
  },
  times: {
    count: (conversation) => nodes(conversation).length,
    words: () => 'times',
    any: 'times',
  },
  instructions: {
    count: ({ forest }) => (forest.replySettings.systemPrompt === null ? 0 : 1),
    words: () => 'your instructions to the model',
    any: 'your instructions to the model',
  },
  sampling: {
    count: ({ forest: { replySettings } }) =>
      (['temperature', 'topP', 'maxTokens'] as const).some((name) => replySettings[name] !== defaultReplySettings[name])
        ? 1
        : 0,
    words: () => 'the reply settings',
    any: 'reply settings',
  },
  notes: {
    count: counting(({ note }) => note !== null),
    words: (n) => counted(n, 'note'),
    any: 'notes',
  },
  hidden: {
    count: counting(({ hidden }) => hidden),
    words: (n) => `that ${counted(n, 'turn is', 'turns are')} hidden`,
    any: 'that turns are hidden',
  },
  pins: {
    count: counting(({ pinned }) => pinned),
    words: (n) => `that ${counted(n, 'turn is', 'turns are')} pinned`,
    any: 'that turns are pinned',
  },
  references: {
    count: (conversation) => nodes(conversation).reduce((sum, { references }) => sum + references.length, 0),
    words: (n) => `${counted(n, 'reference')} between turns`,
    any: 'references between turns',
  },
  story: {
    count: ({ forest }) => forest.story.length,
    words: (n) => `the story of ${counted(n, 'scene')}`,
    any: 'stories used to present it',
  },
  summaries: {
    count: counting(({ summary }) => summary !== null),
    words: (n) => counted(n, 'summary', 'summaries'),
    any: 'summaries',
  },
  decisions: {
    count: counting(({ decision }) => decision.trace !== null),
    words: (n) => counted(n, 'decision'),
    any: 'decisions',
  },
  labels: {
    count: counting(({ label }) => label !== null),
    words: (n) => `what you said about ${counted(n, 'decision')}`,
    any: 'your corrections and confirmations',
  },
  contexts: {
    count: (conversation) => replies(conversation).filter(({ context }) => context !== null).length,
    words: (n) => `what was sent for ${counted(n, 'reply', 'replies')}`,
    any: 'what was sent for replies',
  },
  history: {
    count: ({ forest: { history } }) => history.past.length,
    words: () => 'the history used by undo and the timeline',
    any: 'the history used by undo and the timeline',
  },
};

/** What a format cannot hold of a conversation, each as a few words that continue "Not in this format:". */
export const lostParts = (writer: Pick<Writer, 'holds'>, conversation: WrittenConversation, scope: Scope): string[] => {
  const off = scope === 'path' ? sizeOf(conversation.forest.nodes) - activePath(conversation.forest).length : 0;
  return [
    ...(off === 0 ? [] : [`${counted(off, 'turn')} off the path`]),
    ...left(writer).flatMap((part) => {
      const count = PARTS[part].count(conversation);
      return count === 0 ? [] : [PARTS[part].words(count)];
    }),
  ];
};

/** The same for conversations that have not been read. */
export const unsupportedParts = (writer: Pick<Writer, 'holds'>): string[] =>
  left(writer).map((part) => PARTS[part].any);

/** If files are left out, that includes documents. */
const left = ({ holds }: Pick<Writer, 'holds'>): ConversationPart[] =>
  ALL_PARTS.filter((part) => !holds.includes(part) && (part !== 'documents' || holds.includes('files')));
