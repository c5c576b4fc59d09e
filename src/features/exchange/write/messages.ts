import type { Attachment } from '../../../domain/attachment.ts';
import { byNumber, type Forest, type Node, type NodeId, RECALL, type Reply } from '../../../domain/forest.ts';
import { childrenOf, nodeOf, pathTo, replyOf, subtree, treesOf } from '../../../domain/queries.ts';
import { answerOf, spokenOf } from '../../../domain/reply.ts';
import { recordsOf } from '../../../domain/table.ts';
import { userAttachments } from '../../../engine/context/sent-message.ts';

/** A message as stored by other tools: a turn is one user message plus one for each of its replies. */
export interface Message {
  readonly id: string;
  /** null: it opens a topic. */
  readonly parentId: string | null;
  /** The shown child is last, which is where other tools open a conversation. */
  readonly childIds: readonly string[];
  readonly by: 'user' | 'assistant';
  readonly text: string;
  /** The model's reasoning before it answered; null if there is none. */
  readonly reasoning: string | null;
  readonly model: string | null;
  /** Its attachments: for a reply, the files that the assistant made. */
  readonly attachments: readonly Attachment[];
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Whether it contains an answer: a reply that failed, or stopped while thinking, has none. */
export const hasReplyText = ({ text }: Reply): boolean => answerOf(text).trim() !== '';

/** The reply that the conversation continues from, if any has content. */
export const shownReply = (node: Node): Reply | null => {
  const shown = replyOf(node);
  return shown !== null && hasReplyText(shown) ? shown : (node.replies.findLast(hasReplyText) ?? null);
};

/** The shown reply of a turn, and the others with content. */
export const repliesOf = (node: Node): { readonly shown: Reply | null; readonly others: readonly Reply[] } => {
  const shown = shownReply(node);
  return { shown, others: node.replies.filter((reply) => reply !== shown && hasReplyText(reply)) };
};

/** The files of a turn: those sent with its message, and those made with the reply that is shown; without one, all count as sent. */
export const turnFiles = (
  node: Node,
): { readonly sent: readonly Attachment[]; readonly made: readonly Attachment[] } => {
  const { attachments = [] } = node;
  if (shownReply(node) === null) return { sent: attachments, made: [] };
  return {
    sent: userAttachments(node),
    made: attachments.filter(({ made }) => made === true),
  };
};

/** The message that is the parent of what follows a turn. */
export const lastMessageId = (node: Node): string => shownReply(node)?.id ?? node.id;

/** Topic roots in order of creation. */
const rootsOf = (forest: Forest): NodeId[] =>
  treesOf(forest)
    .map(({ rootId }) => nodeOf(forest, rootId))
    .sort(byNumber)
    .map(({ id }) => id);

/** All messages of a forest, topic by topic, parents before their children. */
export const messagesByTopic = (forest: Forest): readonly (readonly Message[])[] =>
  rootsOf(forest).map((root) => subtree(forest, root).flatMap((node) => messagesOf(forest, node)));

const messagesOf = (forest: Forest, node: Node): Message[] => {
  const { id, parentId, message: text, at } = node;
  const { shown, others } = repliesOf(node);
  const files = turnFiles(node);
  const following = childrenOf(forest, id);
  const replies = shown === null ? others : [...others, shown];
  const said: Message = {
    id,
    parentId: parentId === null ? null : lastMessageId(nodeOf(forest, parentId)),
    childIds: shown === null ? following : replies.map((reply) => reply.id),
    by: 'user',
    text,
    reasoning: null,
    model: null,
    attachments: files.sent,
    at,
  };
  const answered = replies.map((reply): Message => {
    const { reasoning, answer } = spokenOf(reply.text);
    return {
      id: reply.id,
      parentId: id,
      childIds: reply === shown ? following : [],
      by: 'assistant',
      text: answer,
      reasoning,
      model: reply.model,
      attachments: reply === shown ? files.made : [],
      at: reply.at,
    };
  });
  return [said, ...answered];
};

/** The last displayed message; null in an empty forest. */
export const currentOf = ({ active, nodes }: Forest): string | null => {
  const node = active === null ? undefined : nodes[active.nodeId];
  return node === undefined ? null : lastMessageId(node);
};

/** A turn as training data for a model. */
export interface Exchange {
  readonly node: Node;
  readonly message: string;
  /** null if nobody replied, or if only earlier turns were quoted. */
  readonly reply: string | null;
}

/** The exchanges along a path, without hidden turns, which are never sent to a model. */
export const exchangesTo = (forest: Forest, nodeId: NodeId): Exchange[] =>
  pathTo(forest, nodeId)
    .filter(({ hidden }) => !hidden)
    .map((node) => {
      const reply = shownReply(node);
      return {
        node,
        message: node.message,
        reply: reply === null || reply.model === RECALL ? null : answerOf(reply.text),
      };
    });

/** The turns without children, in chronological order. */
export const leavesOf = (forest: Forest): Node[] =>
  recordsOf(forest.nodes)
    .filter(({ id }) => childrenOf(forest, id).length === 0)
    .sort(byNumber);
