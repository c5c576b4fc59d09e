import type { ModelChoice, Progress, RoleFailure, RoleState } from '../../app/model-control.ts';
import type { Role } from '../../domain/decision.ts';
import { errorMessage, ModelFailure, type ModelFailureKind } from '../../engine/model-failure.ts';
import type { ChatModel, Decider, Embedder, Models, Summariser } from '../../engine/ports.ts';
import { dueEvery } from '../../engine/tasks.ts';
import { chatModel } from '../prompted/chat-model.ts';
import { type ModelSpec, specKey, specName, specVariant } from '../runtimes/model-spec.ts';
import {
  type LoadedEmbedder,
  type LoadMarks,
  type LoadOptions,
  type LoadProgress,
  type ModelWatch,
  markedLoad,
  type Runtime,
  speedMeter,
  type TextGenerator,
  watchedEmbedder,
  watchedGenerator,
} from '../runtimes/runtime.ts';

/**
 * What an engine is used for. Chat has its own engine, because its conversation cache saves seconds and a decision in between
 * would evict it.
 */
type Use = 'chat' | 'side' | 'embed';

type RuntimeModel =
  | { readonly kind: 'generator'; readonly generator: TextGenerator }
  | { readonly kind: 'embedder'; readonly embedder: LoadedEmbedder };

/** A user of a loaded model. */
interface Holder {
  onProgress(progress: LoadProgress): void;
  /** The model was lost; a new lease loads it again. */
  onLost(error: Error): void;
}

interface Lease {
  readonly ready: Promise<RuntimeModel>;
  /** A request, or the work that one belongs to, started or ended. */
  active(active: boolean): void;
  /** Releases the model. The last release cancels its loading or closes it. */
  release(): void;
  /** Releases the model as soon as no request is running. */
  retire(): void;
}

/** Runtimes by name, each loaded on first use. */
type Runtimes = {
  readonly [K in ModelSpec['runtime']]: () => Promise<Runtime<Extract<ModelSpec, { runtime: K }>>>;
};

const loadName = (use: Use, key: string): string => `${use} ${key}`;

interface Slot {
  readonly holders: Set<Holder>;
  readonly controller: AbortController;
  readonly ready: Promise<RuntimeModel>;
  progress: LoadProgress | null;
}

/** Loaded models, shared by all holders with the same use. */
class ModelPool {
  readonly #runtimes: Runtimes;
  readonly #marks: LoadMarks;
  readonly #slots = new Map<string, Slot>();

  constructor(runtimes: Runtimes, marks: LoadMarks) {
    this.#runtimes = runtimes;
    this.#marks = marks;
  }

  lease(spec: ModelSpec, use: Use, holder: Holder): Lease {
    const key = [use, specKey(spec), specVariant(spec)].join(' ');
    const slot = this.#slots.get(key) ?? this.#open(key, spec, use);
    slot.holders.add(holder);
    if (slot.progress !== null) holder.onProgress(slot.progress);
    let requests = 0;
    let retired = false;
    const release = (): void => {
      if (slot.holders.delete(holder) && slot.holders.size === 0) this.#close(key, slot);
    };
    const releaseWhenUnused = (): void => {
      if (retired && requests === 0) release();
    };
    return {
      ready: slot.ready,
      active: (active) => {
        requests += active ? 1 : -1;
        releaseWhenUnused();
      },
      release,
      retire: () => {
        retired = true;
        releaseWhenUnused();
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
    // A failed load is dropped, so that the next lease tries again.
    slot.ready.catch(() => this.#forget(key, slot));
    return slot;
  }

  #load(spec: ModelSpec, use: Use, options: LoadOptions): Promise<RuntimeModel> {
    const load = (watched: LoadOptions) => this.#loadBy(spec, use, watched);
    if (spec.runtime === 'server' || spec.runtime === 'prompt-api') return load(options);
    return markedLoad(loadName(use, specKey(spec)), load, options, this.#marks);
  }

  async #loadBy(spec: ModelSpec, use: Use, options: LoadOptions): Promise<RuntimeModel> {
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
  readonly marks: LoadMarks;
  /** `consult`: the model asked where the embedded decider is unsure. */
  show(role: Role | 'consult', state: RoleState): void;
  /** Reports a failure of the consulted model, whose state is only shown where it is chosen. */
  consultFailed(failure: ModelFailure): void;
  /** Re-embeds the open conversation with a new embedder before it is put to use. */
  compareAnew(embedder: Embedder, onDone: (done: number, of: number) => void, signal: AbortSignal): Promise<void>;
  now(): number;
}

/** The models of all roles. The chat model has its own engine; deciding and summarising may share one. */
export interface RoleModels {
  readonly chat: RoleModel<ChatModel>;
  readonly decide: RoleModel<Decider>;
  readonly summarise: RoleModel<Summariser>;
  readonly embed: RoleModel<Embedder>;
  /** Consulted when the embedded decider is unsure; null for none. */
  readonly consult: RoleModel<Decider | null>;
}

/** Looks a model up by its key. Rejects with `not-found`. */
type SpecOf = (key: string) => Promise<ModelSpec>;

export const createRoleModels = (
  { embedded, runtimes, marks, show, consultFailed, compareAnew, now }: RoleModelsParts,
  specOf: SpecOf,
): RoleModels => {
  const pool = new ModelPool(runtimes, marks);
  let reported: RoleFailure | null = null;
  const meter = (): ((progress: LoadProgress) => Pick<Progress, 'speed' | 'timeLeft'>) => {
    const pace = speedMeter();
    return ({ loaded, total }) => pace(loaded, total, now());
  };
  const side = <T>(
    role: Role | 'consult',
    shipped: T & ({ readonly name: string } | null),
    make: RoleParts<T>['make'],
  ): RoleParts<T> => ({
    pool,
    specOf,
    use: 'side',
    meter,
    embedded: { model: shipped, name: shipped?.name ?? 'nobody' },
    make,
    now,
    show: (state) => {
      show(role, state);
      // A failure is shown again once a load that was tried after it is cancelled.
      if (role !== 'consult' || state.failure === null || state.failure === reported) return;
      reported = state.failure;
      consultFailed(new ModelFailure(reported.kind, reported.message));
    },
  });
  const decider: RoleParts<Decider>['make'] = async (loaded, watch) => {
    const { promptedDecider } = await import('../prompted/prompted-decider.ts');
    return promptedDecider(watchedGenerator(generatorIn(loaded), watch));
  };
  return {
    chat: new RoleModel<ChatModel>({
      ...side<ChatModel>('chat', embedded.chat, (loaded, watch) =>
        Object.assign(chatModel(watchedGenerator(generatorIn(loaded), watch)), { hold: () => watch.hold() }),
      ),
      use: 'chat',
    }),
    decide: new RoleModel<Decider>(side('decide', embedded.decide, decider)),
    summarise: new RoleModel<Summariser>(
      side<Summariser>('summarise', embedded.summarise, async (loaded, watch) => {
        const { promptedSummariser } = await import('../prompted/prompted-summariser.ts');
        return promptedSummariser(watchedGenerator(generatorIn(loaded), watch));
      }),
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
    consult: new RoleModel<Decider | null>(side<Decider | null>('consult', null, decider)),
  };
};

const generatorIn = (loaded: RuntimeModel) => {
  if (loaded.kind === 'generator') return loaded.generator;
  throw new ModelFailure(
    'unsupported',
    `${loaded.embedder.name} compares texts and cannot write. Choose another model.`,
  );
};

const embedderIn = (loaded: RuntimeModel) => {
  if (loaded.kind === 'embedder') return loaded.embedder;
  throw new ModelFailure(
    'unsupported',
    `${loaded.generator.name} writes and cannot compare texts. Choose another model.`,
  );
};

/** The model assigned to a role; `key` is null for the shipped one. */
export interface RoleAssignment {
  readonly choice: ModelChoice;
  readonly name: string;
  readonly key: string | null;
  /** The server it is on, once it has been looked up. */
  readonly leavesFor?: string | null;
}

interface RoleWatch extends ModelWatch {
  /** As in `ChatModel`. */
  hold(): () => void;
}

interface RoleParts<T> {
  readonly pool: ModelPool;
  readonly specOf: SpecOf;
  readonly use: Use;
  /** The shipped model. */
  readonly embedded: { readonly model: T; readonly name: string };
  /** Creates the role's model from a loaded one. */
  make(loaded: RuntimeModel, watch: RoleWatch): T | Promise<T>;
  /** Work left before the model takes over, with progress. */
  settle?(model: T, onProgress: (progress: LoadProgress | Progress) => void, signal: AbortSignal): Promise<void>;
  /** Creates a meter that computes loading speed from progress. */
  meter(): (progress: LoadProgress) => Pick<Progress, 'speed' | 'timeLeft'>;
  show(state: RoleState): void;
  /** Milliseconds. */
  now(): number;
}

/** Minimum milliseconds between progress updates, since a download reports every chunk. */
const SHOW_EVERY = 100;

interface AnsweringModel<T> {
  readonly model: T;
  /** null for the shipped model. */
  readonly lease: Lease | null;
  readonly wanted: RoleAssignment;
}

interface PendingModel {
  /** Named properly once it has been looked up. */
  wanted: RoleAssignment;
  awaited: boolean;
  readonly done: Promise<void>;
  readonly cancel: () => void;
  /** What was wanted before and had failed, or was still awaited; otherwise null. */
  readonly before: FailedModel | null;
}

interface FailedModel {
  readonly wanted: RoleAssignment;
  readonly failure: RoleFailure;
  /** Whether it may be loaded again unasked. */
  readonly mayReturn: boolean;
}

/** Failures that tell of what happened to a model, not of the model: it may load the next time. */
const PASSING: ReadonlySet<ModelFailureKind> = new Set(['device-lost', 'worker-died']);

/** The model of one role: the chosen, the active and the loading one. */
export class RoleModel<T> {
  readonly #parts: RoleParts<T>;
  #answering: AnsweringModel<T>;
  #coming: PendingModel | null = null;
  #failure: FailedModel | null = null;
  /** It was loaded again unasked and has answered nothing since: lost once more, it waits for the user. */
  #onTrial = false;
  /** The server denied the last request. The next one is still sent, since a key may have been set meanwhile. */
  #refusal: RoleFailure | null = null;
  #progress: Progress | null = null;
  #active = 0;

  constructor(parts: RoleParts<T>) {
    this.#parts = parts;
    this.#answering = { model: parts.embedded.model, lease: null, wanted: this.#shipped };
  }

  /** The active model. */
  get model(): T {
    return this.#answering.model;
  }

  /** The model that the user wants: active, loading or failed. */
  get wanted(): RoleAssignment {
    return this.#coming?.wanted ?? this.#failure?.wanted ?? this.#answering.wanted;
  }

  /** Whether the shipped model is standing in for the one wanted. */
  get standsIn(): boolean {
    return this.#answering.lease === null && this.wanted.key !== null;
  }

  /** Whether the model wanted failed, or is awaited. One just chosen is not missing: the shipped one answers until it is ready. */
  get isMissing(): boolean {
    return this.standsIn && (this.#coming?.awaited === true || this.#failure !== null);
  }

  /** The current load, and any that takes its place, if callers should wait for it; otherwise null. Never rejects. */
  get awaited(): Promise<void> | null {
    const coming = this.#coming;
    if (coming?.awaited !== true) return null;
    return coming.done.then(() => (this.#coming === coming ? undefined : (this.awaited ?? undefined)));
  }

  get failure(): RoleFailure | null {
    return this.#failure?.failure ?? null;
  }

  /**
   * Whether the next use may load it again unasked, since it was lost. One that ran out of memory waits for the user, as does
   * one lost again before it answered anything: each try takes long and may end the same way.
   */
  get mayReturn(): boolean {
    return this.#failure?.mayReturn === true;
  }

  /** Loads the model stored as chosen; callers wait. One that may have closed the page the last time (`left`) waits for the user. */
  async open(wanted: RoleAssignment, left: ReadonlySet<string>): Promise<void> {
    if (wanted.key === null || !left.has(loadName(this.#parts.use, wanted.key))) return this.choose(wanted, true);
    const failure = { kind: 'worker-died', message: 'It may have closed the page last time. Try again.' } as const;
    const withheld = this.withhold(wanted, failure);
    const spec = await this.#parts.specOf(wanted.key).catch(() => null);
    if (spec === null || this.#failure !== withheld) return;
    this.withhold({ ...wanted, name: specName(spec) }, failure);
  }

  /** Leaves a model chosen that is not loaded, and waits for the user. What answers until now is put away. */
  withhold(wanted: RoleAssignment, failure: RoleFailure): FailedModel {
    this.#put({ model: this.#parts.embedded.model, lease: null, wanted: this.#shipped });
    this.#failure = { wanted, failure, mayReturn: false };
    this.#show();
    return this.#failure;
  }

  /**
   * Loads a model and activates it when ready; until then the previous one answers. Rejects with a ModelFailure, which is also
   * shown; a cancelled load resolves. `awaited`: callers wait, unless a model is active.
   */
  async choose(wanted: RoleAssignment, awaited = false): Promise<void> {
    // Who waits for the one before waits for this one instead; where that had failed, none was active either.
    const isAwaited = this.#answering.lease === null && (awaited || this.isMissing);
    const before = this.#unloaded;
    this.#onTrial = false;
    this.#coming?.cancel();
    this.#coming = null;
    this.#failure = null;
    this.#refusal = null;
    this.#progress = null;
    if (wanted.key === null) {
      this.#put({ model: this.#parts.embedded.model, lease: null, wanted });
      return this.#show();
    }
    let failed: ModelFailure | null = null;
    const loading = this.#load(wanted.key, (spec) => {
      mine.wanted = { ...wanted, name: specName(spec), leavesFor: spec.runtime === 'server' ? spec.baseUrl : null };
      this.#show();
      return mine.wanted;
    });
    const done = loading.done.catch((error: unknown) => {
      failed = toFailure(error);
    });
    const mine: PendingModel = { wanted, awaited: isAwaited, done, cancel: loading.cancel, before };
    this.#coming = mine;
    this.#show();
    await done;
    // Cancelled, or superseded by another choice.
    if (this.#coming !== mine) return;
    this.#coming = null;
    this.#progress = null;
    if (failed !== null) this.#fail(mine.wanted, failed);
    this.#show();
    if (failed !== null) throw failed;
  }

  /**
   * Cancels loading; the active model stays chosen. Where callers wait because there is none, what was chosen before stays
   * chosen, without being loaded: the shipped model never takes its place unasked.
   */
  cancel(): void {
    const coming = this.#coming;
    if (coming === null) return;
    const left = this.#unloaded;
    // Nor is what was cancelled loaded again unasked.
    this.#failure = left && { ...left, mayReturn: left.mayReturn && left.wanted.key !== coming.wanted.key };
    this.#coming = null;
    this.#progress = null;
    coming.cancel();
    this.#show();
  }

  /** Stops using a removed model, in the middle of a reply too: the shipped one answers until the one wanted is ready. */
  drop(isGone: (key: string) => boolean): void {
    const { key } = this.#answering.wanted;
    if (key === null || !isGone(key)) return;
    this.#answering.lease?.release();
    this.#put({ model: this.#parts.embedded.model, lease: null, wanted: this.#shipped });
    this.#show();
  }

  /**
   * Reloads the model that failed, unless another is loading. One whose server refused is still loaded; its next request shows
   * whether that is over. `asked`: by the user.
   */
  async retry(asked = true): Promise<void> {
    if (this.#coming !== null) return this.#coming.done;
    if (this.#failure !== null) {
      const loading = this.choose(this.#failure.wanted, true);
      this.#onTrial = !asked;
      return loading;
    }
    if (this.#refusal === null) return;
    this.#refusal = null;
    this.#show();
  }

  /** What callers would wait for in vain without the current load: what failed before it, or else what it loads. Null if for nothing. */
  get #unloaded(): FailedModel | null {
    if (this.#failure !== null || this.#coming?.awaited !== true) return this.#failure;
    const { before, wanted } = this.#coming;
    const failure = { kind: 'closed', message: `${wanted.name} was not loaded. Try again.` } as const;
    return before ?? { wanted, failure, mayReturn: false };
  }

  /** `onFound` returns the assignment with the name of the model that was found. */
  #load(key: string, onFound: (spec: ModelSpec) => RoleAssignment): { done: Promise<void>; cancel: () => void } {
    const { pool, specOf, use, make, settle, meter, now } = this.#parts;
    const isDue = dueEvery(SHOW_EVERY, now);
    const controller = new AbortController();
    const { signal } = controller;
    const speed = meter();
    const onProgress = (progress: LoadProgress | Progress): void => {
      if (signal.aborted) return;
      const before = this.#progress;
      this.#progress = 'speed' in progress ? progress : { ...progress, ...speed(progress) };
      if (isDue() || before?.phase !== progress.phase) this.#show();
    };
    const load = async (): Promise<void> => {
      const spec = await specOf(key);
      signal.throwIfAborted();
      const wanted = onFound(spec);
      const lease = pool.lease(spec, use, { onProgress, onLost: (error) => this.#lose(lease, error) });
      signal.addEventListener('abort', () => lease.release());
      try {
        const model = await make(await lease.ready, {
          active: (active) => {
            lease.active(active);
            this.#work(active);
          },
          hold: () => {
            lease.active(true);
            return () => lease.active(false);
          },
          refused: (failure) => this.#refuse(lease, failure),
        });
        await settle?.(model, onProgress, signal);
        signal.throwIfAborted();
        // The previous model may have been lost meanwhile.
        this.#failure = null;
        this.#put({ model, lease, wanted });
      } catch (error) {
        lease.release();
        throw error;
      }
    };
    const done = new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      load().then(resolve, reject);
    });
    return { done, cancel: () => controller.abort(new ModelFailure('closed', 'Loading was cancelled.')) };
  }

  /** A reply in progress is finished by the model that began it. */
  #put(next: AnsweringModel<T>): void {
    this.#answering.lease?.retire();
    this.#refusal = null;
    this.#answering = next;
  }

  /** Falls back to the shipped model until the lost one is loaded again. */
  #lose(lease: Lease, error: Error): void {
    if (this.#answering.lease !== lease) return;
    const { wanted } = this.#answering;
    // Its requests may never end by themselves.
    lease.release();
    this.#put({ model: this.#parts.embedded.model, lease: null, wanted: this.#shipped });
    this.#fail(wanted, toFailure(error), true);
    // Nothing answers any more until the one that is loading is ready.
    if (this.#coming !== null) this.#coming.awaited = true;
    this.#show();
  }

  #fail(wanted: RoleAssignment, failure: ModelFailure, lost = false): void {
    const { kind } = failure;
    const mayReturn = (lost || PASSING.has(kind)) && kind !== 'out-of-memory' && !this.#onTrial;
    this.#failure = { wanted, failure: roleFailure(failure), mayReturn };
  }

  #refuse(lease: Lease, failure: ModelFailure | null): void {
    if (this.#answering.lease !== lease) return;
    if (failure === null) this.#onTrial = false;
    if (failure === null && this.#refusal === null) return;
    this.#refusal = failure && roleFailure(failure);
    this.#show();
  }

  #work(active: boolean): void {
    this.#active += active ? 1 : -1;
    this.#show();
  }

  get #shipped(): RoleAssignment {
    return { choice: { kind: 'embedded' }, name: this.#parts.embedded.name, key: null };
  }

  get state(): RoleState {
    const { wanted, isMissing: missing } = this;
    const { choice, name } = wanted;
    const { lease, wanted: used } = this.#answering;
    const previous = lease === null || used === wanted ? null : { name: used.name, leavesFor: used.leavesFor ?? null };
    const refused = this.#coming === null && this.#active === 0 ? this.#refusal : null;
    const failure = this.failure ?? refused;
    const state = this.#coming !== null ? 'loading' : failure !== null ? 'failed' : this.#active > 0 ? 'busy' : 'ready';
    return { choice, name, answering: used.name, previous, missing, state, progress: this.#progress, failure };
  }

  #show(): void {
    this.#parts.show(this.state);
  }
}

const toFailure = (error: unknown): ModelFailure =>
  error instanceof ModelFailure ? error : new ModelFailure('unknown', errorMessage(error), { cause: error });

/** A failure as shown, with the HTTP status if a server refused. */
const roleFailure = ({ kind, message, status }: ModelFailure): RoleFailure => ({ kind, message, status });
