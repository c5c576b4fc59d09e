import type { GenerationRequest, LoadOptions } from '../runtime.ts';

/** A signal that is never aborted. */
export const never = new AbortController().signal;

/** A load that nobody watches. */
export const loading: LoadOptions = { signal: never, onProgress: () => undefined, onLost: () => undefined };

/** One message, answered greedily. */
export const asked = (content: string, more: Partial<GenerationRequest> = {}): GenerationRequest => ({
  messages: [{ role: 'user', content }],
  begun: '',
  temperature: 0,
  topP: null,
  maxTokens: 16,
  schema: null,
  ...more,
});

export const collect = async (answer: AsyncIterable<string>): Promise<{ text: string; pieces: number }> => {
  let text = '';
  let pieces = 0;
  for await (const piece of answer) {
    text += piece;
    pieces += 1;
  }
  return { text, pieces };
};
