import { ModelFailure } from '../../../engine/model-failure.ts';
import type { ServerSpec } from '../model-spec.ts';
import type { Runtime } from '../runtime.ts';
import type { TextGenerator } from '../text-generator.ts';
import { baseUrlOf } from './base-url.ts';
import { contextWindow } from './context-window.ts';
import { type ListedModel, modelList } from './model-list.ts';
import { type Patience, usualPatience } from './patience.ts';
import type { ServerAccess } from './server-api.ts';
import { serverEmbedder } from './server-embedder.ts';
import { ServerGenerator } from './server-generator.ts';
import { dialectOf, serverKind } from './server-kind.ts';

export interface ServerRuntimeOptions extends ServerAccess {
  readonly patience?: Patience;
}

/**
 * Models of an OpenAI-compatible server that the person names (Ollama, LM Studio, llama.cpp, vLLM). The conversation's text
 * leaves the browser for that address, and for no other. Runs in Node, too.
 */
export const serverRuntime = (
  options: ServerRuntimeOptions,
): Required<Pick<Runtime<ServerSpec>, 'loadGenerator' | 'loadEmbedder'>> => {
  const { patience = usualPatience } = options;
  return {
    loadGenerator: async ({ baseUrl: address, model }, { signal, onProgress }) => {
      onProgress({ phase: 'preparing', loaded: 0, total: null });
      const baseUrl = baseUrlOf(address);
      const entry = entryOf(await modelList(options, baseUrl, signal), model);
      const kind = serverKind(baseUrl, entry);
      const window = await contextWindow(options, baseUrl, model, entry, kind);
      signal.throwIfAborted();
      const generator = new ServerGenerator({
        access: options,
        baseUrl,
        model,
        window,
        dialect: dialectOf(kind),
        patience,
      });
      // Not every server lists all that it has: one that does not know the model says so now.
      if (entry === undefined) await tryOut(generator, signal);
      return generator;
    },
    loadEmbedder: async ({ baseUrl, model }, { signal, onProgress }) => {
      onProgress({ phase: 'preparing', loaded: 0, total: null });
      return serverEmbedder(options, { baseUrl: baseUrlOf(baseUrl), model }, patience, signal);
    },
  };
};

/** Names of the models that a server lists, in its order. Rejects with a ModelFailure. */
export const modelsOfServer = async (
  access: ServerAccess,
  address: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<string[]> => (await modelList(access, baseUrlOf(address), signal)).map(({ id }) => id);

const entryOf = (models: readonly ListedModel[], model: string): ListedModel | undefined =>
  models.find(({ id }) => id === model) ?? models.find(({ id }) => id === `${model}:latest`);

const tryOut = async (generator: TextGenerator, signal: AbortSignal): Promise<void> => {
  const messages = [{ role: 'user' as const, content: 'Hello' }];
  const request = { messages, begun: '', temperature: null, topP: null, maxTokens: 1, schema: null };
  try {
    for await (const piece of generator.generate(request, signal)) if (piece !== '') break;
  } catch (error) {
    // One token is not much of an answer, but the model is there.
    if (!(error instanceof ModelFailure && error.kind === 'empty')) throw error;
  }
  signal.throwIfAborted();
};
