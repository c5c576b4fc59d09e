import type { Fallback, Role } from '../domain/decision.ts';
import { errorMessage } from './model-failure.ts';
import type { Embedder, Models, PromptListener, Summariser } from './ports.ts';
import { withPatience } from './tasks.ts';

interface Answerer {
  readonly name: string;
  /** See `Decider`. */
  readonly instant?: boolean;
}

/**
 * Asks a role's models in turn until one gives a sound answer. `sound` returns null, or what is wrong with it. Each
 * failure is added to `fallbacks`. Null if none succeeded; rejects only if the outer signal fired.
 */
export const askInTurn = async <M extends Answerer, A>(
  role: Role,
  models: readonly M[],
  question: (model: M, signal: AbortSignal, onAsked: PromptListener) => Promise<A>,
  sound: (answer: A) => string | null,
  { patience, signal, fallbacks }: { patience: number; signal: AbortSignal; fallbacks: Fallback[] },
): Promise<A | null> => {
  for (const [i, model] of models.entries()) {
    let why: string;
    let asked: Partial<Parameters<PromptListener>[0]> = {};
    const onAsked: PromptListener = (so) => {
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
      why = errorMessage(error);
    }
    fallbacks.push({ role, from: model.name, to: models[i + 1]?.name ?? 'no model', why, ...asked });
  }
  return null;
};

/** Failures, each listed once however often it occurred. */
export class FailureList {
  readonly all: Fallback[] = [];

  add(failure: Fallback): void {
    const { from, why } = failure;
    if (!this.all.some((one) => one.from === from && one.why === why)) this.all.push(failure);
  }
}

interface WatchedModels {
  readonly embed: Embedder;
  readonly summarise: Summariser;
}

/**
 * Wraps the models a memory works with so that none keeps it waiting forever, nor once `signal` has fired; `patience` is
 * in milliseconds per answer. Without vectors there is no memory: a failing embedder is added to `failures`.
 */
export const watchedModels = (
  { embed, summarise }: Pick<Models, 'embed' | 'summarise'>,
  patience: number,
  signal: AbortSignal,
  failures: FailureList,
): WatchedModels => {
  const { write } = summarise;
  return {
    embed: {
      name: embed.name,
      dimensions: embed.dimensions,
      theta: embed.theta,
      languages: embed.languages ?? null,
      embed: (texts) =>
        withPatience((inner) => embed.embed(texts, inner), patience, signal).catch((error: unknown) => {
          failures.add({ role: 'embed', from: embed.name, to: 'no memory', why: errorMessage(error) });
          throw error;
        }),
    },
    summarise:
      write === undefined
        ? summarise
        : {
            name: summarise.name,
            summarise: (turn, outer) => summarise.summarise(turn, outer),
            title: (turn, outer) => summarise.title(turn, outer),
            write: (instructions, text) => withPatience((inner) => write(instructions, text, inner), patience, signal),
          },
  };
};
