import { createParser } from 'eventsource-parser';
import { ModelFailure } from '../../../engine/model-failure.ts';
import { hostOf } from './base-url.ts';
import { type Call, notJson } from './server-api.ts';

/** The data of each server-sent event of an answer. `heard` is called whenever something came. Rejects with `stream-cut`. */
export async function* events(
  response: Response,
  { baseUrl, signal }: Call,
  heard: () => void,
): AsyncGenerator<string> {
  if (response.body === null) throw notJson(baseUrl);
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const arrived: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => arrived.push(data) });
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause) => {
        signal.throwIfAborted();
        throw streamCut(baseUrl, cause);
      });
      heard();
      if (done) parser.reset({ consume: true });
      else parser.feed(decoder.decode(value, { stream: true }));
      yield* arrived.splice(0);
      if (done) return;
    }
  } finally {
    // A stream that broke off cannot be cancelled any more.
    await reader.cancel().catch(() => undefined);
  }
}

export const streamCut = (baseUrl: string, cause?: unknown): ModelFailure =>
  new ModelFailure(
    'stream-cut',
    `The answer of ${hostOf(baseUrl)} broke off. What came is kept; go on with it or try again.`,
    {
      cause,
    },
  );
