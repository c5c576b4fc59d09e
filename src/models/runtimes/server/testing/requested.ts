import type { IncomingMessage } from 'node:http';

/** A request as it came. */
export interface Requested {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed; null where there was none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it as they like
  readonly body: any;
}

export const readRequest = async (request: IncomingMessage): Promise<Requested> => {
  let text = '';
  request.setEncoding('utf8');
  for await (const piece of request) text += piece;
  return {
    method: request.method ?? 'GET',
    path: new URL(request.url ?? '/', 'http://server').pathname,
    headers: request.headers,
    body: text === '' ? null : JSON.parse(text),
  };
};
