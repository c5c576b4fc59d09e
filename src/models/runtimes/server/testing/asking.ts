import { defaultReplySettings } from '../../../../domain/reply.ts';
import type { GenerationRequest, LoadOptions, TextGenerator } from '../../runtime.ts';

export const loading = (signal = new AbortController().signal): LoadOptions => ({
  signal,
  onProgress: () => undefined,
  onLost: () => undefined,
});

export const question = (parts: Partial<GenerationRequest> = {}): GenerationRequest => {
  const { systemPrompt: _, ...own } = defaultReplySettings;
  return { messages: [{ role: 'user', content: 'Hello there' }], begun: '', schema: null, ...own, ...parts };
};

/** The content of an answer, and how it ended. */
export const answered = async (
  generator: TextGenerator,
  request: GenerationRequest = question(),
  signal: AbortSignal = new AbortController().signal,
): Promise<{ text: string; error: unknown }> => {
  let text = '';
  try {
    for await (const piece of generator.generate(request, signal)) text += piece;
    return { text, error: null };
  } catch (error) {
    return { text, error };
  }
};
