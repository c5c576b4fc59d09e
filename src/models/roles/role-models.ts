import type { Choice, Progress, RoleFailure, RoleState } from '../../app/model-control.ts';
import type { Role } from '../../domain/decision.ts';
import { errorMessage, ModelFailure } from '../../engine/model-failure.ts';
import type { ChatModel, Decider, Embedder, Models, Summariser } from '../../engine/ports.ts';
import { dueEvery } from '../../engine/tasks.ts';
import { chatModel } from '../prompted/chat-model.ts';
import { promptedDecider } from '../prompted/prompted-decider.ts';
import { promptedSummariser } from '../prompted/prompted-summariser.ts';
import { type ModelSpec, specKey } from '../runtimes/model-spec.ts';
import type { LoadedEmbedder, LoadOptions, LoadProgress, Runtime, TextGenerator } from '../runtimes/runtime.ts';

/**
 * What an engine is for. A chat has an engine to itself: its cache of the conversation is worth seconds, and a
 * decision in between would cost it.
 */
type Use = 'chat' | 'side' | 'embed';

type RuntimeModel =
  | { readonly kind: 'generator'; readonly generator: TextGenerator }
  | { readonly kind: 'embedder'; readonly embedder: LoadedEmbedder };

/** Someone who uses a model. */
interface Holder {
  onProgress(progress: LoadProgress): void;
  /** The model is gone; a new lease loads it again. */
  onLost(error: Error): void;
}

interface Lease {
  readonly ready: Promise<RuntimeModel>;
  /** Lets go of it. The last one to do so ends its loading, or puts it away. */
  release(): void;
}

/** Runtimes by name, each loaded when it is first used. */
type Runtimes = {
  readonly [K in ModelSpec['runtime']]: () => Promise<Runtime<Extract<ModelSpec, { runtime: K }>>>;
};

interface Slot {
  readonly holders: Set<Holder>;
  readonly controller: AbortController;
  readonly ready: Promise<RuntimeModel>;
  progress: LoadProgress | null;
}

/** Loaded models, each once for a use, however many hold it. */
class ModelPool {
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

  async #load(spec: ModelSpec, use: Use, options: LoadOptions): Promise<RuntimeModel> {
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

const put = (loaded: RuntimeModel): void =>
  loaded.kind === 'generator' ? loaded.generator.close() : loaded.embedder.close();

// The map's type pairs each name with its own kind of spec; TypeScript cannot follow that through an index.
const runtimeOf = async (runtimes: Runtimes, { runtime }: ModelSpec): Promise<Runtime<ModelSpec>> =>
  (await runtimes[runtime]()) as Runtime<ModelSpec>;

const cannot = (what: string): ModelFailure =>
  new ModelFailure('unsupported', `No model of this kind ${what}. Choose another one for this role.`);

export interface RoleModelsParts {
  readonly embedded: Models;
  readonly runtimes: Runtimes;
  show(role: Role, state: RoleState): void;
  /** The model that is asked where the decider is unsure has no place of its own where its state would show. */
  consultFailed(failure: ModelFailure): void;
  /** Embeds the open conversation by another embedder, before that one answers. */
  compareAnew(embedder: Embedder, onDone: (done: number, of: number) => void, signal: AbortSignal): Promise<void>;
  now(): number;
}

/** The models of all roles. A chat model has its engine to itself; whoever decides and summarises may share one. */
export interface RoleModels {
  readonly chat: RoleModel<ChatModel>;
  readonly decide: RoleModel<Decider>;
  readonly summarise: RoleModel<Summariser>;
  readonly embed: RoleModel<Embedder>;
  /** Asked where the embedded decider is unsure; null for nobody. */
  readonly consult: RoleModel<Decider | null>;
}

export const createRoleModels = ({
  embedded,
  runtimes,
  show,
  consultFailed,
  compareAnew,
  now,
}: RoleModelsParts): RoleModels => {
  const pool = new ModelPool(runtimes);
  const meter = (): ((progress: LoadProgress) => Pick<Progress, 'speed' | 'timeLeft'>) => {
    const pace = speedMeter();
    return ({ loaded, total }) => pace(loaded, total, now());
  };
  const side = <T>(
    role: Role | null,
    shipped: T & ({ readonly name: string } | null),
    make: RoleParts<T>['make'],
  ): RoleParts<T> => ({
    pool,
    use: 'side',
    meter,
    embedded: { model: shipped, name: shipped?.name ?? 'nobody' },
    make,
    now,
    show: (state) => {
      if (role !== null) show(role, state);
      else if (state.failure !== null) consultFailed(new ModelFailure(state.failure.kind, state.failure.message));
    },
  });
  const decider: RoleParts<Decider>['make'] = (loaded, watch) =>
    promptedDecider(watchedGenerator(generatorIn(loaded), watch));
  return {
    chat: new RoleModel<ChatModel>({
      ...side<ChatModel>('chat', embedded.chat, (loaded, watch) =>
        chatModel(watchedGenerator(generatorIn(loaded), watch)),
      ),
      use: 'chat',
    }),
    decide: new RoleModel<Decider>(side('decide', embedded.decide, decider)),
    summarise: new RoleModel<Summariser>(
      side<Summariser>('summarise', embedded.summarise, (loaded, watch) =>
        promptedSummariser(watchedGenerator(generatorIn(loaded), watch)),
      ),
    ),
    embed: new RoleModel<Embedder>({
      ...side<Embedder>('embed', embedded.embed, (loaded, watch) => watchedEmbedder(embedderIn(loaded), watch)),
      use: 'embed',
      settle: (embedder, onProgress, signal) =>
        compareAnew(
          embedder,
          (loaded, total) => onProgress({ phase: 'embedding', loaded, total, speed: null, timeLeft: null }),
          signal,
        ),
    }),
    consult: new RoleModel<Decider | null>(side<Decider | null>(null, null, decider)),
  };
};

const generatorIn = (loaded: RuntimeModel) => {
  if (loaded.kind === 'generator') return loaded.generator;
  throw new ModelFailure('unsupported', `${loaded.embedder.name} compares texts, it does not write.`);
};

const embedderIn = (loaded: RuntimeModel) => {
  if (loaded.kind === 'embedder') return loaded.embedder;
  throw new ModelFailure('unsupported', `${loaded.generator.name} writes, it does not compare texts.`);
};

/** What is to answer for a role; `spec` null for what ships with the app. */
export interface RoleAssignment {
  readonly choice: Choice;
  readonly name: string;
  readonly spec: ModelSpec | null;
}

/** Is told what becomes of what a model is asked. */
interface ModelWatch {
  /** It begins, or ends, to work. */
  active(active: boolean): void;
  /** It answered (null), or its server did not let the request in. */
  refused(failure: ModelFailure | null): void;
}

interface RoleParts<T> {
  readonly pool: ModelPool;
  readonly use: Use;
  /** What ships with the app. */
  readonly embedded: { readonly model: T; readonly name: string };
  /** Makes the role's model of a loaded one. */
  make(loaded: RuntimeModel, watch: ModelWatch): T;
  /** What is still to be done before it takes its place, with progress. */
  settle?(model: T, onProgress: (progress: LoadProgress | Progress) => void, signal: AbortSignal): Promise<void>;
  /** How fast a load goes, from what it tells. */
  meter(): (progress: LoadProgress) => Pick<Progress, 'speed' | 'timeLeft'>;
  show(state: RoleState): void;
  /** Milliseconds. */
  now(): number;
}

/** Progress is shown at most this often, in milliseconds: a download tells of every piece. */
const SHOW_EVERY = 100;

interface AnsweringModel<T> {
  readonly model: T;
  /** null for what ships with the app. */
  readonly lease: Lease | null;
  readonly wanted: RoleAssignment;
}

interface PendingModel {
  readonly wanted: RoleAssignment;
  readonly awaited: boolean;
  readonly done: Promise<void>;
  readonly cancel: () => void;
}

/** The model of one role: what was chosen, what answers, and what is on its way. */
export class RoleModel<T> {
  readonly #parts: RoleParts<T>;
  #answering: AnsweringModel<T>;
  #coming: PendingModel | null = null;
  #failure: { readonly wanted: RoleAssignment; readonly failure: RoleFailure } | null = null;
  /** Its server did not let the last request in. The next is tried all the same: a key may have been given. */
  #refusal: RoleFailure | null = null;
  #progress: Progress | null = null;
  #active = 0;

  constructor(parts: RoleParts<T>) {
    this.#parts = parts;
    this.#answering = { model: parts.embedded.model, lease: null, wanted: this.#shipped };
  }

  /** What answers now. */
  get model(): T {
    return this.#answering.model;
  }

  /** What the person wants to answer: loaded, on its way, or failed. */
  get wanted(): RoleAssignment {
    return this.#coming?.wanted ?? this.#failure?.wanted ?? this.#answering.wanted;
  }

  /** Whether what answers now is what ships, though something else is wanted. */
  get standsIn(): boolean {
    return this.#answering.lease === null && this.wanted.spec !== null;
  }

  /** The load under way that whoever asks should wait for; null if there is none. Never rejects. */
  get awaited(): Promise<void> | null {
    return this.#coming?.awaited === true ? this.#coming.done : null;
  }

  get failure(): RoleFailure | null {
    return this.#failure?.failure ?? null;
  }

  /**
   * Loads a model and lets it answer when it is ready; until then the one before does. Rejects with a ModelFailure,
   * which is also shown; a cancelled load resolves. `awaited`: nothing has answered before, so whoever asks waits.
   */
  async choose(wanted: RoleAssignment, awaited = false): Promise<void> {
    this.#coming?.cancel();
    this.#failure = null;
    this.#refusal = null;
    this.#progress = null;
    if (wanted.spec === null) {
      this.#put({ model: this.#parts.embedded.model, lease: null, wanted });
      return this.#show();
    }
    let failed: ModelFailure | null = null;
    const loading = this.#load(wanted, wanted.spec);
    const done = loading.done.catch((error: unknown) => {
      failed = toFailure(error);
    });
    this.#coming = { wanted, awaited, done, cancel: loading.cancel };
    const mine = this.#coming;
    this.#show();
    await done;
    // Cancelled, or another was chosen meanwhile.
    if (this.#coming !== mine) return;
    this.#coming = null;
    this.#progress = null;
    if (failed !== null) this.#fail(wanted, failed);
    this.#show();
    if (failed !== null) throw failed;
  }

  /** Ends loading; the model that answers stays the chosen one. */
  cancel(): void {
    const coming = this.#coming;
    if (coming === null) return;
    this.#coming = null;
    this.#progress = null;
    coming.cancel();
    this.#show();
  }

  /** Its server lets requests in again. */
  letIn(): void {
    if (this.#refusal === null) return;
    this.#refusal = null;
    this.#show();
  }

  /** Loads again what failed. */
  async retry(): Promise<void> {
    if (this.#failure !== null) await this.choose(this.#failure.wanted, true);
  }

  #load(wanted: RoleAssignment, spec: ModelSpec): { done: Promise<void>; cancel: () => void } {
    const { pool, use, make, settle, meter, now } = this.#parts;
    const isDue = dueEvery(SHOW_EVERY, now);
    const controller = new AbortController();
    const speed = meter();
    const onProgress = (progress: LoadProgress | Progress): void => {
      if (controller.signal.aborted) return;
      const before = this.#progress;
      this.#progress = 'speed' in progress ? progress : { ...progress, ...speed(progress) };
      if (isDue() || before?.phase !== progress.phase) this.#show();
    };
    const lease = pool.lease(spec, use, { onProgress, onLost: (error) => this.#lose(lease, error) });
    const load = async (): Promise<void> => {
      try {
        const model = make(await lease.ready, {
          active: (active) => this.#work(active),
          refused: (failure) => this.#refuse(lease, failure),
        });
        await settle?.(model, onProgress, controller.signal);
        controller.signal.throwIfAborted();
        this.#put({ model, lease, wanted });
      } catch (error) {
        lease.release();
        throw error;
      }
    };
    const done = new Promise<void>((resolve, reject) => {
      controller.signal.addEventListener('abort', () => {
        lease.release();
        reject(controller.signal.reason);
      });
      load().then(resolve, reject);
    });
    return { done, cancel: () => controller.abort(new ModelFailure('closed', 'Loading was cancelled.')) };
  }

  #put(next: AnsweringModel<T>): void {
    this.#answering.lease?.release();
    this.#answering = next;
  }

  /** What ships answers until it is loaded again. */
  #lose(lease: Lease, error: Error): void {
    if (this.#answering.lease !== lease) return;
    const { wanted } = this.#answering;
    this.#put({ model: this.#parts.embedded.model, lease: null, wanted: this.#shipped });
    this.#fail(wanted, toFailure(error));
    this.#show();
  }

  #fail(wanted: RoleAssignment, failure: ModelFailure): void {
    this.#failure = { wanted, failure: roleFailure(failure) };
  }

  #refuse(lease: Lease, failure: ModelFailure | null): void {
    if (this.#answering.lease !== lease || (failure === null && this.#refusal === null)) return;
    this.#refusal = failure === null ? null : roleFailure(failure);
    this.#show();
  }

  #work(active: boolean): void {
    this.#active += active ? 1 : -1;
    this.#show();
  }

  get #shipped(): RoleAssignment {
    return { choice: { kind: 'embedded' }, name: this.#parts.embedded.name, spec: null };
  }

  #show(): void {
    const { choice, name } = this.wanted;
    const refused = this.#coming === null && this.#active === 0 ? this.#refusal : null;
    const failure = this.failure ?? refused;
    const state = this.#coming !== null ? 'loading' : failure !== null ? 'failed' : this.#active > 0 ? 'busy' : 'ready';
    this.#parts.show({ choice, name, state, progress: this.#progress, failure });
  }
}

const toFailure = (error: unknown): ModelFailure =>
  error instanceof ModelFailure ? error : new ModelFailure('unknown', errorMessage(error), { cause: error });

/** A failure as it is shown; where a server refused, with what it said in figures. */
const roleFailure = ({ kind, message, status }: ModelFailure): RoleFailure => ({ kind, message, status });

/** The same model, telling what becomes of what it is asked. */
const watchedGenerator = (generator: TextGenerator, watch: ModelWatch): TextGenerator => ({
  name: generator.name,
  window: generator.window,
  get sees() {
    return generator.sees === true;
  },
  estimates: generator.estimates,
  count: (texts) => generator.count(texts),
  close: () => generator.close(),
  async *generate(request, signal) {
    watch.active(true);
    try {
      yield* generator.generate(request, signal);
      watch.refused(null);
    } catch (error) {
      if (isRefusal(error)) watch.refused(error);
      throw error;
    } finally {
      watch.active(false);
    }
  },
});

const watchedEmbedder = (embedder: LoadedEmbedder, watch: ModelWatch): LoadedEmbedder => ({
  name: embedder.name,
  dimensions: embedder.dimensions,
  theta: embedder.theta,
  languages: embedder.languages ?? null,
  close: () => embedder.close(),
  embed: async (texts, signal, when) => {
    watch.active(true);
    try {
      const vectors = await embedder.embed(texts, signal, when);
      watch.refused(null);
      return vectors;
    } catch (error) {
      if (isRefusal(error)) watch.refused(error);
      throw error;
    } finally {
      watch.active(false);
    }
  },
});

const isRefusal = (error: unknown): error is ModelFailure =>
  error instanceof ModelFailure && error.kind === 'unauthorised';

/** Milliseconds that count: long enough to be calm, short enough to notice a slower line. */
const WINDOW = 5000;
/** Before so many milliseconds have passed, nothing is said. */
const SETTLES = 500;

interface Pace {
  /** Bytes a second over the last seconds; null while it is not known. */
  readonly speed: number | null;
  /** Seconds; null while it is not known. */
  readonly timeLeft: number | null;
}

/** How fast a download goes. `at` is in milliseconds of any clock; bytes that were there before the first call do not count. */
export const speedMeter = (): ((loaded: number, total: number | null, at: number) => Pace) => {
  let samples: { loaded: number; at: number }[] = [];
  return (loaded, total, at) => {
    // Started over: what was counted is not there any more.
    if (loaded < (samples.at(-1)?.loaded ?? 0)) samples = [];
    samples.push({ loaded, at });
    // One sample from before the window stays, so that the window is full.
    while (samples[1] !== undefined && at - samples[1].at >= WINDOW) samples.shift();
    const first = samples[0];
    if (first === undefined || at - first.at < SETTLES) return { speed: null, timeLeft: null };
    const speed = (1000 * (loaded - first.loaded)) / (at - first.at);
    const timeLeft = total === null || speed === 0 ? null : Math.max(0, total - loaded) / speed;
    return { speed, timeLeft };
  };
};
