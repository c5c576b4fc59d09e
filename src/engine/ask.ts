import type { Fallback, Role } from '../domain/decision.ts';
import { errorMessage } from './model-failure.ts';
import type { Embedder, Models, OnAsked, Summariser } from './ports.ts';
import { withPatience } from './tasks.ts';

interface Answerer {
  readonly name: string;
  /** See `Decider`. */
  readonly instant?: boolean;
}

/**
 * Asks a role's models in turn until one gives an answer that is `sound` (null, or what is wrong with it).
 * Each that failed is kept in `fallbacks`. Null if none did; rejects only if the outer signal fired.
 */
export const askInTurn = async <M extends Answerer, A>(
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
      why = errorMessage(error);
    }
    fallbacks.push({ role, from: model.name, to: models[i + 1]?.name ?? 'no model', why, ...asked });
  }
  return null;
};

/** What stands in for a language model that was to write. */
const RULES = 'rules that need no language model';

export interface WatchedModels {
  readonly embed: Embedder;
  readonly summarise: Summariser;
  /** What failed so far: each failure once, however often it came. */
  readonly failures: readonly Fallback[];
}

const going = new AbortController().signal;

/**
 * The models that a memory works with, none of which keeps it waiting for ever: `patience` is in milliseconds an answer.
 * A memory without vectors is none, and whoever wants it is told; what is written badly, or not at all, is done by rules.
 */
export const watchedModels = (
  { embed, summarise }: Pick<Models, 'embed' | 'summarise'>,
  patience: number,
): WatchedModels => {
  const failures: Fallback[] = [];
  const failed = (failure: Fallback): void => {
    const { from, why } = failure;
    if (!failures.some((one) => one.from === from && one.why === why)) failures.push(failure);
  };
  const { write } = summarise;
  const writing = { role: 'summarise', from: summarise.name, to: RULES } as const;
  return {
    failures,
    embed: {
      name: embed.name,
      dimensions: embed.dimensions,
      theta: embed.theta,
      languages: embed.languages ?? null,
      embed: (texts) =>
        withPatience((signal) => embed.embed(texts, signal), patience, going).catch((error: unknown) => {
          failed({ role: 'embed', from: embed.name, to: 'no memory', why: errorMessage(error) });
          throw error;
        }),
    },
    summarise:
      write === undefined
        ? summarise
        : {
            name: summarise.name,
            summarise: (turn, signal) => summarise.summarise(turn, signal),
            title: (turn, signal) => summarise.title(turn, signal),
            write: async (instructions, text) => {
              try {
                const written = await withPatience((signal) => write(instructions, text, signal), patience, going);
                if (written.trim() === '') failed({ ...writing, why: 'it gave no answer' });
                return written;
              } catch (error) {
                failed({ ...writing, why: errorMessage(error) });
                throw error;
              }
            },
          },
  };
};
