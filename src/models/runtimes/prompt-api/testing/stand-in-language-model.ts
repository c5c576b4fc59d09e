import type { Availability } from '../prompt-api-runtime.ts';

export interface StandInOptions {
  readonly availability?: Availability;
  /** Steps in which a `downloadable` model is downloaded, and the milliseconds between them. */
  readonly download?: { readonly steps: number; readonly delay: number };
  /** In tokens; here a word is one. */
  readonly window?: number;
  /** The first entry whose pattern occurs in the question is the answer; otherwise the message is repeated. */
  readonly answers?: readonly { readonly asked: string; readonly text: string }[];
  /** Milliseconds between pieces. */
  readonly pieceDelay?: number;
  /** Uses the names from before 2026: `inputQuota`, `inputUsage`, `measureInputUsage`. */
  readonly oldNames?: boolean;
  /** Whether a page may set the temperature. */
  readonly sampling?: boolean;
}

/** A call to the stand-in, recorded in order. */
interface StandInCall {
  readonly did: 'create' | 'clone' | 'append' | 'prompt' | 'destroy';
  readonly session: number;
  /** What was created, appended or asked, as `role: text`; for a clone, what it was cloned from. */
  readonly with: readonly string[] | number | null;
  readonly temperature?: number;
}

export interface StandInControl {
  readonly calls: StandInCall[];
  /** Names of the errors that the next prompts reject with, each after one piece. */
  readonly failures: string[];
}

/**
 * Installs a stand-in for the browser's own model where pages look for it: a `LanguageModel` with the standard's shape,
 * quotas and errors, but without a model. Calls are recorded in `standInLanguageModel`. Depends on nothing around it, so
 * that Playwright's `addInitScript` can carry it into a page.
 */
export const installStandInLanguageModel = (options: StandInOptions = {}): void => {
  const { download = { steps: 4, delay: 0 }, window: tokensOfWindow = 400, pieceDelay = 0, oldNames = false } = options;
  let availability = options.availability ?? 'available';
  const control: StandInControl = { calls: [], failures: [] };
  let sessions = 0;

  type Message = { role: string; content: string; prefix?: boolean };
  const listOf = (input: string | Message[]): Message[] =>
    typeof input === 'string' ? [{ role: 'user', content: input }] : [...input];
  const told = (messages: Message[]): string[] => messages.map(({ role, content }) => `${role}: ${content}`);
  const tokensOf = (messages: Message[]): number =>
    messages.reduce((sum, { content }) => sum + content.split(/\s+/).filter((word) => word !== '').length, 0);
  const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  const error = (name: string) => new DOMException(`stand-in: ${name}`, name);
  // biome-ignore lint/suspicious/noExplicitAny: any schema
  const firstOf = (schema: any): unknown =>
    schema.properties === undefined
      ? (schema.enum?.[0] ?? '')
      : Object.fromEntries(Object.entries(schema.properties).map(([name, part]) => [name, firstOf(part)]));

  const session = (begun: Message[], temperature: number | undefined): object => {
    const id = sessions++;
    let history = begun;
    let destroyed = false;
    const check = (signal?: AbortSignal): void => {
      signal?.throwIfAborted();
      if (destroyed) throw error('InvalidStateError');
    };
    const take = (messages: Message[]): void => {
      if (tokensOf(messages) > tokensOfWindow) throw error('QuotaExceededError');
      history = [...history, ...messages];
      // Like browsers, silently drops the oldest.
      while (tokensOf(history) > tokensOfWindow) history = history.filter((_, i) => i !== 1);
    };
    const measure = async (input: string | Message[]): Promise<number> => {
      check();
      return tokensOf(listOf(input));
    };
    const names = oldNames
      ? { window: 'inputQuota', usage: 'inputUsage', measure: 'measureInputUsage' }
      : { window: 'contextWindow', usage: 'contextUsage', measure: 'measureContextUsage' };
    const own = {
      [names.measure]: measure,
      append: async (input: string | Message[], { signal }: { signal?: AbortSignal } = {}) => {
        check(signal);
        const messages = listOf(input);
        if (messages.some(({ role }) => role === 'system')) throw new TypeError('system prompts come first');
        control.calls.push({ did: 'append', session: id, with: told(messages) });
        take(messages);
      },
      clone: async ({ signal }: { signal?: AbortSignal } = {}) => {
        check(signal);
        control.calls.push({ did: 'clone', session: sessions, with: id });
        return session(history, temperature);
      },
      destroy: () => {
        if (!destroyed) control.calls.push({ did: 'destroy', session: id, with: null });
        destroyed = true;
      },
      promptStreaming: (
        input: string | Message[],
        { signal, responseConstraint }: { signal?: AbortSignal; responseConstraint?: object } = {},
      ): ReadableStream<string> => {
        const messages = listOf(input);
        let at = 0;
        let text: string[] = [];
        return new ReadableStream<string>({
          start: () => {
            check(signal);
            control.calls.push({
              did: 'prompt',
              session: id,
              with: told(messages),
              ...(temperature === undefined ? {} : { temperature }),
            });
            take(messages);
            const asked = messages.findLast(({ role }) => role === 'user')?.content ?? '';
            const scripted = options.answers?.find((answer) => new RegExp(answer.asked).test(asked))?.text;
            const unscripted =
              responseConstraint === undefined ? `You said: ${asked}` : JSON.stringify(firstOf(responseConstraint));
            const answer = scripted ?? unscripted;
            const prefix = messages.at(-1)?.prefix ? (messages.at(-1)?.content ?? '') : '';
            text = (answer.startsWith(prefix) ? answer.slice(prefix.length) : answer).match(/\s*\S+/g) ?? [];
          },
          pull: async (stream) => {
            await wait(pieceDelay);
            if (destroyed) return stream.error(error('AbortError'));
            if (signal?.aborted) return stream.error(signal.reason);
            const failure = at > 0 ? control.failures.shift() : undefined;
            if (failure !== undefined) return stream.error(error(failure));
            const piece = text[at++];
            if (piece !== undefined) return stream.enqueue(piece);
            history = [...history, { role: 'assistant', content: text.join('') }];
            stream.close();
          },
        });
      },
    };
    Object.defineProperty(own, names.window, { get: () => tokensOfWindow });
    Object.defineProperty(own, names.usage, { get: () => tokensOf(history) });
    return own;
  };

  const LanguageModel = {
    availability: async () => availability,
    ...(options.sampling
      ? { params: async () => ({ defaultTopK: 3, maxTopK: 8, defaultTemperature: 1, maxTemperature: 2 }) }
      : {}),
    create: async ({
      initialPrompts = [],
      temperature,
      signal,
      monitor,
    }: {
      initialPrompts?: Message[];
      temperature?: number;
      signal?: AbortSignal;
      monitor?: (target: EventTarget) => void;
    } = {}) => {
      signal?.throwIfAborted();
      if (availability === 'unavailable') throw error('NotSupportedError');
      const target = new EventTarget();
      monitor?.(target);
      if (availability !== 'available') {
        availability = 'downloading';
        for (let step = 0; step <= download.steps; step++) {
          await wait(download.delay);
          signal?.throwIfAborted();
          const progress = new Event('downloadprogress');
          target.dispatchEvent(Object.assign(progress, { loaded: step / download.steps, total: 1 }));
        }
        availability = 'available';
      }
      if (tokensOf(initialPrompts) > tokensOfWindow) throw error('QuotaExceededError');
      control.calls.push({ did: 'create', session: sessions, with: told(initialPrompts) });
      return session([...initialPrompts], temperature);
    },
  };
  Object.assign(globalThis, { LanguageModel, standInLanguageModel: control });
};
