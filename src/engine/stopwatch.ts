import type { Timing } from '../domain/decision.ts';

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
