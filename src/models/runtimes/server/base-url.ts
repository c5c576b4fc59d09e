import { ModelFailure } from '../../../engine/model-failure.ts';

/** Endpoints that users copy along with the address. */
const ENDPOINT = /\/(chat\/completions|completions|embeddings|models)$/;

/**
 * The base URL that the user means, up to and including `/v1`: `localhost:11434` becomes `http://localhost:11434/v1`. A custom
 * path is kept (`https://host/api/openai`). Throws if the text is not an address.
 */
export const baseUrlOf = (typed: string): string => {
  const text = typed.trim();
  const schemed = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${schemeFor(text)}://${text}`;
  const url = URL.canParse(schemed) ? new URL(schemed) : null;
  if (url === null || url.hostname === '' || !/^https?:$/.test(url.protocol)) {
    throw new ModelFailure('unreachable', `“${text}” is not a web address. Example: http://localhost:11434/v1.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new ModelFailure(
      'unreachable',
      'Browsers do not send a name and password from an address. Enter a key instead.',
    );
  }
  const path = url.pathname.replace(/\/+$/, '').replace(ENDPOINT, '').replace(/\/+$/, '');
  return `${url.origin}${path === '' ? '/v1' : path}`;
};

/** The scheme for an address without one: `http` for a nearby machine, `https` for the internet. */
const schemeFor = (address: string): 'http' | 'https' => {
  const host = (address.match(/^(\[[^\]]*\]|[^/:]*)/)?.[0] ?? '').toLowerCase();
  const nearby =
    host.startsWith('[') || /^[\d.]+$/.test(host) || !host.includes('.') || /\.(local|lan|home|internal)$/.test(host);
  return nearby ? 'http' : 'https';
};

/** A server's name in messages: host and port. */
export const hostOf = (baseUrl: string): string => new URL(baseUrl).host;

/** The server's address without the API path. */
export const rootOf = (baseUrl: string): string => baseUrl.replace(/\/v\d+$/, '');

/** Private addresses: RFC 1918 and link-local ones of IPv4, and unique local (fc00::/7) and link-local (fe80::/10) ones of IPv6. */
const PRIVATE =
  /^(?:10(?:\.\d+){3}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|(?:192\.168|169\.254)(?:\.\d+){2}|\[f(?:[cd]|e[89ab])[\da-f]*:.*\])$/;

/** Whether an address shows that the server is on the local network: its name may also stand for a machine elsewhere. */
export const isOnLocalNetwork = (baseUrl: string): boolean => {
  const { hostname } = new URL(baseUrl);
  return hostname.endsWith('.local') || PRIVATE.test(hostname);
};

export const isLoopback = (baseUrl: string): boolean =>
  /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(baseUrl).hostname);
