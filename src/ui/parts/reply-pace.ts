import type { Timing } from '../../domain/decision.ts';
import { RECALL, type Reply } from '../../domain/forest.ts';

/** Stands in a log for a reply that an import brought along. */
export const GIVEN = 'given';

export const isByLanguageModel = ({ model }: Reply): boolean => model !== RECALL && model !== GIVEN;

/** How fast a language model replied; what it does not tell is null. */
export interface Pace {
  /** Milliseconds until the first piece came. */
  readonly firstToken: number | null;
  /** Tokens a second, of the prompt up to the first piece. */
  readonly prefillSpeed: number | null;
  /** Tokens a second, from the first piece on. */
  readonly speed: number | null;
  readonly prefilled: number | null;
  readonly reused: number | null;
  readonly generated: number | null;
}

/** Of the last try, where a reply was gone on with; null while it is written, and where no language model wrote it. */
export const paceOf = (reply: Reply): Pace | null => {
  if (!isByLanguageModel(reply) || reply.state === 'streaming') return null;
  const firstToken = lastOf(reply.timings, 'first token');
  const whole = lastOf(reply.timings, 'reply');
  if (firstToken === null && reply.usage === null) return null;
  const { prefilled, reused, generated } = reply.usage ?? { prefilled: null, reused: null, generated: null };
  const writing = firstToken === null || whole === null ? null : whole - firstToken;
  return {
    firstToken,
    prefillSpeed: speed(prefilled, firstToken),
    // The first token came when the clock for the others started.
    speed: speed(generated === null ? null : generated - 1, writing),
    prefilled,
    reused,
    generated,
  };
};

/** A reply that failed at once has no first token of its own: those of an earlier try do not count. */
const lastOf = (timings: readonly Timing[], step: string): number | null => {
  const begun = timings.findLastIndex((timing) => timing.step === 'reply');
  const before = timings.slice(0, Math.max(0, begun)).findLastIndex((timing) => timing.step === 'reply');
  return timings.slice(before + 1).findLast((timing) => timing.step === step)?.ms ?? null;
};

const speed = (tokens: number | null, ms: number | null): number | null =>
  tokens === null || ms === null || tokens <= 0 || ms <= 0 ? null : (1000 * tokens) / ms;

/** `24 tokens/s`, `3.1 tokens/s` */
export const speedWords = (perSecond: number): string =>
  `${perSecond < 9.95 ? perSecond.toFixed(1) : perSecond.toFixed(0)} tokens/s`;
