import { fold } from '../../domain/apply.ts';
import type { ChatMessage, Context, Overview, Segment } from '../../domain/context.ts';
import type { Entry } from '../../domain/entry.ts';
import type { Forest, Node } from '../../domain/forest.ts';
import { isUnanswered, nodeOf, replyText } from '../../domain/queries.ts';
import { answerOf } from '../../domain/reply.ts';
import { INSTRUCTIONS, OVERVIEW_INSTRUCTIONS } from '../parameters.ts';
import { type MessageWithAttachments, markShownPictures, picturesOf, sentMessage } from './sent-message.ts';

/** Opens every context: the user's system prompt for the conversation or the app's default, and how to read the overview. */
export const instructionsOf = ({ replySettings: { systemPrompt } }: Forest): string =>
  systemPrompt === null ? `${INSTRUCTIONS} ${OVERVIEW_INSTRUCTIONS}` : `${systemPrompt}\n\n${OVERVIEW_INSTRUCTIONS}`;

/**
 * Sent in place of a reply that only quoted earlier turns: a language model would take the quotes for an answer and
 * keep quoting. Sent as a reply because many chat templates reject two user messages in a row.
 */
export const NO_ANSWER = '(No answer: no language model was chosen.)';

export const OVERVIEW_HEAD = 'Elsewhere in this conversation:';

/** The overview as sent: one line per branch or topic, in chronological order. */
const overviewText = (overview: Overview): string =>
  [OVERVIEW_HEAD, ...overview.lines.map((line) => line.text)].join('\n');

/** The messages of a turn: its reply only as far as it had arrived then, without a thinking model's reasoning. */
export const turnMessages = (forest: Forest, segment: Segment & { kind: 'turn' }): ChatMessage[] =>
  exchange(
    sentMessage(nodeOf(forest, segment.nodeId)),
    segment.unanswered === true ? NO_ANSWER : replyThen(forest, segment),
  );

const exchange = (message: string, reply: string): ChatMessage[] => {
  const said: ChatMessage[] = [{ role: 'user', content: message }];
  return reply === '' ? said : [...said, { role: 'assistant', content: reply }];
};

/** A turn's reply as far as it had arrived when the segment was made. */
const replyThen = (forest: Forest, segment: PartialTurn | (Segment & { kind: 'turn' })): string => {
  const { replies } = nodeOf(forest, segment.nodeId);
  return answerOf(replies.find(({ id }) => id === segment.replyId)?.text.slice(0, segment.replyLength) ?? '');
};

type PartialTurn = Extract<Segment, { kind: 'shortened' | 'fetched' }>;

/** What is sent of a turn: its own words where the segment has null, nothing where it has no value. */
const sentOf = (forest: Forest, segment: PartialTurn): { readonly message: string; readonly reply: string } => ({
  message: segment.message === null ? sentMessage(nodeOf(forest, segment.nodeId)) : (segment.message ?? ''),
  reply: segment.reply === null ? replyThen(forest, segment) : (segment.reply ?? ''),
});

/** The messages of a turn on the path that is sent only in part. */
export const shortenedMessages = (forest: Forest, segment: Segment & { kind: 'shortened' }): ChatMessage[] => {
  const { message, reply } = sentOf(forest, segment);
  return exchange(message, reply);
};

/** The text of a fetched turn: where it comes from, then who said what. */
export const fetchedText = (forest: Forest, segment: Segment & { kind: 'fetched' }): string => {
  const { message, reply } = sentOf(forest, segment);
  const said = [message === '' ? [] : `User: ${message}`, reply === '' ? [] : `Assistant: ${reply}`].flat();
  return [`[${segment.head}]`, ...said].join('\n');
};

/** Text sent with the instructions, wherever its segment stands. */
const systemText = (forest: Forest, segment: Segment): string | null => {
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
    default:
      return null;
  }
};

/** Text sent in its own position, at the head of the next message: notes about turns, and fetched turns. */
const noteText = (forest: Forest, segment: Segment): string | null => {
  switch (segment.kind) {
    case 'turn-line':
    case 'turns-left-out':
    case 'elsewhere':
      return segment.text;
    case 'fetched':
      return fetchedText(forest, segment);
    default:
      return null;
  }
};

const saidIn = (forest: Forest, segment: Segment): ChatMessage[] => {
  if (segment.kind === 'turn') return turnMessages(forest, segment);
  if (segment.kind === 'shortened') return shortenedMessages(forest, segment);
  if (segment.kind === 'message') {
    return [{ role: 'user', content: segment.text ?? sentMessage(nodeOf(forest, segment.nodeId)) }];
  }
  return [];
};

/** The turn whose message a segment sends, or the message itself: its pictures can be sent along. */
export const picturedTurn = (forest: Forest, segment: Segment): MessageWithAttachments | null => {
  const sendsMessage =
    segment.kind === 'turn' ||
    segment.kind === 'message' ||
    ((segment.kind === 'shortened' || segment.kind === 'fetched') && segment.message !== undefined);
  return sendsMessage ? nodeOf(forest, segment.nodeId) : null;
};

/** Returns the messages of a segment with the pictures that the model is shown. `shown`: their ids. */
export const pictured = (
  messages: readonly ChatMessage[],
  forest: Forest,
  segment: Segment,
  shown: ReadonlySet<string>,
): ChatMessage[] => {
  const [first, ...others] = messages;
  const turn = shown.size === 0 ? null : picturedTurn(forest, segment);
  const pictures = turn === null ? [] : picturesOf(turn).filter(({ id }) => id !== null && shown.has(id));
  if (first === undefined || turn === null || pictures.length === 0) return [...messages];
  return [{ ...first, content: markShownPictures(first.content, turn, shown), pictures }, ...others];
};

const NOTHING_SHOWN: ReadonlySet<string> = new Set();

/** A segment's text as sent; for a turn, its message and reply. `shown`: ids of the pictures that the model sees. */
export const segmentText = (forest: Forest, segment: Segment, shown = NOTHING_SHOWN): string => {
  const under = systemText(forest, segment);
  if (under !== null) return under;
  const note = noteText(forest, segment);
  const said: ChatMessage[] = note === null ? saidIn(forest, segment) : [{ role: 'user', content: note }];
  return pictured(said, forest, segment, shown)
    .map(({ content }) => content)
    .join('\n\n');
};

/**
 * Returns the messages of a context exactly as sent: one system message (instructions and what goes with them), then
 * the turns in segment order, then the message. Notes about turns, fetched turns and messages that got no reply go at
 * the head of the message they precede, so that user and assistant alternate as strict chat templates require. What
 * stays the same between turns comes first so that a chat model can reuse its cache.
 */
export const contextMessages = (forest: Forest, context: Context): ChatMessage[] => {
  const system: string[] = [];
  const rest: ChatMessage[] = [];
  let notes: ChatMessage[] = [];
  const shown = new Set(context.pictures?.ids);
  for (const segment of context.segments) {
    const under = systemText(forest, segment);
    const note = noteText(forest, segment);
    if (under !== null) {
      if (under !== '') system.push(under);
    } else if (note !== null) {
      if (note !== '') notes.push(...pictured([{ role: 'user', content: note }], forest, segment, shown));
    } else {
      const [first, ...others] = pictured(saidIn(forest, segment), forest, segment, shown);
      if (first === undefined) continue;
      const unreplied = rest.at(-1)?.role === 'user' ? rest.splice(-1) : [];
      rest.push(joined([...unreplied, ...notes, first]), ...others);
      notes = [];
    }
  }
  return [{ role: 'system', content: system.join('\n\n') }, ...rest];
};

/** Merges messages and notes with the message they precede. */
const joined = (said: readonly ChatMessage[]): ChatMessage => {
  const pictures = said.flatMap((one) => one.pictures ?? []);
  const content = said.map((one) => one.content).join('\n\n');
  return { role: 'user', content, ...(pictures.length > 0 && { pictures }) };
};

/** What is sent as a turn's reply when the turn is sent in full. */
export const sentReply = (node: Node): string => (isUnanswered(node) ? NO_ANSWER : replyText(node));

/** `4–6, 9`: ascending numbers, with runs of three or more collapsed. */
export const ranges = (numbers: Iterable<number>): string => rangesOfRuns(runsOf(numbers));

/** A run of consecutive numbers: first and last. */
export type NumberSpan = readonly [first: number, last: number];

/** Groups ascending numbers into runs. */
export const runsOf = (numbers: Iterable<number>): [first: number, last: number][] => {
  const runs: [number, number][] = [];
  let run: [number, number] | null = null;
  for (const number of numbers) {
    if (run !== null && number === run[1] + 1) run[1] = number;
    else {
      run = [number, number];
      runs.push(run);
    }
  }
  return runs;
};

export const rangesOfRuns = (runs: readonly NumberSpan[]): string =>
  runs
    .map(([first, last]) =>
      first === last ? `${first}` : last === first + 1 ? `${first}, ${last}` : `${first}–${last}`,
    )
    .join(', ');

/** A context and the forest it refers to: `contextMessages` of the two gives exactly what is sent. */
export interface ShownContext {
  readonly context: Context;
  readonly forest: Forest;
}

/**
 * Returns what a reply was sent: its context, with the forest at the log position where the reply began. Whatever was
 * moved, hidden, deleted or undone since, the bytes are those that the chat model received; only a purge removes words.
 * Null if nothing was sent or it is unknown. `at` returns the forest after a number of entries, from what is cached of it.
 */
export const shownContext = (
  entries: readonly Entry[],
  moment: number | null,
  at: (entries: readonly Entry[], count: number) => Forest = fold,
): ShownContext | null => {
  const begun = moment === null ? undefined : entries[moment]?.event;
  if (moment === null || begun?.type !== 'reply-started' || begun.context === null) return null;
  return { context: begun.context, forest: at(entries, moment) };
};
