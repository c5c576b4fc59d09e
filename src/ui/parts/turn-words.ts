import type { MovePreview } from '../../app/edits.ts';
import type { Timing } from '../../domain/decision.ts';
import { type Forest, GIVEN, type Node, type NodeId, RECALL, type Reply } from '../../domain/forest.ts';
import { plural } from '../../domain/numbers.ts';
import { ranges } from '../../engine/context/context-text.ts';
import { count } from './format.ts';

/** Turns named individually before the rest is counted. */
const NAMED = 4;

/** What a move would do to the context of the next message, in words. `failed`: it could not be worked out. */
export const previewWords = (forest: Forest, preview: MovePreview | 'failed'): string => {
  if (preview === 'failed') return 'Could not work out how the context would change. Moving is still possible.';
  const { refusal, tokensBefore: before, tokensAfter: after, entering, leaving } = preview;
  if (refusal !== null) return refusal;
  const tokens = before === after ? `${count(after)} tokens, unchanged` : `${count(before)} → ${count(after)} tokens`;
  const come = entering.length > 0 ? [`adds ${turnsNamed(forest, entering)}`] : [];
  const go = leaving.length > 0 ? [`drops ${turnsNamed(forest, leaving)}`] : [];
  return `The next message’s context: ${[tokens, ...come, ...go].join(' · ')}.`;
};

/** `turn 3`, `turns 3, 4 and 9`, `turns 3, 4, 5, 6 and 12 others`. */
export const turnsNamed = (forest: Forest, ids: readonly NodeId[]): string => {
  const numbers = ids.flatMap((id) => forest.nodes[id]?.number ?? []).sort((a, b) => a - b);
  if (numbers.length === 0) return 'no turn';
  if (numbers.length === 1) return `turn ${numbers[0]}`;
  const rest = numbers.length - NAMED;
  const named = rest > 0 ? numbers.slice(0, NAMED) : numbers.slice(0, -1);
  return `turns ${named.join(', ')} and ${rest > 0 ? `${rest} ${plural(rest, 'other')}` : numbers.at(-1)}`;
};

/** `turn 3`, `turns 3–5, 9` */
export const turnsIn = (numbers: readonly number[]): string => `${plural(numbers.length, 'turn')} ${ranges(numbers)}`;

/** The same for those turns that still exist; empty if none do. */
export const turnRanges = (forest: Forest, ids: readonly NodeId[]): string => {
  const numbers = [...new Set(ids.flatMap((id) => forest.nodes[id]?.number ?? []))].sort((a, b) => a - b);
  return numbers.length === 0 ? '' : turnsIn(numbers);
};

/** Who wrote a reply, in words. */
export const authorOf = ({ model }: Pick<Reply, 'model'>): string => (model === GIVEN ? 'imported' : model);

export const isByLanguageModel = ({ model }: Reply): boolean => model !== RECALL && model !== GIVEN;

/** How fast a language model replied; null for anything it does not report. */
export interface ReplySpeed {
  /** Milliseconds until the first token. */
  readonly firstToken: number | null;
  /** Tokens per second of the prompt, up to the first token. */
  readonly prefillSpeed: number | null;
  /** Tokens per second, from the first token on. */
  readonly speed: number | null;
  readonly prefilled: number | null;
  readonly reused: number | null;
  readonly generated: number | null;
}

/** Tokens per second. What arrives faster was not streamed, so it says nothing about the speed of its model. */
const FASTEST = 5_000;

/**
 * The pace of the last attempt, if a reply was continued; null while it is being written, if the tab that received it
 * went away, since nothing timed it then, and if no language model wrote it.
 */
export const paceOf = (reply: Reply): ReplySpeed | null => {
  if (!isByLanguageModel(reply) || reply.state === 'streaming' || reply.state === 'interrupted') return null;
  const attempt = attemptsOf(reply.timings).at(-1) ?? [];
  // An attempt that failed at once has no first token of its own.
  const timeOf = (name: string): number | null => attempt.find(({ step }) => step === name)?.ms ?? null;
  const firstToken = timeOf('first token');
  const whole = timeOf('reply');
  if (firstToken === null && reply.usage === null) return null;
  const { prefilled, reused, generated, hidden } = reply.usage ?? { prefilled: null, reused: null, generated: null };
  const writing = firstToken === null || whole === null ? null : whole - firstToken;
  // The first token does not count: the clock for the others starts with it.
  const later = generated === null ? null : generated - 1;
  // What the model wrote before its first token arrived is in that token's time.
  const isStreamed = hidden !== true && (writing === null || 1000 * (later ?? 1) <= FASTEST * writing);
  return {
    firstToken,
    prefillSpeed: isStreamed ? speed(prefilled, firstToken) : null,
    speed: isStreamed ? speed(later, writing) : null,
    prefilled,
    reused,
    generated,
  };
};

/** The attempts at a reply that was continued, each timed by a clock of its own; one that was never ended is not timed. */
export const attemptsOf = (timings: readonly Timing[]): Timing[][] =>
  timings.reduce<Timing[][]>((attempts, timing, at) => {
    const attempt = at === 0 || timings[at - 1]?.step === 'reply' ? undefined : attempts.at(-1);
    if (attempt === undefined) attempts.push([timing]);
    else attempt.push(timing);
    return attempts;
  }, []);

const speed = (tokens: number | null, ms: number | null): number | null =>
  tokens === null || ms === null || tokens <= 0 || ms <= 0 ? null : (1000 * tokens) / ms;

/** `24 tokens/s`, `3.1 tokens/s` */
export const speedWords = (perSecond: number): string =>
  `${perSecond < 9.95 ? perSecond.toFixed(1) : perSecond.toFixed(0)} tokens/s`;

/** Whether there is a decision that the user has not judged yet. */
export const canConfirm = ({ decision, label }: Node): boolean =>
  label === null && (decision.trace?.topic.rule === 'asked' || decision.trace?.topic.rule === 'asked-by-path');
