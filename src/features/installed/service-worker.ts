/*
 * The service worker. The page, the embedded models and the runtimes work offline from the second visit on, and are
 * isolated (so that WASM has threads) if the host does not send the headers for it. Built separately, after the page
 * (scripts/service-worker-plugin.mjs).
 */

import { addPlugins, cleanupOutdatedCaches, matchPrecache, precacheAndRoute } from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import type { WorkerMessage } from './updates.ts';

/** A file of the build this worker belongs to. `url` is relative to the worker; `revision` is null if the name has a hash. */
interface BuiltFile {
  readonly url: string;
  readonly revision: string | null;
}

interface Built {
  /** What the page needs to open, and its embedded models: cached before this version serves a page. */
  readonly page: readonly BuiltFile[];
  /** What the first paint needs: if one of these is missing, a cached page would stay blank. */
  readonly first: readonly string[];
  /** Only needed by downloaded models or some PDFs: cached once used, or when the page has time for it. */
  readonly runtimes: readonly string[];
  /** Headers the host should send with the page; a plain host does not. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The build inserts its list here; referenced only once, as it is copied to every reference. */
declare const BUILT: Built;
const built: Built = BUILT;

/** What this file needs of a service worker's scope; the page's types do not include it. */
interface WorkerScope {
  readonly registration: { readonly scope: string };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'message', listener: (event: MessageEvent<WorkerMessage> & Extendable) => void): void;
  addEventListener(type: 'activate', listener: (event: Extendable) => void): void;
}
interface Extendable {
  waitUntil(work: Promise<unknown>): void;
}
const worker = self as unknown as WorkerScope;

const { scope } = worker.registration;
const addressOf = (url: string): string => new URL(url, scope).href;

const isolated = (response: Response): Response => {
  if (response.status === 0 || response.type === 'opaque') return response;
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(built.headers)) headers.set(name, value);
  const { status, statusText } = response;
  return new Response(response.body, { status, statusText, headers });
};

/* The page. Files of a version are cached together before it serves anything; those of older versions are removed when it does. */

addPlugins([{ handlerWillRespond: async ({ response }) => isolated(response) }]);
cleanupOutdatedCaches();

// A browser may have evicted some cached files in the meantime. A page without its script stays blank, so it is fetched again.
registerRoute(
  ({ request, url }) => request.mode === 'navigate' && isPage(url),
  async () => {
    const page = await matchPrecache('index.html');
    const first = await Promise.all(built.first.map((url) => matchPrecache(url)));
    if (page !== undefined && first.every((file) => file !== undefined)) return isolated(page);
    try {
      // Not the address that was opened: it may hold what another app shares, which is no business of the host.
      return isolated(await fetch(addressOf('index.html'), { cache: 'reload' }));
    } catch (error) {
      if (page !== undefined) return isolated(page);
      throw error;
    }
  },
);

const isPage = (url: URL): boolean => [scope, addressOf('index.html')].includes(url.origin + url.pathname);

precacheAndRoute([...built.page], { ignoreURLParametersMatching: [/./] });

/* Runtimes of downloaded models. Their names have a hash, so a cached one never changes. */

const RUNTIMES = `coppice-runtimes-${scope}`;
const runtimes = new Set(built.runtimes.map(addressOf));

registerRoute(
  ({ url }) => runtimes.has(url.href),
  async ({ request }) => {
    const cache = await caches.open(RUNTIMES);
    const kept = await cache.match(request.url);
    if (kept !== undefined) return isolated(kept);
    const response = await fetch(request);
    if (response.status === 200) await keep(cache, request.url, response.clone());
    return isolated(response);
  },
);

/** If there is no room, the runtime still works while online. */
const keep = async (cache: Cache, url: string, response: Response): Promise<void> => {
  try {
    await cache.put(url, response);
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'QuotaExceededError')) throw error;
  }
};

worker.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(RUNTIMES);
      for (const { url } of await cache.keys()) if (!runtimes.has(url)) await cache.delete(url);
    })(),
  );
});

worker.addEventListener('message', (event) => {
  switch (event.data) {
    case 'use-this-version':
      event.waitUntil(worker.skipWaiting());
      break;
    case 'keep-runtimes':
      event.waitUntil(
        (async () => {
          const cache = await caches.open(RUNTIMES);
          for (const url of runtimes) {
            if ((await cache.match(url)) !== undefined) continue;
            const response = await fetch(url);
            if (response.status === 200) await keep(cache, url, response);
          }
        })(),
      );
      break;
  }
});
