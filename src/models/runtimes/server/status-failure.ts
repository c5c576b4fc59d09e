import * as z from 'zod/mini';
import { ModelFailure } from '../../../engine/model-failure.ts';
import { hostOf } from './base-url.ts';

/** What was asked of which server, for messages. */
export interface Asked {
  readonly baseUrl: string;
  /** null where no model was named. */
  readonly model: string | null;
  /** Never repeated in a message; empty for none. */
  readonly key: string;
}

/** The forms in which servers tell what is wrong. */
const Complaint = z.object({
  error: z.union([
    z.string(),
    z.object({
      message: z.optional(z.string()),
      code: z.optional(z.nullable(z.union([z.string(), z.number()]))),
      type: z.optional(z.nullable(z.string())),
    }),
  ]),
});

interface Told {
  readonly words: string;
  readonly codes: readonly string[];
}

export const complaintIn = (body: unknown): Told => {
  const parsed = Complaint.safeParse(body);
  if (!parsed.success) return { words: '', codes: [] };
  const { error } = parsed.data;
  if (typeof error === 'string') return { words: error, codes: [] };
  return { words: error.message ?? '', codes: [error.code, error.type].map((code) => `${code ?? ''}`) };
};

/** A server's answer that is none. */
export class StatusFailure extends ModelFailure {
  readonly status: number;

  constructor(status: number, { kind, message }: ModelFailure) {
    super(kind, message);
    this.status = status;
  }
}

const TOO_LONG = ['context_length_exceeded', 'exceed_context_size_error'];

/** An answer that is none, by its status and what the server says of it. */
export const statusFailure = async (response: Response, asked: Asked): Promise<StatusFailure> => {
  const { status, headers } = response;
  const told = complaintIn(jsonOf(await response.text().catch(() => '')));
  return new StatusFailure(status, failureOf(status, told, asked, headers.get('retry-after')));
};

export const failureOf = (status: number, told: Told, asked: Asked, retryAfter: string | null = null): ModelFailure => {
  const host = hostOf(asked.baseUrl);
  const says = wordsOf(told, asked);
  // vLLM has no code for it.
  if (
    told.codes.some((code) => TOO_LONG.includes(code)) ||
    (status === 400 && /context (length|size|window)/i.test(told.words))
  ) {
    return new ModelFailure('too-long', `The conversation is longer than ${host} lets the model read.${says}`);
  }
  switch (status) {
    case 401:
    case 403:
      return new ModelFailure(
        'unauthorised',
        asked.key === ''
          ? `${host} wants a key (${status}). Give it in Models, at the server.`
          : `${host} does not accept the key (${status}). Check it in Models, at the server.`,
      );
    case 404:
      return new ModelFailure(
        'not-found',
        asked.model === null
          ? `${asked.baseUrl} is not the address of an OpenAI-compatible server (404). It usually ends with /v1.`
          : `${host} has no model “${asked.model}” for this (404). Choose one of its list.${says}`,
      );
    case 413:
      return new ModelFailure('too-long', `The conversation is longer than ${host} takes (413).${says}`);
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

/** Characters of a server's own words that are shown. */
const SHOWN = 200;

const wordsOf = ({ words }: Told, { key }: Asked): string => {
  const safe = (key === '' ? words : words.replaceAll(key, '•••')).replace(/\s+/g, ' ').trim();
  return safe === '' ? '' : ` It says: ${safe.length > SHOWN ? `${safe.slice(0, SHOWN)}…` : safe}`;
};

/** `Retry-After` as seconds, or as a date. */
const waitOf = (header: string | null): string => {
  if (header === null) return 'later';
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1000);
  if (!(seconds > 0)) return 'now';
  return seconds < 120 ? `in ${seconds} s` : `in ${Math.ceil(seconds / 60)} minutes`;
};

export const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
