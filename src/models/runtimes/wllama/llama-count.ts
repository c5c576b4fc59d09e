import type { Llama } from './load-llama.ts';

const TOO_LONG = /request \((\d+) tokens\)/;

export type CountTokens = (text: string) => Promise<number>;

/**
 * Counts tokens by the model's own tokenizer. wllama has no call for that. But a prompt that is longer than the window is
 * refused before any work, with its exact length, and leaves the cache as it is: so a text is sent behind more lines
 * than the window can hold. Rejects where the answer is another one, as it may be in a later version.
 */
export const tokenCounter = async ({ wllama, window }: Llama): Promise<CountTokens> => {
  // Two tokens a line at least, whatever the vocabulary; a line's end keeps them apart from the text, and a space begins its first word.
  const padding = 'a\n'.repeat(window);
  const lengthOf = async (prompt: string): Promise<number> => {
    const answer = await wllama.createCompletion({ prompt, max_tokens: 1 }).catch((error: unknown) => error);
    const length = answer instanceof Error ? TOO_LONG.exec(answer.message)?.[1] : undefined;
    if (length !== undefined) return Number(length);
    throw answer instanceof Error ? answer : new Error('a prompt beyond the window was taken');
  };
  const ofPadding = await lengthOf(padding);
  return async (text) => (text === '' ? 0 : Math.max(1, (await lengthOf(`${padding} ${text}`)) - ofPadding));
};
