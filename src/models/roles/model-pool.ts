import { ModelFailure } from '../../engine/model-failure.ts';
import { type ModelSpec, specKey } from '../runtimes/model-spec.ts';
import type { LoadedEmbedder, LoadOptions, LoadProgress, Runtime, TextGenerator } from '../runtimes/runtime.ts';

/**
 * What an engine is for. A chat has an engine to itself: its cache of the conversation is worth seconds, and a
 * decision in between would cost it.
 */
export type Use = 'chat' | 'side' | 'embed';

export type Loaded =
  | { readonly kind: 'generator'; readonly generator: TextGenerator }
  | { readonly kind: 'embedder'; readonly embedder: LoadedEmbedder };

/** Someone who uses a model. */
interface Holder {
  onProgress(progress: LoadProgress): void;
  /** The model is gone; a new lease loads it again. */
  onLost(error: Error): void;
}

export interface Lease {
  readonly ready: Promise<Loaded>;
  /** Lets go of it. The last one to do so ends its loading, or puts it away. */
  release(): void;
}

/** Runtimes by name, each loaded when it is first used. */
export type Runtimes = {
  readonly [K in ModelSpec['runtime']]: () => Promise<Runtime<Extract<ModelSpec, { runtime: K }>>>;
};

interface Slot {
  readonly holders: Set<Holder>;
  readonly controller: AbortController;
  readonly ready: Promise<Loaded>;
  progress: LoadProgress | null;
}

/** Loaded models, each once for a use, however many hold it. */
export class ModelPool {
  readonly #runtimes: Runtimes;
  readonly #slots = new Map<string, Slot>();

  constructor(runtimes: Runtimes) {
    this.#runtimes = runtimes;
  }

  lease(spec: ModelSpec, use: Use, holder: Holder): Lease {
    // One with another window is another model to whoever plans with it.
    const key = [use, specKey(spec), spec.runtime === 'server' ? spec.window : ''].join(' ');
    const slot = this.#slots.get(key) ?? this.#open(key, spec, use);
    slot.holders.add(holder);
    if (slot.progress !== null) holder.onProgress(slot.progress);
    return {
      ready: slot.ready,
      release: () => {
        if (slot.holders.delete(holder) && slot.holders.size === 0) this.#close(key, slot);
      },
    };
  }

  #open(key: string, spec: ModelSpec, use: Use): Slot {
    const controller = new AbortController();
    const options: LoadOptions = {
      signal: controller.signal,
      onProgress: (progress) => {
        slot.progress = progress;
        for (const holder of slot.holders) holder.onProgress(progress);
      },
      onLost: (error) => {
        this.#forget(key, slot);
        for (const holder of [...slot.holders]) holder.onLost(error);
      },
    };
    const slot: Slot = { holders: new Set(), controller, progress: null, ready: this.#load(spec, use, options) };
    this.#slots.set(key, slot);
    // A load that failed is not kept: the next lease tries again.
    slot.ready.catch(() => this.#forget(key, slot));
    return slot;
  }

  async #load(spec: ModelSpec, use: Use, options: LoadOptions): Promise<Loaded> {
    const runtime = await runtimeOf(this.#runtimes, spec);
    options.signal.throwIfAborted();
    if (use === 'embed') {
      if (!runtime.loadEmbedder) throw cannot('compares texts');
      return { kind: 'embedder', embedder: await runtime.loadEmbedder(spec, options) };
    }
    if (!runtime.loadGenerator) throw cannot('writes');
    return { kind: 'generator', generator: await runtime.loadGenerator(spec, options) };
  }

  #close(key: string, slot: Slot): void {
    this.#forget(key, slot);
    slot.controller.abort(new ModelFailure('closed', 'Loading was cancelled.'));
    slot.ready.then(put, () => undefined);
  }

  #forget(key: string, slot: Slot): void {
    if (this.#slots.get(key) === slot) this.#slots.delete(key);
  }
}

const put = (loaded: Loaded): void =>
  loaded.kind === 'generator' ? loaded.generator.close() : loaded.embedder.close();

// The map's type pairs each name with its own kind of spec; TypeScript cannot follow that through an index.
const runtimeOf = async (runtimes: Runtimes, { runtime }: ModelSpec): Promise<Runtime<ModelSpec>> =>
  (await runtimes[runtime]()) as Runtime<ModelSpec>;

const cannot = (what: string): ModelFailure =>
  new ModelFailure('unsupported', `No model of this kind ${what}. Choose another one for this role.`);
