import type { Usage } from '../../../domain/reply.ts';
import type { GenerationRequest, LoadOptions, TextGenerator } from '../runtime.ts';

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

/** A long answer, stopped as soon as more than twenty characters of it have come. */
export const stoppedEarly = async (
  model: Pick<TextGenerator, 'generate'>,
): Promise<{ text: string; usage: Usage[] }> => {
  const stop = new AbortController();
  const usage: Usage[] = [];
  const request = asked('Once', { maxTokens: 400, temperature: 1, onUsage: (one) => usage.push(one) });
  let text = '';
  for await (const piece of model.generate(request, stop.signal)) {
    text += piece;
    if (text.length > 20) stop.abort();
  }
  return { text, usage };
};

export const collect = async (answer: AsyncIterable<string>): Promise<{ text: string; pieces: number }> => {
  let text = '';
  let pieces = 0;
  for await (const piece of answer) {
    text += piece;
    pieces += 1;
  }
  return { text, pieces };
};
