/** What a page asks of the service worker: to take over from the version before; to keep the runtimes of downloaded models, too. */
export type FromPage = 'use-this-version' | 'keep-runtimes';

/** What is asked of the page while a new version waits. */
export interface PageHost {
  /** Something is going on that a reload would break off. */
  readonly isBusy: () => boolean;
  /** Calls back whenever that may have changed; returns what ends it. */
  readonly watch: (changed: () => void) => () => void;
  /** Tells the person, with something to do about it. */
  readonly tell: (text: string, action: { readonly label: string; readonly run: () => void }) => void;
}

let waiting: ServiceWorker | null = null;
let useWaiting: (() => void) | null = null;

/** Whether a newer version is there that is not used yet. */
export const updateWaits = (): boolean => waiting !== null;

/** Uses the version that waits, once nothing is going on: the page loads again. */
export const update = (): void => useWaiting?.();

/** How often a page that stays open looks for a new version, in milliseconds. */
const LOOKS = 6 * 60 * 60 * 1000;

/**
 * Has the service worker keep the page for use without a network. A new version waits until the person wants it, here or in another
 * tab, or until no page is open any more; nothing is ever loaded again in the middle of something. Resolves once the
 * page opens without a network; rejects where the browser refuses that.
 */
export const keepForOffline = async ({ isBusy, watch, tell }: PageHost): Promise<void> => {
  const { serviceWorker } = navigator;
  const wasServed = serviceWorker.controller !== null;
  let isAsked = false;

  const registration = await serviceWorker.register('./service-worker.js', { updateViaCache: 'none' });
  useWaiting = () => {
    if (waiting === null) return;
    isAsked = true;
    whenIdle(isBusy, watch, () => waiting?.postMessage('use-this-version' satisfies FromPage));
  };

  const offer = (worker: ServiceWorker): void => {
    // The first version of all has nothing to wait for.
    if (serviceWorker.controller === null) return;
    waiting = worker;
    tell('A new version of Coppice is ready.', { label: 'Update', run: update });
  };
  if (registration.waiting !== null) offer(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const worker = registration.installing;
    worker?.addEventListener('statechange', () => {
      if (worker.state === 'installed') offer(worker);
    });
  });

  serviceWorker.addEventListener('controllerchange', () => {
    if (!wasServed) return;
    waiting = null;
    const load = () => whenIdle(isBusy, watch, () => location.reload());
    if (isAsked) load();
    else
      tell('Coppice was updated in another tab. This one still runs the version before.', {
        label: 'Reload',
        run: load,
      });
  });

  setInterval(() => void registration.update().catch(() => undefined), LOOKS);
  // On the first visit there is enough to load. Who saves data keeps what was used.
  const connection = (navigator as { connection?: { readonly saveData?: boolean } }).connection;
  if (wasServed && connection?.saveData !== true)
    serviceWorker.controller?.postMessage('keep-runtimes' satisfies FromPage);
  await firstKept(registration);
};

/** Resolves once a version is kept whole; rejects if the browser could not keep it. */
const firstKept = async ({ installing, waiting: kept, active }: ServiceWorkerRegistration): Promise<void> => {
  if (active !== null || kept !== null || installing === null) return;
  await new Promise<void>((resolve, reject) => {
    installing.addEventListener('statechange', () => {
      if (installing.state === 'installed') resolve();
      if (installing.state === 'redundant') reject(new Error('There may be no room for it.'));
    });
  });
};

const whenIdle = (isBusy: PageHost['isBusy'], watch: PageHost['watch'], run: () => void): void => {
  if (!isBusy()) return run();
  const end = watch(() => {
    if (isBusy()) return;
    end();
    run();
  });
};
