/* Runs llama.cpp in our own module worker, with the protocol of ../worker/protocol.ts; wllama starts its own worker inside. */
import type { ModelFailure } from '../../../engine/model-failure.ts';
import { estimatedTokens } from '../runtime.ts';
import { type ServedModel, serveModel } from '../worker/serve-model.ts';
import { isFatal, type LlamaSpec, llamaFailure, loadLlama } from './load-llama.ts';
import { embedWith, generateWith, tokenCounter } from './run-llama.ts';

serveModel<LlamaSpec>(async (spec, options): Promise<ServedModel> => {
  const llama = await loadLlama(spec, options);
  const lose = (failure: ModelFailure): void => {
    if (isFatal(failure)) options.onLost(failure);
  };
  /** A crash fails the current request and all that follow. */
  const guarded = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      const failure = llamaFailure(error, llama.log);
      lose(failure);
      throw failure;
    }
  };
  // No budget depends on an embedder's token counts.
  const counted = spec.embeds ? null : await tokenCounter(llama).catch(() => null);
  return {
    facts: {
      name: `${spec.name} (wllama, ${llama.device})`,
      window: llama.window,
      estimates: counted === null,
      dimensions: spec.embeds ? llama.dimensions : null,
    },
    ...(spec.embeds
      ? {
          embed: async (texts, signal) => {
            const vectors: Float32Array<ArrayBuffer>[] = [];
            for (const text of texts) vectors.push(await guarded(embedWith(llama, text, signal)));
            return vectors;
          },
        }
      : { generate: (request, piece, signal) => guarded(generateWith(llama, request, piece, signal)) }),
    count: async (texts) => {
      const found: number[] = [];
      for (const text of texts) {
        found.push(counted === null ? estimatedTokens(text) : await guarded(counted(text)));
      }
      return found;
    },
  };
});
