import type { LoadProgress, TextGenerator } from '../../runtime.ts';
import { promptApiRuntime } from '../prompt-api-runtime.ts';
import { installStandInLanguageModel, type StandInControl, type StandInOptions } from './stand-in-language-model.ts';

const scope = globalThis as { LanguageModel?: unknown; standInLanguageModel?: StandInControl };

/** Leaves the browser without a model of its own again. */
export const removeStandIn = (): void => {
  delete scope.LanguageModel;
};

export const control = (): StandInControl => scope.standInLanguageModel as StandInControl;

export const done = (did: StandInControl['calls'][number]['did']) => control().calls.filter((call) => call.did === did);

interface LoadedStandIn {
  readonly generator: TextGenerator;
  readonly progress: readonly LoadProgress[];
  readonly lost: readonly Error[];
}

/** Loads the stand-in. */
export const loaded = async (
  options: StandInOptions = {},
  signal = new AbortController().signal,
): Promise<LoadedStandIn> => {
  installStandInLanguageModel(options);
  const progress: LoadProgress[] = [];
  const lost: Error[] = [];
  const generator = await promptApiRuntime().loadGenerator(
    { runtime: 'prompt-api' },
    { signal, onProgress: (one) => progress.push(one), onLost: (error) => lost.push(error) },
  );
  return { generator, progress, lost };
};
