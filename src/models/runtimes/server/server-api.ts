import { ModelFailure } from '../../../engine/model-failure.ts';
import { hostOf } from './base-url.ts';
import { mixedContent, noAnswer, type Page, pageHere } from './no-answer.ts';
import { type Asked, jsonOf, statusFailure } from './status-failure.ts';

export interface ServerAccess {
  /** The key for a server; empty where there is none. Read at each request, kept nowhere, and in no message. */
  keyFor(baseUrl: string): string;
  /** The page that asks; as it is if left out. */
  readonly page?: Page | null;
}

export interface Call {
  readonly baseUrl: string;
  /** Under the base address, e.g. `/models`; a whole address is taken as it is. */
  readonly path: string;
  /** Sent by POST as JSON; left out for GET. */
  readonly body?: object;
  /** The model that is asked for. */
  readonly model: string | null;
  readonly signal: AbortSignal;
}

/** A server's answer, with status 2xx. Rejects with a ModelFailure for anything else, or with the signal's reason. */
export const callServer = async (access: ServerAccess, call: Call): Promise<Response> => {
  const { baseUrl, path, body, model, signal } = call;
  signal.throwIfAborted();
  const { page = pageHere() } = access;
  const mixed = mixedContent(baseUrl, page);
  if (mixed !== null) throw mixed;
  const asked: Asked = { baseUrl, model, key: access.keyFor(baseUrl) };
  const headers: Record<string, string> = {
    ...(asked.key === '' ? {} : { authorization: `Bearer ${asked.key}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  let response: Response;
  try {
    response = await fetch(path.startsWith('/') ? `${baseUrl}${path}` : path, {
      method: body === undefined ? 'GET' : 'POST',
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      cache: 'no-store',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal,
    });
  } catch (cause) {
    signal.throwIfAborted();
    throw await noAnswer(baseUrl, headers, page, withoutKey(cause));
  }
  if (!response.ok) throw await statusFailure(response, asked);
  return response;
};

/** A key with a letter that no header may have is repeated in the browser's complaint about it. */
const withoutKey = (cause: unknown): string => (cause instanceof Error ? cause.name : 'no answer');

/** The answer as JSON. Rejects with `nonsense` where it is none. */
export const readJson = async (response: Response, { baseUrl, signal }: Call): Promise<unknown> => {
  const text = await response.text().catch((cause) => {
    signal.throwIfAborted();
    throw new ModelFailure('stream-cut', `The answer of ${hostOf(baseUrl)} broke off. Try again.`, { cause });
  });
  const json = jsonOf(text);
  if (json === undefined) throw notJson(baseUrl);
  return json;
};

export const notJson = (baseUrl: string): ModelFailure =>
  new ModelFailure(
    'nonsense',
    `${hostOf(baseUrl)} answers, but not as an OpenAI-compatible server does. Check the address ${baseUrl}; it usually ends with /v1.`,
  );
