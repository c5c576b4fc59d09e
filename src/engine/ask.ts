import type { Fallback, Role } from '../domain/decision.ts';
import type { OnAsked } from './ports.ts';

/** A model did not answer in time. */
class TimeoutFailure extends Error {
  constructor(ms: number) {
    super(`no answer within ${ms / 1000} s`);
    this.name = 'TimeoutFailure';
  }
}

/** Runs a task with a signal that fires when time is up or the outer signal does. Rejects then. */
export const withPatience = async <T>(
  task: (signal: AbortSignal) => Promise<T>,
  ms: number,
  outer: AbortSignal,
): Promise<T> => {
  const inner = new AbortController();
  let clear: () => void = () => undefined;
  const over = new Promise<never>((_, reject) => {
    const give = (reason: unknown) => {
      inner.abort(reason);
      reject(reason);
    };
    const timer = setTimeout(() => give(new TimeoutFailure(ms)), ms);
    const onAbort = () => give(outer.reason);
    outer.addEventListener('abort', onAbort, { once: true });
    clear = () => {
      clearTimeout(timer);
      outer.removeEventListener('abort', onAbort);
    };
    if (outer.aborted) onAbort();
  });
  try {
    return await Promise.race([task(inner.signal), over]);
  } finally {
    clear();
  }
};

interface Asked {
  readonly name: string;
  /** See `Decider`. */
  readonly instant?: boolean;
}

/**
 * Asks a role's models in turn until one gives an answer that is `sound` (null, or what is wrong with it).
 * Each that failed is kept in `fallbacks`. Null if none did; rejects only if the outer signal fired.
 */
export const askInTurn = async <M extends Asked, A>(
  role: Role,
  models: readonly M[],
  question: (model: M, signal: AbortSignal, onAsked: OnAsked) => Promise<A>,
  sound: (answer: A) => string | null,
  { patience, signal, fallbacks }: { patience: number; signal: AbortSignal; fallbacks: Fallback[] },
): Promise<A | null> => {
  for (const [i, model] of models.entries()) {
    let why: string;
    let asked: Partial<Parameters<OnAsked>[0]> = {};
    const onAsked: OnAsked = (so) => {
      asked = so;
    };
    try {
      const answer = await (model.instant === true
        ? question(model, signal, onAsked)
        : withPatience((inner) => question(model, inner, onAsked), patience, signal));
      const fault = sound(answer);
      if (fault === null) return answer;
      why = fault;
    } catch (error) {
      if (signal.aborted) throw error;
      why = error instanceof Error ? error.message : String(error);
    }
    fallbacks.push({ role, from: model.name, to: models[i + 1]?.name ?? 'no model', why, ...asked });
  }
  return null;
};
