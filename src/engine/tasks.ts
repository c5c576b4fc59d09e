import type { Timing } from '../domain/decision.ts';

/** Loads something once, when it is first asked for. A load that failed is tried again when it is asked for again. */
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

/** A model did not answer in time. */
class TimeoutFailure extends Error {
  constructor(ms: number) {
    super(`no answer within ${ms / 1000} s`);
    this.name = 'TimeoutFailure';
  }
}

/** Runs a task with a signal that fires when time is up or the outer signal does. Rejects then. */
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

/** How long the page may be busy without a pause, in milliseconds: half a frame. */
export const SPELL = 8;

/**
 * Lets input and drawing come in between. A timer would wait for 4 ms each time; what goes on after `scheduler.yield` comes before what
 * draws, and nothing would be seen for 100 ms.
 */
export const breathe = async (): Promise<void> => {
  const { scheduler } = globalThis as { readonly scheduler?: { postTask?(task: () => void): Promise<void> } };
  await (scheduler?.postTask?.(() => undefined) ?? new Promise((resolve) => setTimeout(resolve)));
};

/** Breathes where it is due. `now`: milliseconds on a clock that never goes back. */
export const breathing = (now: () => number): (() => Promise<void>) => {
  let since = now();
  return async () => {
    if (now() - since <= SPELL) return;
    await breathe();
    since = now();
  };
};

/**
 * Whether what comes often is due: at first, and then once `every` milliseconds have passed since it last was. For progress, of which every
 * single step would be too much to draw or to send. `now`: milliseconds on a clock that never goes back.
 */
export const dueEvery = (every: number, now: () => number = () => performance.now()): (() => boolean) => {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const at = now();
    if (at - last < every) return false;
    last = at;
    return true;
  };
};

/** Times the steps of one turn, in milliseconds from its beginning. */
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

  /** Takes the laps so far, so that what comes later is reported by itself. */
  take(): Timing[] {
    return this.laps.splice(0);
  }
}

/** A tab that is not seen draws nothing: after so many milliseconds it is not waited for. */
const UNSEEN = 100;

/** Resolves once the page has drawn what it shows by now; where there is no page, soon. */
export const drawn = (): Promise<void> =>
  new Promise((resolve) => {
    if (globalThis.requestAnimationFrame === undefined) return void setTimeout(resolve);
    setTimeout(resolve, UNSEEN);
    // A frame's callbacks come before it is drawn, tasks after.
    requestAnimationFrame(() => setTimeout(resolve));
  });

/** Runs a task when the page has nothing else to do; where there is no page, soon. */
export const whenIdle = (task: () => void): void => {
  if (globalThis.requestIdleCallback === undefined) setTimeout(task);
  else requestIdleCallback(task);
};
