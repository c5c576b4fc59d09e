/** How long the page may be busy without a pause, in milliseconds: half a frame. */
const SPELL = 8;

/** Lets the page breathe during long work: input and drawing come in between. */
export class Breath {
  readonly #elapsed: () => number;
  #since: number;

  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
    this.#since = elapsed();
  }

  due(): boolean {
    return this.#elapsed() - this.#since > SPELL;
  }

  async take(): Promise<void> {
    // A timer's turn comes four milliseconds later.
    if (globalThis.scheduler?.yield === undefined) await new Promise((resolve) => setTimeout(resolve));
    else await scheduler.yield();
    this.#since = this.#elapsed();
  }
}
