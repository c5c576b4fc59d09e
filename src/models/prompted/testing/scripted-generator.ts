import type { GenerationRequest, TextGenerator } from '../../runtimes/runtime.ts';

/** A text generator that says what a test tells it, a few characters at a time, and records its requests. */
export const scriptedGenerator = (
  say: string | Error | ((request: GenerationRequest) => string | Error),
  parts: Partial<TextGenerator> = {},
): TextGenerator & { requests: GenerationRequest[] } => {
  const requests: GenerationRequest[] = [];
  return {
    name: 'scripted',
    window: 4096,
    estimates: false,
    count: async (texts) => texts.map((text) => text.split(/\s+/).length),
    close: () => undefined,
    ...parts,
    requests,
    async *generate(request, signal) {
      requests.push(request);
      const said = typeof say === 'function' ? say(request) : say;
      if (said instanceof Error) throw said;
      for (const piece of said.match(/.{1,7}/gsu) ?? []) {
        if (signal.aborted) return;
        yield piece;
      }
    },
  };
};
