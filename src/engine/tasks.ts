import type { Timing } from '../domain/decision.ts';

/** Loads something once, on first use. A failed load is retried on the next call. */
export const once = <T>(load: () => Promise<T>): (() => Promise<T>) => {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load();
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };
};

/** Caches what `make` derives from a text; once it holds `most` texts, it starts anew. For what is asked again and again. */
export const remembered = <T>(most: number, make: (text: string) => T): ((text: string) => T) => {
  const known = new Map<string, T>();
  return (text) => {
    let made = known.get(text);
    if (made === undefined) {
      if (known.size >= most) known.clear();
      made = make(text);
      known.set(text, made);
    }
    return made;
  };
};

/** Caches what `make` derives from an immutable record, for as long as the record is there. */
export const rememberedOf = <Key extends object, T>(make: (of: Key) => T): ((of: Key) => T) => {
  const known = new WeakMap<Key, { readonly made: T }>();
  return (of) => {
    let kept = known.get(of);
    if (kept === undefined) {
      kept = { made: make(of) };
      known.set(of, kept);
    }
    return kept.made;
  };
};

/** A model did not answer in time. */
class TimeoutFailure extends Error {
  constructor(ms: number) {
    super(`no answer within ${ms / 1000} s`);
    this.name = 'TimeoutFailure';
  }
}

/** Runs a task with a signal that fires on timeout or with the outer signal, and rejects then. */
export const withPatience = async <T>(
  task: (signal: AbortSignal) => Promise<T>,
  ms: number,
  outer: AbortSignal,
): Promise<T> => {
  const inner = new AbortController();
  let clear: () => void = () => undefined;
  const over = new Promise<never>((_, reject) => {
    const give = (reason: unknown) => {
      inner.abort(reason);
      reject(reason);
    };
    const timer = setTimeout(() => give(new TimeoutFailure(ms)), ms);
    const onAbort = () => give(outer.reason);
    outer.addEventListener('abort', onAbort, { once: true });
    clear = () => {
      clearTimeout(timer);
      outer.removeEventListener('abort', onAbort);
    };
    if (outer.aborted) onAbort();
  });
  try {
    return await Promise.race([task(inner.signal), over]);
  } finally {
    clear();
  }
};

/** Settles like the promise, or rejects with the signal's reason as soon as it is aborted. */
export const abortable = <T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> => {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
};

/** Runs one task at a time, in the order requested. A failing task does not hold up the next. */
export class Queue {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#last.then(task);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /**
   * For work that is not a single call: resolves when its turn comes, with a function that ends it. Rejects with the
   * signal's reason, without taking a turn.
   */
  async enter(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    let leave: () => void = () => undefined;
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const entered = new Promise<() => void>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      void this.run(() => {
        resolve(leave);
        return left;
      });
    });
    return entered.catch((error: unknown) => {
      leave();
      throw error;
    });
  }
}

/** Runs only the task that was asked for last: another one, or cancelling, aborts it and drops its result. */
export class LatestTask {
  #running: AbortController | null = null;

  /** Resolves to null if the task did not remain the latest one. */
  async run<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
    this.cancel();
    const own = new AbortController();
    this.#running = own;
    try {
      const result = await task(own.signal);
      return own.signal.aborted ? null : result;
    } catch (error) {
      if (own.signal.aborted) return null;
      throw error;
    } finally {
      if (this.#running === own) this.#running = null;
    }
  }

  cancel(): void {
    this.#running?.abort();
    this.#running = null;
  }
}

/** How long the page may be busy without a pause, in milliseconds: half a frame. */
export const SPELL = 8;

/**
 * Yields to input and rendering. A timer would wait for 4 ms each time, and a second in a background tab; continuations
 * after `scheduler.yield` run before rendering, and nothing would be painted for 100 ms. In the background, all other
 * tasks come first.
 */
export const yieldToPage = async (priority: Priority = 'user-visible'): Promise<void> => {
  const { scheduler } = globalThis as { readonly scheduler?: Scheduler };
  await (scheduler?.postTask?.(() => undefined, { priority }) ?? nextMessage());
};

type Priority = 'user-visible' | 'background';

interface Scheduler {
  postTask?(task: () => void, options: { readonly priority: Priority }): Promise<void>;
}

const nextMessage = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });

/**
 * Returns a function that yields when due, after `before`, and rejects once the signal has fired. `now`: milliseconds on a monotonic
 * clock.
 */
export const createYielder = (
  now: () => number,
  signal?: AbortSignal,
  before?: () => void,
  priority?: Priority,
): (() => Promise<void>) => {
  let since = now();
  return async () => {
    signal?.throwIfAborted();
    if (now() - since <= SPELL) return;
    before?.();
    await yieldToPage(priority);
    since = now();
    signal?.throwIfAborted();
  };
};

/** Does work in steps for as long as a frame allows; null if the work takes longer. `now` as above. */
export const withinSpell = <T>(steps: Iterator<unknown, T>, now: () => number): { readonly result: T } | null => {
  const until = now() + SPELL;
  let step = steps.next();
  while (!step.done && now() < until) step = steps.next();
  return step.done ? { result: step.value } : null;
};

/** Does the remaining steps, and lets the page breathe in between. */
export const inSteps = async <T>(steps: Iterator<unknown, T>, breathe: () => Promise<void>): Promise<T> => {
  for (;;) {
    await breathe();
    const step = steps.next();
    if (step.done) return step.value;
  }
};

/**
 * Returns a throttle: true after `first` milliseconds, and then once `every` milliseconds have passed since it was last
 * true. For progress updates, which are too many to draw or send one by one. `now`: milliseconds on a monotonic clock.
 */
export const dueEvery = (every: number, now: () => number = () => performance.now(), first = 0): (() => boolean) => {
  let next = now() + first;
  return () => {
    const at = now();
    if (at < next) return false;
    next = at + every;
    return true;
  };
};

/** Times the steps of one turn, in milliseconds from its start. */
export class Stopwatch {
  readonly laps: Timing[] = [];
  readonly #now: () => number;
  readonly #begun: number;

  constructor(now: () => number) {
    this.#now = now;
    this.#begun = now();
  }

  async time<T>(step: string, work: () => Promise<T>): Promise<T> {
    const start = this.#now();
    try {
      return await work();
    } finally {
      this.lap(step, start);
    }
  }

  /** Ends a step that began at `start`, a reading of the same clock. */
  lap(step: string, start: number): void {
    this.laps.push({ step, start: start - this.#begun, ms: this.#now() - start });
  }

  now(): number {
    return this.#now();
  }

  /** Removes and returns the laps so far, so that later ones are reported separately. */
  take(): Timing[] {
    return this.laps.splice(0);
  }
}

/** A hidden tab paints nothing, so the wait ends after this many milliseconds. */
const UNSEEN = 100;

/** Resolves once the page has painted its current state; without a page, soon. */
export const nextPaint = (): Promise<void> =>
  new Promise((resolve) => {
    if (globalThis.requestAnimationFrame === undefined) return void setTimeout(resolve);
    setTimeout(resolve, UNSEEN);
    // A frame's callbacks run before it is painted, tasks after.
    requestAnimationFrame(() => setTimeout(resolve));
  });

/** Runs a task when the page is idle, or after `atLatest` milliseconds; without a page, soon. */
export const whenIdle = (task: () => void, atLatest?: number): void => {
  const { requestIdleCallback } = globalThis as {
    requestIdleCallback?(task: () => void, options: { readonly timeout?: number }): void;
  };
  if (requestIdleCallback === undefined) setTimeout(task);
  else requestIdleCallback(task, atLatest === undefined ? {} : { timeout: atLatest });
};

interface AskOptions {
  /** The error's message if the worker does not start or crashes without saying why. */
  readonly failed: string;
  readonly signal?: AbortSignal;
  readonly transfer?: Transferable[];
}

/** Asks a worker that gives a single answer, and ends it. Rejects if it crashes, or with the signal's reason. */
export const askWorker = async <Answer>(
  worker: Worker,
  request: unknown,
  { failed, signal, transfer = [] }: AskOptions,
): Promise<Answer> => {
  try {
    signal?.throwIfAborted();
    const answer = new Promise<Answer>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<Answer>) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message || failed));
      worker.postMessage(request, transfer);
    });
    return await abortable(answer, signal);
  } finally {
    worker.terminate();
  }
};
