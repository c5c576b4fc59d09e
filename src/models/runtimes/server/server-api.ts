import * as z from 'zod/mini';
import { parsedJson } from '../../../domain/expectation.ts';
import { ModelFailure } from '../../../engine/model-failure.ts';
import { oneLine } from '../../../engine/text/words.ts';
import { hostOf, isLoopback, isOnLocalNetwork } from './base-url.ts';

export interface ServerAccess {
  /** The key for a server; empty if there is none. Read on each request, never stored and never put in a message. */
  keyFor(baseUrl: string): string;
  /** The requesting page; defaults to the current one. */
  readonly page?: Page | null;
}

export interface Call {
  readonly baseUrl: string;
  /** Path below the base URL, e.g. `/models`; an absolute URL is used as is. */
  readonly path: string;
  /** Sent as JSON with POST; omit for GET. */
  readonly body?: object;
  /** The requested model. */
  readonly model: string | null;
  readonly signal: AbortSignal;
}

/** Calls a server and returns its 2xx response. Rejects with a ModelFailure for anything else, or with the signal's reason. */
export const callServer = async (access: ServerAccess, call: Call): Promise<Response> => {
  const { baseUrl, path, body, model, signal } = call;
  signal.throwIfAborted();
  const { page = pageHere() } = access;
  const mixed = mixedContent(baseUrl, page);
  if (mixed !== null && !isOnLocalNetwork(baseUrl)) throw mixed;
  const addressee: Addressee = { baseUrl, model, key: access.keyFor(baseUrl) };
  const headers: Record<string, string> = {
    ...(addressee.key === '' ? {} : { authorization: `Bearer ${addressee.key}` }),
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
    if (mixed !== null && (await localNetworkAccess()) === null) throw mixed;
    throw await noAnswer(baseUrl, headers, page, withoutKey(cause));
  }
  if (!response.ok) throw await statusFailure(response, addressee);
  return response;
};

/** If a key contains a character not allowed in headers, the browser's error message repeats the key; so only the error name is used. */
const withoutKey = (cause: unknown): string => (cause instanceof Error ? cause.name : 'no answer');

/** Parses the response as JSON. Rejects with `nonsense` if it is not JSON. */
export const readJsonResponse = async (response: Response, { baseUrl, signal }: Call): Promise<unknown> => {
  const text = await response.text().catch((cause) => {
    signal.throwIfAborted();
    throw new ModelFailure('stream-cut', `The answer from ${hostOf(baseUrl)} was interrupted. Try again.`, { cause });
  });
  const json = parsedJson(text);
  if (json === undefined) throw notJson(baseUrl);
  return json;
};

export const notJson = (baseUrl: string): ModelFailure =>
  new ModelFailure(
    'nonsense',
    `${hostOf(baseUrl)} answers, but not as an OpenAI-compatible server does. Check the address ${baseUrl}; it usually ends with /v1.`,
  );

/** Milliseconds of silence after which the app gives up on a server. */
export interface Timeouts {
  /** Before the first token: a server may have to load the model and process a long prompt on a CPU. */
  readonly first: number;
  /** Between two chunks of a response. */
  readonly between: number;
}

export const usualPatience: Timeouts = { first: 180_000, between: 60_000 };

/** Aborts its signal when the server stays silent for too long, or when one of the outer signals fires. */
export class IdleTimeout {
  readonly #controller = new AbortController();
  readonly #host: string;
  readonly signal: AbortSignal;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: string, outer: readonly AbortSignal[]) {
    this.#host = host;
    this.signal = AbortSignal.any([this.#controller.signal, ...outer]);
  }

  /** Starts or restarts the timeout, on first waiting or when data arrives. */
  wait(ms: number): void {
    this.end();
    this.#timer = setTimeout(() => {
      const message = `${this.#host} has not responded for ${Math.round(ms / 1000)} s. Try again, or choose a smaller model.`;
      this.#controller.abort(new ModelFailure('timeout', message));
    }, ms);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

/** The requesting page; null in Node, where no browser policy applies. */
interface Page {
  readonly origin: string;
  readonly protocol: string;
}

const pageHere = (): Page | null => (typeof location === 'undefined' ? null : location);

/**
 * An https page may read http only from its own machine, and in Chromium, if the user allows it, from the local network.
 * Anywhere else, this is checked before any request is sent.
 */
const mixedContent = (baseUrl: string, page: Page | null): ModelFailure | null => {
  const mixed = page?.protocol === 'https:' && baseUrl.startsWith('http:') && !isLoopback(baseUrl);
  return mixed
    ? new ModelFailure(
        'cors',
        `Browsers do not let this page (https) read from ${baseUrl} (http). Give the server an https address, or open Coppice from http://localhost.`,
      )
    : null;
};

/** Timeout in milliseconds of a request that diagnoses why there was no response. */
const PROBE = 5000;

/**
 * Finds out why a request got no response at all, which browsers do not tell pages. One request needs the same CORS permission
 * as the failed one and shows whether this origin may read; a `no-cors` one, whose response need not be read, shows whether the
 * server is there.
 */
const noAnswer = async (
  baseUrl: string,
  headers: Readonly<Record<string, string>>,
  page: Page | null,
  cause: unknown,
): Promise<ModelFailure> => {
  const host = hostOf(baseUrl);
  const works = (init: RequestInit): Promise<boolean> =>
    fetch(`${baseUrl}/models`, { cache: 'no-store', signal: AbortSignal.timeout(PROBE), ...init }).then(
      () => true,
      () => false,
    );
  const unreachable = (message: string) => new ModelFailure('unreachable', message, { cause });
  if (await works({ headers })) return unreachable(`${host} closed the connection before it answered. Try again.`);
  if (page !== null && (await works({ mode: 'no-cors' }))) {
    const message = `${host} is running, but does not let pages from ${page.origin} read its answers (CORS). ${leaveFor(page)}`;
    return new ModelFailure('cors', message, { cause });
  }
  if (!isLoopback(baseUrl) && typeof navigator !== 'undefined' && navigator.onLine === false) {
    return unreachable(`You are offline, so ${host} cannot be reached. Connect and try again.`);
  }
  if ((await localNetworkAccess()) === 'denied') {
    return unreachable(
      `The browser does not let this page reach ${host}: allow “local network access” for this site, then try again.`,
    );
  }
  const missing = `${host} cannot be reached. Is the server running, and is the address right?`;
  return unreachable(
    page !== null && (await isBlind()) ? `${missing} If so, it may be blocking web pages. ${leaveFor(page)}` : missing,
  );
};

/** How to configure a server to allow this origin. */
const leaveFor = ({ origin }: Page): string =>
  `Ollama: start it with OLLAMA_ORIGINS=${origin}. LM Studio: switch on “Enable CORS”. ` +
  `vLLM: start it with --allowed-origins '["${origin}"]'.`;

/** A page served with `Cross-Origin-Embedder-Policy: require-corp` cannot tell a server that blocks it from a missing one. */
const isBlind = (): Promise<boolean> =>
  fetch(location.href, { method: 'HEAD' }).then(
    ({ headers }) => headers.get('cross-origin-embedder-policy') === 'require-corp',
    () => false,
  );

/** Chromium asks the user before a page may access the local machine or network; null where none is asked. */
const localNetworkAccess = async (): Promise<PermissionState | null> => {
  if (typeof navigator === 'undefined' || navigator.permissions === undefined) return null;
  const name = 'local-network-access' as PermissionName;
  return navigator.permissions.query({ name }).then(
    ({ state }) => state,
    () => null,
  );
};

/** Which server was asked for which model, for error messages. */
interface Addressee {
  readonly baseUrl: string;
  /** null if no model was named. */
  readonly model: string | null;
  /** Never repeated in a message; empty if there is none. */
  readonly key: string;
}

/** The error formats that servers use. */
const ErrorFields = z.object({
  message: z.optional(z.string()),
  code: z.optional(z.nullable(z.union([z.string(), z.number()]))),
  type: z.optional(z.nullable(z.string())),
  param: z.catch(z.optional(z.nullable(z.string())), null), // anything else must not cost the message
});
const ErrorBody = z.union([
  z.object({ error: z.union([z.string(), ErrorFields]) }),
  z.extend(ErrorFields, { object: z.literal('error') }), // SGLang, older vLLM
]);

interface Complaint {
  readonly words: string;
  readonly codes: readonly string[];
  /** The field of the request that it is about; null if it does not say. */
  readonly param: string | null;
}

export const complaintIn = (body: unknown): Complaint => {
  // Gemini sends its error as the only element of an array.
  const parsed = ErrorBody.safeParse(Array.isArray(body) ? body[0] : body);
  if (!parsed.success) return { words: '', codes: [], param: null };
  const error = 'error' in parsed.data ? parsed.data.error : parsed.data;
  if (typeof error === 'string') return { words: error, codes: [], param: null };
  const { message = '', code, type, param = null } = error;
  return { words: message, codes: [code, type].map((one) => `${one ?? ''}`), param };
};

/** A response with an error status. */
export class StatusFailure extends ModelFailure {
  declare readonly status: number;
  /** The refused field of the request; null if the server does not name one. */
  readonly param: string | null;

  constructor(status: number, { kind, message }: ModelFailure, param: string | null) {
    super(kind, message, { status });
    this.param = param;
  }
}

const TOO_LONG = ['context_length_exceeded', 'exceed_context_size_error'];

const isTooLong = (status: number, { words, codes }: Complaint): boolean => {
  if (codes.some((code) => TOO_LONG.includes(code))) return true;
  // llama.cpp has no code for a text that does not fit the batch in which it embeds.
  if (/too large to process/i.test(words)) return true;
  // vLLM and LM Studio have no code for this. A failing server may also name the context that it has no memory for.
  const refused = status === 400 || (status >= 500 && /exceed|greater than|longer than|overflow/i.test(words));
  return refused && /context (length|size|window)/i.test(words);
};

/** Builds the failure for an error response from its status and the server's own message. */
const statusFailure = async (response: Response, addressee: Addressee): Promise<StatusFailure> => {
  const { status, headers } = response;
  const complaint = complaintIn(parsedJson(await response.text().catch(() => '')));
  const failure = serverFailure(status, complaint, addressee, headers.get('retry-after'));
  return new StatusFailure(status, failure, complaint.param);
};

/** What helps when a model cannot read all that was sent. */
const SHORTER = 'Shorten the message, limit the context in Engine, or choose a model with a longer window.';

export const serverFailure = (
  status: number,
  complaint: Complaint,
  addressee: Addressee,
  retryAfter: string | null = null,
): ModelFailure => {
  const host = hostOf(addressee.baseUrl);
  const says = wordsOf(complaint, addressee);
  if (isTooLong(status, complaint)) {
    return new ModelFailure(
      'too-long',
      `The conversation is longer than ${host} lets the model read. ${SHORTER}${says}`,
    );
  }
  switch (status) {
    case 401:
      return new ModelFailure(
        'unauthorised',
        addressee.key === ''
          ? `${host} requires a key (401). Enter it under Server in Models.`
          : `${host} does not accept the key (401). Check it under Server in Models.`,
      );
    case 403:
      return new ModelFailure(
        'unauthorised',
        addressee.key === ''
          ? `${host} refused this (403). If it requires a key, enter it under Server in Models.${says}`
          : `${host} refused this (403): the key may not use this model, or the message was blocked. Choose another model, or rephrase the message.${says}`,
      );
    case 404:
      return new ModelFailure(
        'not-found',
        addressee.model === null
          ? `${addressee.baseUrl} is not the address of an OpenAI-compatible server (404). It usually ends with /v1.`
          : `${host} has no model “${addressee.model}” for this (404). Choose one of its list.${says}`,
      );
    case 413:
      return new ModelFailure('too-long', `The conversation is longer than ${host} takes (413). ${SHORTER}${says}`);
    case 429:
      return new ModelFailure(
        'rate-limited',
        `${host} has had too many requests (429). Try again ${waitOf(retryAfter)}.${says}`,
      );
    default:
      return status >= 500
        ? new ModelFailure('server-error', `${host} failed (${status}). Try again ${waitOf(retryAfter)}.${says}`)
        : new ModelFailure('unknown', `${host} refused the request (${status}).${says}`);
  }
};

/** Maximum number of characters of the server's own message to show. */
const SHOWN = 200;

const wordsOf = ({ words }: Complaint, { key }: Addressee): string => {
  const safe = oneLine(key === '' ? words : words.replaceAll(key, '•••'));
  return safe === '' ? '' : ` It says: ${safe.length > SHOWN ? `${safe.slice(0, SHOWN)}…` : safe}`;
};

/** Parses `Retry-After`, given in seconds or as a date. */
const waitOf = (header: string | null): string => {
  if (header === null) return 'later';
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1000);
  if (!(seconds > 0)) return 'now';
  return seconds < 120 ? `in ${seconds} s` : `in ${Math.ceil(seconds / 60)} minutes`;
};
