import type { ChatMessage, Context, Overview, Segment } from '../domain/context.ts';
import { type Forest, type Node, RECALL } from '../domain/forest.ts';
import { nodeOf, replyOf } from '../domain/queries.ts';
import { answerOf } from '../domain/reasoning.ts';
import { INSTRUCTIONS, OVERVIEW_INSTRUCTIONS } from './parameters.ts';

/** What opens every context: the person's system prompt for the conversation, or the app's own, and how to read the overview. */
export const instructionsOf = ({ replySettings: { systemPrompt } }: Forest): string =>
  systemPrompt === null ? `${INSTRUCTIONS} ${OVERVIEW_INSTRUCTIONS}` : `${systemPrompt}\n\n${OVERVIEW_INSTRUCTIONS}`;

/**
 * Sent in place of a reply that only quoted earlier turns: a language model would take the quotes for an answer, and go
 * on quoting. It stands as a reply, for many templates take no two messages of the user in a row.
 */
export const NO_ANSWER = '(No answer: no language model was chosen.)';

/** Whether a turn was replied to by quotes alone, and so not answered. */
export const isUnanswered = (node: Node): boolean => replyOf(node)?.model === RECALL;

export const OVERVIEW_HEAD = 'Elsewhere in this conversation:';

/** The overview as it is sent: one line a branch or topic, in order of time. */
const overviewText = (overview: Overview): string =>
  [OVERVIEW_HEAD, ...overview.lines.map((line) => line.text)].join('\n');

/** What a turn is sent as: its reply only as far as it had come then, and without a thinking model's reasoning. */
export const turnMessages = (forest: Forest, segment: Segment & { kind: 'turn' }): ChatMessage[] => {
  const { message, replies } = nodeOf(forest, segment.nodeId);
  const text = replies.find(({ id }) => id === segment.replyId)?.text.slice(0, segment.replyLength);
  const reply = segment.unanswered === true ? NO_ANSWER : answerOf(text ?? '');
  const said: ChatMessage[] = [{ role: 'user', content: message }];
  return reply === '' ? said : [...said, { role: 'assistant', content: reply }];
};

/** A segment's text as it stands in what is sent; of a turn, the message and the reply. */
export const segmentText = (forest: Forest, segment: Segment): string => {
  switch (segment.kind) {
    case 'instructions':
    case 'turn-summary':
    case 'reference-summary':
    case 'path-left-out':
    case 'history-left-out':
    case 'memory':
      return segment.text;
    case 'overview': {
      const overview = forest.overviews[segment.overviewId];
      return overview === undefined ? '' : overviewText(overview);
    }
    case 'turn':
      return turnMessages(forest, segment)
        .map(({ content }) => content)
        .join('\n\n');
    case 'message':
      return nodeOf(forest, segment.nodeId).message;
  }
};

/**
 * The messages that a context is sent as, byte for byte: one system message (instructions, overview,
 * summaries of the path's oldest turns, what was left out), the turns in full, the message. What stays the same from
 * turn to turn comes first, so that a chat model can reuse its cache.
 */
export const contextMessages = (forest: Forest, context: Context): ChatMessage[] => {
  const system: string[] = [];
  const rest: ChatMessage[] = [];
  for (const segment of context.segments) {
    if (segment.kind === 'turn') rest.push(...turnMessages(forest, segment));
    else if (segment.kind === 'message') rest.push({ role: 'user', content: segmentText(forest, segment) });
    else system.push(segmentText(forest, segment));
  }
  return [{ role: 'system', content: system.join('\n\n') }, ...rest];
};

/**
 * What a turn's chosen reply says, without a thinking model's reasoning; empty where it only quotes earlier turns, for
 * that was said elsewhere and answers nothing.
 */
export const replyText = (node: Node): string => (isUnanswered(node) ? '' : answerOf(replyOf(node)?.text ?? ''));

/** What stands for a turn's reply where the turn is sent in full. */
export const sentReply = (node: Node): string => (isUnanswered(node) ? NO_ANSWER : replyText(node));
