import type { ServerResponse } from 'node:http';

/** What the next request meets with instead of a good answer. `after`: pieces of the answer that come before. */
export type Fault =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: unknown;
    }
  /** The connection breaks: before anything was said, or in the middle of the stream. */
  | { readonly kind: 'reset' }
  | { readonly kind: 'cut'; readonly after: number }
  /** The stream ends in good order, but the answer had not. */
  | { readonly kind: 'unfinished'; readonly after: number }
  /** Says nothing, at all or from some piece on, and keeps the connection open. */
  | { readonly kind: 'silence'; readonly after: number | null }
  /** A web page with status 200, as from a router or a site that is no such server. */
  | { readonly kind: 'web-page' }
  | { readonly kind: 'garbled-event'; readonly after: number }
  | { readonly kind: 'error-event'; readonly after: number; readonly error: unknown }
  | { readonly kind: 'empty'; readonly finish: string };

const WEB_PAGE = '<!doctype html><title>Welcome</title><h1>It works!</h1>';

/** Answers with the fault, where it needs no stream. True if that was the answer. */
export const answeredWith = (fault: Fault, response: ServerResponse): boolean => {
  switch (fault.kind) {
    case 'status': {
      const { status, headers = {}, body = { error: { message: `status ${status}` } } } = fault;
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
      return true;
    }
    case 'reset':
      response.destroy();
      return true;
    case 'web-page':
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(WEB_PAGE);
      return true;
    case 'silence':
      return fault.after === null;
    case 'cut':
    case 'unfinished':
    case 'garbled-event':
    case 'error-event':
    case 'empty':
      return false;
  }
};
