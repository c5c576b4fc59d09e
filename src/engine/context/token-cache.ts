import type { TokenCounter } from '../ports.ts';

/** Token counts by text, asked for in one batch and then read without waiting. */
export class TokenCache {
  readonly #counter: TokenCounter;
  readonly #counts = new Map<string, number>([['', 0]]);

  constructor(counter: TokenCounter) {
    this.#counter = counter;
  }

  /** Name of the tokenizer: the unit of every count. */
  get unit(): string {
    return this.#counter.name;
  }

  /** Counts what has not been counted yet. */
  async prepare(texts: Iterable<string>): Promise<void> {
    // One by one: of a long conversation's thousands all but a few have been counted.
    const unknown = new Set<string>();
    for (const text of texts) if (!this.#counts.has(text)) unknown.add(text);
    if (unknown.size === 0) return;
    const missing = [...unknown];
    const counts = await this.#counter.count(missing);
    missing.forEach((text, i) => {
      this.#counts.set(text, counts[i] as number);
    });
  }

  /** Throws for a text that was not prepared. */
  count(text: string): number {
    const count = this.#counts.get(text);
    if (count === undefined) throw new Error('a text was not prepared for counting');
    return count;
  }
}
