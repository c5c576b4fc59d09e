import type { Cost } from '../context/cost.ts';

/**
 * What a memory asks of models while it takes a turn in, or recalls for one. A text that it had embedded before costs nothing
 * again; one that only others had embedded costs it what it cost them, so that memories compared side by side, which
 * share vectors, pay alike.
 */
export class Bill {
  /** Texts that were embedded for the first time. */
  readonly texts = new Set<string>();
  readonly #known: (text: string) => boolean;
  readonly #now: () => number;
  #calls = 0;
  #read = 0;
  #ms = 0;

  /** `known`: texts that the memory had embedded before; `now`: milliseconds on a clock. */
  constructor(known: (text: string) => boolean, now: () => number) {
    this.#known = known;
    this.#now = now;
  }

  get cost(): Cost {
    return { calls: this.#calls, read: this.#read, ms: this.#ms };
  }

  /** Those of the texts that were not embedded before. */
  unknown(texts: readonly string[]): string[] {
    return [...new Set(texts)].filter((text) => text.trim() !== '' && !this.texts.has(text) && !this.#known(text));
  }

  /** A model was asked: of how many tokens, and milliseconds that passed elsewhere for it. */
  asked(read: number, ms = 0): void {
    this.#calls += 1;
    this.#read += read;
    this.#ms += ms;
  }

  /** The time that work takes, as it is done. */
  async time<T>(work: () => Promise<T>): Promise<T> {
    const begun = this.#now();
    try {
      return await work();
    } finally {
      this.#ms += this.#now() - begun;
    }
  }

  /** What is done for the bill alone, inside work that is timed. */
  async apart<T>(work: () => Promise<T>): Promise<T> {
    const begun = this.#now();
    try {
      return await work();
    } finally {
      this.#ms -= this.#now() - begun;
    }
  }
}
