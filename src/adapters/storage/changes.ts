/*
 * Tells the other tabs of the same browser that a conversation changed in storage. The message is the
 * conversation's id; who hears it reads what it has not seen.
 */

let channel: BroadcastChannel | undefined;

/** One for the tab: a channel does not hear what it posts itself. */
const shared = (): BroadcastChannel => {
  channel ??= new BroadcastChannel('coppice-log');
  return channel;
};

export const announceChange = (conversationId: string): void => shared().postMessage(conversationId);

/** Calls back when another tab appended to, renamed, deleted or purged a conversation. Returns what ends it. */
export const watchLog = (callback: (conversationId: string) => void): (() => void) => {
  const hear = ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'string') callback(data);
  };
  const heard = shared();
  heard.addEventListener('message', hear);
  return () => heard.removeEventListener('message', hear);
};
