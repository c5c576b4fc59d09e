import type { Attachment } from '../../../domain/attachment.ts';
import { type Forest, type Node, type NodeId, RECALL, type Reply } from '../../../domain/forest.ts';
import { childrenOf, nodeOf, pathTo, replyOf, subtree, treesOf } from '../../../domain/queries.ts';
import { answerOf, spokenOf } from '../../../domain/reply.ts';
import { recordsOf } from '../../../domain/table.ts';

/** A message as other tools keep it: a turn is one by the person and one for each of its replies. */
export interface Message {
  readonly id: string;
  /** null: it opens a topic. */
  readonly parentId: string | null;
  /** The one that is shown stands last, where other tools open a conversation. */
  readonly childIds: readonly string[];
  readonly by: 'user' | 'assistant';
  readonly text: string;
  /** What a model thought before it answered; null where it did not. */
  readonly reasoning: string | null;
  readonly model: string | null;
  /** Files that came with it: with a reply, those that the assistant made. */
  readonly attachments: readonly Attachment[];
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Whether there is an answer in it: a reply that failed, or broke off while it was thinking, has none. */
export const saysSomething = ({ text }: Reply): boolean => answerOf(text).trim() !== '';

/** The reply that the conversation goes on from, if any says something. */
export const shownReply = (node: Node): Reply | null => {
  const shown = replyOf(node);
  return shown !== null && saysSomething(shown) ? shown : (node.replies.findLast(saysSomething) ?? null);
};

/** Of a turn, the reply that is shown and the others that say something. */
export const repliesOf = (node: Node): { readonly shown: Reply | null; readonly others: readonly Reply[] } => {
  const shown = shownReply(node);
  return { shown, others: node.replies.filter((reply) => reply !== shown && saysSomething(reply)) };
};

/** The message that what follows a turn hangs from. */
export const tipOf = (node: Node): string => shownReply(node)?.id ?? node.id;

/** Topics in the order in which they were opened. */
const rootsOf = (forest: Forest): NodeId[] =>
  treesOf(forest)
    .map(({ rootId }) => nodeOf(forest, rootId))
    .sort((a, b) => a.number - b.number)
    .map(({ id }) => id);

/** All messages of a forest, a topic after the other, parents before their children. */
export const topicsOf = (forest: Forest): readonly (readonly Message[])[] =>
  rootsOf(forest).map((root) => subtree(forest, root).flatMap((node) => messagesOf(forest, node)));

const messagesOf = (forest: Forest, node: Node): Message[] => {
  const { id, parentId, message: text, attachments = [], at } = node;
  const { shown, others } = repliesOf(node);
  const following = childrenOf(forest, id);
  const replies = shown === null ? others : [...others, shown];
  const said: Message = {
    id,
    parentId: parentId === null ? null : tipOf(nodeOf(forest, parentId)),
    childIds: shown === null ? following : replies.map((reply) => reply.id),
    by: 'user',
    text,
    reasoning: null,
    model: null,
    attachments: shown === null ? attachments : attachments.filter(({ made }) => made !== true),
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
      attachments: reply === shown ? attachments.filter(({ made }) => made === true) : [],
      at: reply.at,
    };
  });
  return [said, ...answered];
};

/** The message that was shown last; null in an empty forest. */
export const currentOf = ({ active, nodes }: Forest): string | null => {
  const node = active === null ? undefined : nodes[active.nodeId];
  return node === undefined ? null : tipOf(node);
};

/** A turn as a model learns from it. */
export interface Exchange {
  readonly node: Node;
  readonly message: string;
  /** null where nobody replied, or only earlier turns were quoted. */
  readonly reply: string | null;
}

/** What is said along a path, without the turns that are hidden: no model is ever sent those. */
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

/** The turns that nothing follows, in order of time. */
export const leavesOf = (forest: Forest): Node[] =>
  recordsOf(forest.nodes)
    .filter(({ id }) => childrenOf(forest, id).length === 0)
    .sort((a, b) => a.number - b.number);
