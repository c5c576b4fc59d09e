import { ModelFailure } from '../../../engine/model-failure.ts';
import { hostOf, isLoopback } from './base-url.ts';

/** The page that asks; null in Node, where nobody refuses on its behalf. */
export interface Page {
  readonly origin: string;
  readonly protocol: string;
}

export const pageHere = (): Page | null => (typeof location === 'undefined' ? null : location);

/** A page over https may read http only from its own machine. Known before anything is asked. */
export const mixedContent = (baseUrl: string, page: Page | null): ModelFailure | null => {
  const mixed = page?.protocol === 'https:' && baseUrl.startsWith('http:') && !isLoopback(baseUrl);
  return mixed
    ? new ModelFailure(
        'cors',
        `Browsers do not let this page (https) read from ${baseUrl} (http). Give the server an https address, or open Coppice from http://localhost.`,
      )
    : null;
};

/** Milliseconds that a question why there was no answer may take. */
const PROBE = 5000;

/**
 * Why a request got no answer at all, which browsers do not tell pages: whether pages of this origin may read is tried by a
 * request that needs the same leave as the failed one, and whether anybody is there by one whose answer need not be read.
 */
export const noAnswer = async (
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
  if (await works({ headers })) return unreachable(`${host} broke the connection off before it answered. Try again.`);
  if (page !== null && (await works({ mode: 'no-cors' }))) {
    const message = `${host} is there, but does not let pages of ${page.origin} read its answers (CORS). ${leaveFor(page)}`;
    return new ModelFailure('cors', message, { cause });
  }
  if (!isLoopback(baseUrl) && typeof navigator !== 'undefined' && navigator.onLine === false) {
    return unreachable(`This machine is offline, so ${host} cannot be reached.`);
  }
  if (await localNetworkDenied()) {
    return unreachable(
      `The browser does not let this page reach ${host}: allow “local network access” for this site, then try again.`,
    );
  }
  const missing = `${host} cannot be reached. Is the server running, and is the address right?`;
  return unreachable(
    page !== null && (await isBlind()) ? `${missing} If they are, it may keep pages out. ${leaveFor(page)}` : missing,
  );
};

/** What has a server let pages of this origin read. */
const leaveFor = ({ origin }: Page): string =>
  `Ollama: start it with OLLAMA_ORIGINS=${origin}. LM Studio: switch on “Enable CORS”. ` +
  `vLLM: start it with --allowed-origins '["${origin}"]'.`;

/** A page served with `Cross-Origin-Embedder-Policy: require-corp` cannot tell a server that keeps it out from none. */
const isBlind = (): Promise<boolean> =>
  fetch(location.href, { method: 'HEAD' }).then(
    ({ headers }) => headers.get('cross-origin-embedder-policy') === 'require-corp',
    () => false,
  );

/** Chromium asks the person before a page may reach the machine itself or its neighbours. */
const localNetworkDenied = async (): Promise<boolean> => {
  if (typeof navigator === 'undefined' || navigator.permissions === undefined) return false;
  const name = 'local-network-access' as PermissionName;
  return navigator.permissions.query({ name }).then(
    ({ state }) => state === 'denied',
    () => false,
  );
};
