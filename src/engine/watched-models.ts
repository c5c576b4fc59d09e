import type { Fallback } from '../domain/decision.ts';
import { withPatience } from './ask.ts';
import type { Embedder, Models, Summariser } from './ports.ts';

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
          failed({ role: 'embed', from: embed.name, to: 'no memory', why: wordsOf(error) });
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
                failed({ ...writing, why: wordsOf(error) });
                throw error;
              }
            },
          },
  };
};

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
