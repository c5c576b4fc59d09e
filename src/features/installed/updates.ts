/** What a page asks of the service worker: to replace the previous version, or to cache the runtimes of downloaded models as well. */
export type WorkerMessage = 'use-this-version' | 'keep-runtimes';

/** What the page provides while a new version is waiting. */
interface PageHost {
  /** Whether a reply or a replay is in progress. */
  readonly isReplying: () => boolean;
  /** What else a reload would end, as the subject and verb of a sentence; null for nothing. */
  readonly unfinished: () => string | null;
  /** Whether a reload would lose conversations, because what is new is not being saved. */
  readonly holdsUnsaved: () => boolean;
  /** Calls back whenever any of that may have changed; returns a function to stop watching. */
  readonly watch: (changed: () => void) => () => void;
  /** Called when a newer version has been taken up, whether or not the page reloads for it. */
  readonly onReplaced: () => void;
  /** Notifies the person and offers an action. */
  readonly tell: (text: string, action: { readonly label: string; readonly run: () => void }) => void;
}

let waiting: ServiceWorker | null = null;
let useWaiting: (() => void) | null = null;

/** Whether a newer version is available but not in use yet. */
export const updateWaits = (): boolean => waiting !== null;

/** Switches to the waiting version once no reply is in progress: the page reloads, unless that would end something else. */
export const update = (): void => useWaiting?.();

/** How often an open page checks for a new version, in milliseconds. */
const LOOKS = 6 * 60 * 60 * 1000;

/**
 * Has the service worker cache the page for offline use. A new version waits until the person wants it, here or in
 * another tab, or until no page is open any more; the page never reloads in the middle of something. Resolves once the
 * page opens offline; rejects if the browser refuses that.
 */
export const keepForOffline = async (host: PageHost): Promise<void> => {
  const { tell } = host;
  const { serviceWorker } = navigator;
  const wasServed = serviceWorker.controller !== null;
  /** Set once the person has asked for the new version: whether also if that loses what is not saved. */
  let asked: { readonly despiteLoss: boolean } | null = null;

  const registration = await serviceWorker.register('./service-worker.js', { updateViaCache: 'none' });
  useWaiting = () => {
    if (waiting === null) return;
    whenNothingIsLost(host, 'Update', (despiteLoss) => {
      asked = { despiteLoss };
      waiting?.postMessage('use-this-version' satisfies WorkerMessage);
    });
  };

  const offer = (worker: ServiceWorker): void => {
    // The very first version has nothing to wait for; of others, the browser may tell twice.
    if (serviceWorker.controller === null || worker === waiting) return;
    waiting = worker;
    tell('A new version of Coppice is ready.', { label: 'Update', run: update });
  };
  if (registration.waiting !== null) offer(registration.waiting);
  const follow = (worker: ServiceWorker | null): void =>
    worker?.addEventListener('statechange', () => {
      if (worker.state === 'installed') offer(worker);
    });
  // The browser may have found it as it opened the page, before anything could listen.
  follow(registration.installing);
  registration.addEventListener('updatefound', () => follow(registration.installing));

  serviceWorker.addEventListener('controllerchange', () => {
    if (!wasServed) return;
    waiting = null;
    host.onReplaced();
    const load = (despiteLoss: boolean) => whenNothingIsLost(host, 'Reload', () => location.reload(), despiteLoss);
    if (asked !== null) load(asked.despiteLoss);
    else
      tell('Coppice was updated in another tab. This tab is still running the previous version.', {
        label: 'Reload',
        run: () => load(false),
      });
  });

  setInterval(() => void registration.update().catch(() => undefined), LOOKS);
  // The first visit has enough to load. With data saving on, only what was used is cached.
  const connection = (navigator as { connection?: { readonly saveData?: boolean } }).connection;
  if (wasServed && connection?.saveData !== true)
    serviceWorker.controller?.postMessage('keep-runtimes' satisfies WorkerMessage);
  await firstKept(registration);
};

/** A worker does not say why it could not be installed. What it has cached by then stays. */
const NOT_CACHED = 'The connection may have broken off, or there may not be enough space.';

/** Resolves once a version is fully cached; rejects if the browser could not cache it. */
const firstKept = async ({ installing, waiting: kept, active }: ServiceWorkerRegistration): Promise<void> => {
  if (active !== null || kept !== null || installing === null) return;
  await new Promise<void>((resolve, reject) => {
    installing.addEventListener('statechange', () => {
      if (installing.state === 'installed') resolve();
      if (installing.state === 'redundant') reject(new Error(NOT_CACHED));
    });
  });
};

/**
 * Runs what reloads the page once no reply is in progress. If that would end something else, offers to do it later instead:
 * that may take hours, and what it has led to would be gone with it. What is not being saved may never be: the person
 * decides when it has been exported, which `despiteLoss` says.
 */
const whenNothingIsLost = (
  host: PageHost,
  label: string,
  reload: (despiteLoss: boolean) => void,
  despiteLoss = false,
): void =>
  whenNothingRuns(host.isReplying, host.watch, () => {
    const unfinished = host.unfinished();
    const offer = (why: string, button: string, regardless: boolean): void =>
      host.tell(`Coppice was not updated, because ${why}.`, {
        label: button,
        run: () => whenNothingIsLost(host, label, reload, regardless),
      });
    if (unfinished !== null) offer(unfinished, label, despiteLoss);
    else if (!despiteLoss && host.holdsUnsaved())
      offer('new data is not being saved and a reload would lose it: export it first', `${label} anyway`, true);
    else reload(despiteLoss);
  });

/** Runs a task as soon as nothing is in progress. */
export const whenNothingRuns = (isBusy: () => boolean, watch: PageHost['watch'], run: () => void): void => {
  if (!isBusy()) return run();
  const end = watch(() => {
    if (isBusy()) return;
    end();
    run();
  });
};
