import { DynamicCache, type Tensor } from '@huggingface/transformers';

/** A model's keys and values of one text, by layer; see transformers.js, cache_utils. */
export type KeyValues = InstanceType<typeof DynamicCache>;

/** The text that was read last, and what the model remembers of it. */
export class PromptCache {
  #tokens: readonly number[] = [];
  #values: KeyValues | null = null;

  /**
   * What can be used again for a text: its keys and values, and of how many of its tokens they are; the last token is always
   * read. They are the caller's from now on: `keep` gives them back.
   */
  async take(tokens: readonly number[]): Promise<{ readonly values: KeyValues | null; readonly reused: number }> {
    const values = this.#values;
    const shared = Math.min(sharedStart(this.#tokens, tokens), tokens.length - 1);
    this.#values = null;
    if (values === null || shared === 0) return nothing(values);
    if (shared === values.get_seq_length()) return { values, reused: shared };
    const entries = Object.entries(values as Readonly<Record<string, Tensor>>);
    // What lies on the GPU cannot be cut here, nor what is no list of tokens (states of a convolution).
    if (!entries.every(([name, { location }]) => name.startsWith('past_key_values.') && location === 'cpu')) {
      return nothing(values);
    }
    const cut = entries.map(([name, tensor]) => [name, tensor.slice(null, null, [0, shared], null)] as const);
    return { values: new DynamicCache(Object.fromEntries(cut)), reused: shared };
  }

  /** `tokens`: the whole text, of which the newest may not have been read yet. */
  keep(tokens: readonly number[], values: KeyValues): void {
    this.#tokens = tokens.slice(0, values.get_seq_length());
    this.#values = values;
  }
}

const nothing = async (values: KeyValues | null): Promise<{ values: null; reused: 0 }> => {
  await values?.dispose();
  return { values: null, reused: 0 };
};

/** How many tokens two texts have in common from the start. */
const sharedStart = (one: readonly number[], other: readonly number[]): number => {
  const differs = one.findIndex((token, i) => token !== other[i]);
  return differs < 0 ? Math.min(one.length, other.length) : differs;
};
