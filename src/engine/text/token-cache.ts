import type { TokenCounter } from '../ports.ts';

/** Token counts by text: counted in one batch by `prepare`, then read synchronously. */
export class TokenCache {
  #counter: TokenCounter;
  readonly #counts = new Map<string, number>([['', 0]]);

  constructor(counter: TokenCounter) {
    this.#counter = counter;
  }

  /** Has another counter of the same name count from now on: a model that is loaded again is another one, and the one before is closed. */
  use(counter: TokenCounter): void {
    this.#counter = counter;
  }

  /** Name of the tokenizer: the unit of every count. */
  get unit(): string {
    return this.#counter.name;
  }

  /** Counts the texts that have not been counted yet. */
  async prepare(texts: Iterable<string>): Promise<void> {
    // Filtered one by one: in a long conversation all but a few of thousands are already counted.
    const unknown = new Set<string>();
    for (const text of texts) if (!this.#counts.has(text)) unknown.add(text);
    if (unknown.size === 0) return;
    const missing = [...unknown];
    const counts = await this.#counter.count(missing);
    missing.forEach((text, i) => {
      this.#counts.set(text, counts[i] as number);
    });
  }

  /** Throws if the text was not prepared. */
  count(text: string): number {
    const count = this.#counts.get(text);
    if (count === undefined) throw new Error('a text was not prepared for counting');
    return count;
  }
}

/**
 * Cost of a policy's own bookkeeping between the previous context and this one: taking in the previous turn and finding
 * what to send. Excludes what is sent.
 */
export interface Cost {
  /** Number of model calls, in any role. */
  readonly calls: number;
  /** Tokens that models were given to read for it, as counted by the chat model. */
  readonly read: number;
  /** Milliseconds spent while building the context, measured now on this device. */
  readonly ms: number;
  /** Milliseconds recorded in the log when the turn was sent, with the models and device of that time. */
  readonly logged: number;
}

/** Cost of a policy without bookkeeping. */
export const NO_COST: Cost = { calls: 0, read: 0, ms: 0, logged: 0 };

export const sumCosts = (costs: readonly Cost[]): Cost =>
  costs.reduce(
    (a, b) => ({ calls: a.calls + b.calls, read: a.read + b.read, ms: a.ms + b.ms, logged: a.logged + b.logged }),
    NO_COST,
  );
