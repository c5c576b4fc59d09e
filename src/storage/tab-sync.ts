/*
 * Tells the other tabs of the same browser that something changed in storage: a conversation by its id, a setting by
 * its name, or the lessons. Receivers read what they have not seen yet.
 */

const channels = new Map<string, BroadcastChannel>();

/**
 * One channel per name and tab: a channel does not receive its own messages. Null where site data is blocked and the
 * browser refuses channels with it; nothing is stored there that another tab could miss.
 */
const shared = (name: string): BroadcastChannel | null => {
  try {
    const channel = channels.get(name) ?? new BroadcastChannel(name);
    channels.set(name, channel);
    return channel;
  } catch {
    return null;
  }
};

/** Makes refused channels missing ones, so that Dexie, which opens one as it is loaded, goes without. */
export const goWithoutRefusedChannels = (): void => {
  if (typeof BroadcastChannel !== 'undefined' && shared(LOG) === null)
    Reflect.deleteProperty(globalThis, 'BroadcastChannel');
};

const watch = (name: string, hear: (data: unknown) => void): (() => void) => {
  const heard = shared(name);
  const listener = ({ data }: MessageEvent<unknown>) => hear(data);
  heard?.addEventListener('message', listener);
  return () => heard?.removeEventListener('message', listener);
};

const LOG = 'coppice-log';
const LESSONS = 'coppice-lessons';
const SETTINGS = 'coppice-settings';

export const announceChange = (conversationId: string): void => shared(LOG)?.postMessage(conversationId);

/** Calls back when another tab appended to, renamed, deleted or purged a conversation. Returns a function to stop watching. */
export const watchLog = (callback: (conversationId: string) => void): (() => void) =>
  watch(LOG, (data) => {
    if (typeof data === 'string') callback(data);
  });

export const announceLessons = (): void => shared(LESSONS)?.postMessage(null);

/** Calls back when another tab changed the lessons, or the learning settings. Returns a function to stop watching. */
export const watchLessons = (callback: () => void): (() => void) => watch(LESSONS, callback);

export const announceSetting = (name: string): void => shared(SETTINGS)?.postMessage(name);

/** Calls back with the name of a setting that another tab saved. Returns a function to stop watching. */
export const watchSettings = (callback: (name: string) => void): (() => void) =>
  watch(SETTINGS, (data) => {
    if (typeof data === 'string') callback(data);
  });

/**
 * Runs a task while no other tab of this browser runs one of the same name (Web Locks). Resolves to false without
 * running it if another one still does after `patience` milliseconds. A lock ends with its tab.
 */
export const exclusive = async (name: string, patience: number, task: () => Promise<void>): Promise<boolean> => {
  // Missing if the page is served without TLS; then each tab runs on its own, and the log still orders them.
  if (!('locks' in navigator)) {
    await task();
    return true;
  }
  let ran = false;
  const run = async (lock: Lock | null) => {
    ran = lock !== null;
    if (ran) await task();
  };
  try {
    // Tries for a free lock first: on a busy machine the timeout could expire before an unclaimed lock is granted.
    await navigator.locks.request(name, { ifAvailable: true }, run);
  } catch (error) {
    if (ran || !isRefused(error)) throw error;
    await task();
    return true;
  }
  if (ran) return true;
  try {
    await navigator.locks.request(name, { signal: AbortSignal.timeout(patience) }, run);
    return true;
  } catch (error) {
    if (ran) throw error;
    return false;
  }
};

/** Where site data is blocked, locks are refused: the same as missing. */
const isRefused = (error: unknown): boolean => error instanceof DOMException && error.name === 'SecurityError';

/** Resolves once no tab runs a task of this name in `exclusive`; never where that cannot be known. */
export const whenFree = async (name: string): Promise<void> => {
  const never = new Promise<void>(() => undefined);
  if (!('locks' in navigator)) return never;
  try {
    await navigator.locks.request(name, () => undefined);
  } catch (error) {
    if (!isRefused(error)) throw error;
    await never;
  }
};
