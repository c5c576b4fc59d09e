import type { ChatMessage, Context, Overview, Segment } from '../domain/context.ts';
import type { Forest, Node } from '../domain/forest.ts';
import { nodeOf, replyOf } from '../domain/queries.ts';
import { answerOf } from '../domain/reasoning.ts';
import { INSTRUCTIONS } from './parameters.ts';

/** What opens every context: the person's system prompt for the conversation, or the app's own. */
export const instructionsOf = ({ replySettings }: Forest): string => replySettings.systemPrompt ?? INSTRUCTIONS;

export const OVERVIEW_HEAD = 'Elsewhere in this conversation:';

/** The overview as it is sent: one line a branch or topic, in order of time. */
const overviewText = (overview: Overview): string =>
  [OVERVIEW_HEAD, ...overview.lines.map((line) => line.text)].join('\n');

/** What a turn is sent as: its reply only as far as it had come then, and without a thinking model's reasoning. */
export const turnMessages = (forest: Forest, segment: Segment & { kind: 'turn' }): ChatMessage[] => {
  const { message, replies } = nodeOf(forest, segment.nodeId);
  const reply = answerOf(replies.find(({ id }) => id === segment.replyId)?.text.slice(0, segment.replyLength) ?? '');
  const said: ChatMessage[] = [{ role: 'user', content: message }];
  return reply === '' ? said : [...said, { role: 'assistant', content: reply }];
};

/** A segment's text as it stands in what is sent; of a turn, the message and the reply. */
const segmentText = (forest: Forest, segment: Segment): string => {
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

/** What a turn's chosen reply says, without a thinking model's reasoning. */
export const replyText = (node: Node): string => answerOf(replyOf(node)?.text ?? '');
