import { DynamicCache, type Tensor } from '@huggingface/transformers';

/** A model's keys and values of one text, by layer; see transformers.js, cache_utils. */
export type KeyValues = InstanceType<typeof DynamicCache>;

interface Read {
  readonly tokens: readonly number[];
  readonly values: KeyValues;
}

/** What two texts share has to be so much of the new one, or of the one that was read: else they are of two kinds, and both are kept. */
const LEAST_SHARED = { of: 0.2, read: 0.5 } as const;

/**
 * Texts that were read, the last first, and what the model remembers of them: questions of several kinds to one model each
 * find how they began last time.
 */
export class PromptCache {
  readonly #most: { readonly texts: number; readonly tokens: number };
  #kept: readonly Read[] = [];

  /** `tokens`: of all texts together, beside which the one that is worked on has its own. */
  constructor(most: { readonly texts: number; readonly tokens: number }) {
    this.#most = most;
  }

  /**
   * What can be used again for a text: its keys and values, and of how many of its tokens they are; the last token is always
   * read. They are the caller's from now on: `keep` gives them back.
   */
  async take(tokens: readonly number[]): Promise<{ readonly values: KeyValues | null; readonly reused: number }> {
    const found = this.#nearest(tokens);
    if (found === null) return { values: null, reused: 0 };
    const { read, shared } = found;
    this.#kept = this.#kept.filter((kept) => kept !== read);
    const { values } = read;
    if (shared === values.get_seq_length()) return { values, reused: shared };
    const entries = Object.entries(values as Readonly<Record<string, Tensor>>);
    // What lies on the GPU cannot be cut here, nor what is no list of tokens (states of a convolution).
    if (!entries.every(([name, { location }]) => name.startsWith('past_key_values.') && location === 'cpu')) {
      await values.dispose();
      return { values: null, reused: 0 };
    }
    const cut = entries.map(([name, tensor]) => [name, tensor.slice(null, null, [0, shared], null)] as const);
    return { values: new DynamicCache(Object.fromEntries(cut)), reused: shared };
  }

  /** `tokens`: the whole text, of which the newest may not have been read yet. */
  async keep(tokens: readonly number[], values: KeyValues): Promise<void> {
    const all = [{ tokens: tokens.slice(0, values.get_seq_length()), values }, ...this.#kept];
    let room = this.#most.tokens;
    this.#kept = all.filter((read, i) => {
      room -= read.tokens.length;
      return i === 0 || (i < this.#most.texts && room >= 0);
    });
    for (const read of all) if (!this.#kept.includes(read)) await read.values.dispose();
  }

  /** The text that shares most; where only one is kept, whatever it shares, for it has to make room. */
  #nearest(tokens: readonly number[]): { readonly read: Read; readonly shared: number } | null {
    let best: { readonly read: Read; readonly shared: number } | null = null;
    for (const read of this.#kept) {
      const shared = Math.min(sharedStart(read.tokens, tokens), tokens.length - 1);
      if (best === null || shared > best.shared) best = { read, shared };
    }
    if (best === null || this.#most.texts === 1) return best;
    const { shared, read } = best;
    const alike = shared >= tokens.length * LEAST_SHARED.of || shared >= read.tokens.length * LEAST_SHARED.read;
    return alike ? best : null;
  }
}

/** How many tokens two texts have in common from the start. */
const sharedStart = (one: readonly number[], other: readonly number[]): number => {
  const differs = one.findIndex((token, i) => token !== other[i]);
  return differs < 0 ? Math.min(one.length, other.length) : differs;
};
