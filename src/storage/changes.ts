/*
 * Tells the other tabs of the same browser that something changed in storage: a conversation, by its id, a setting, by
 * its name, or the lessons. Who hears it reads what it has not seen.
 */

const channels = new Map<string, BroadcastChannel>();

/** One of a name for the tab: a channel does not hear what it posts itself. */
const shared = (name: string): BroadcastChannel => {
  const channel = channels.get(name) ?? new BroadcastChannel(name);
  channels.set(name, channel);
  return channel;
};

const watch = (name: string, hear: (data: unknown) => void): (() => void) => {
  const heard = shared(name);
  const listener = ({ data }: MessageEvent<unknown>) => hear(data);
  heard.addEventListener('message', listener);
  return () => heard.removeEventListener('message', listener);
};

const LOG = 'coppice-log';
const LESSONS = 'coppice-lessons';
const SETTINGS = 'coppice-settings';

export const announceChange = (conversationId: string): void => shared(LOG).postMessage(conversationId);

/** Calls back when another tab appended to, renamed, deleted or purged a conversation. Returns what ends it. */
export const watchLog = (callback: (conversationId: string) => void): (() => void) =>
  watch(LOG, (data) => {
    if (typeof data === 'string') callback(data);
  });

export const announceLessons = (): void => shared(LESSONS).postMessage(null);

/** Calls back when another tab changed the lessons, or whether there are any to be. Returns what ends it. */
export const watchLessons = (callback: () => void): (() => void) => watch(LESSONS, callback);

export const announceSetting = (name: string): void => shared(SETTINGS).postMessage(name);

/** Calls back with the name of a setting that another tab saved. Returns what ends it. */
export const watchSettings = (callback: (name: string) => void): (() => void) =>
  watch(SETTINGS, (data) => {
    if (typeof data === 'string') callback(data);
  });
