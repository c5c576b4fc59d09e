import type { PromptApiSpec } from '../model-spec.ts';
import type { LoadOptions, Runtime } from '../runtime.ts';
import {
  type Availability,
  browsersLanguageModel,
  type LanguageModelFactory,
  type LanguageModelSession,
} from './language-model.ts';
import { missing, promptApiFailure, unavailable } from './prompt-api-failure.ts';
import { PromptApiGenerator } from './prompt-api-generator.ts';

/** Whether this browser has a model of its own that runs here, or could after a download of its own. Loads nothing. */
export const promptApiAvailability = async (
  languageModel: () => LanguageModelFactory | undefined = browsersLanguageModel,
): Promise<Availability | 'missing'> => {
  const factory = languageModel();
  if (factory === undefined) return 'missing';
  return factory.availability().catch(() => 'unavailable' as const);
};

/**
 * The browser's own model (Prompt API). The browser downloads, keeps and shares it between sites, so there is nothing to
 * list or remove here. A download that is called off goes on in the browser.
 */
export const promptApiRuntime = (
  languageModel: () => LanguageModelFactory | undefined = browsersLanguageModel,
): Required<Pick<Runtime<PromptApiSpec>, 'loadGenerator'>> => ({
  loadGenerator: async (_, options) => {
    const factory = languageModel();
    if (factory === undefined) throw missing();
    try {
      const availability = await factory.availability();
      if (availability === 'unavailable') throw unavailable();
      const root = await opened(factory, availability, options);
      const params = (await factory.params?.().catch(() => null)) ?? null;
      return new PromptApiGenerator({ factory, root, params, onLost: options.onLost });
    } catch (error) {
      options.signal.throwIfAborted();
      throw promptApiFailure(error);
    }
  },
});

const opened = async (
  factory: LanguageModelFactory,
  availability: Availability,
  { signal, onProgress }: LoadOptions,
): Promise<LanguageModelSession> => {
  onProgress({ phase: availability === 'available' ? 'preparing' : 'downloading', loaded: 0, total: null });
  const session = await factory.create({
    signal,
    monitor: (target) => {
      target.addEventListener('downloadprogress', (event) => {
        const { loaded, total = 1 } = event as Event & { loaded: number; total?: number };
        onProgress({ phase: loaded < total ? 'downloading' : 'preparing', loaded, total });
      });
    },
  });
  if (signal.aborted) session.destroy();
  signal.throwIfAborted();
  return session;
};
