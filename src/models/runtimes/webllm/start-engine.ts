import type { ModelFailure } from '../../../engine/model-failure.ts';
import type { LoadOptions } from '../runtime.ts';
import type { Engine } from './engine.ts';
import { explained } from './failures.ts';

/** The library's engine, not yet loaded; `onProgress` gets the share of what is loaded, 0–1. */
export type MakeEngine = (onProgress: (share: number) => void) => Engine;

/**
 * Loads a model whose files are all here into an engine. Rejects with a ModelFailure. `lost` resolves when the GPU is
 * taken away: the library may then wait for ever.
 */
export const startEngine = async (
  make: MakeEngine,
  model: { readonly id: string; readonly name: string; readonly bytes: number },
  lost: Promise<ModelFailure>,
  { onProgress }: Pick<LoadOptions, 'onProgress'>,
): Promise<Engine> => {
  const report = (share: number): void =>
    onProgress({ phase: 'preparing', loaded: Math.round(model.bytes * Math.min(1, share || 0)), total: model.bytes });
  report(0);
  const engine = make(report);
  const taken = lost.then((failure) => {
    throw failure;
  });
  // A device that is lost later is told by `onLost`.
  taken.catch(() => undefined);
  try {
    await Promise.race([engine.reload(model.id), taken]);
  } catch (error) {
    throw await explained(error, model.name, lost);
  }
  return engine;
};
