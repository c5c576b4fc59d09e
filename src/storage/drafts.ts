import type { Drafts } from '../engine/storage.ts';

const keyOf = (conversationId: string): string => `coppice-draft ${conversationId}`;
/** Delay between a keystroke and the write, in milliseconds, so that saving does not slow down typing. */
const REST = 300;

/** Uses the browser's localStorage, the only storage that can be written to while the page unloads. */
export const browserDrafts = (): Drafts => {
  const waiting = new Map<string, string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = () => {
    clearTimeout(timer);
    for (const [key, text] of waiting) {
      try {
        if (text === '') localStorage.removeItem(key);
        else localStorage.setItem(key, text);
        waiting.delete(key);
      } catch {
        // Kept for this visit only: the settings say that nothing can be stored.
      }
    }
  };
  addEventListener('pagehide', write);
  return {
    read: (conversationId) => {
      const key = keyOf(conversationId);
      try {
        return waiting.get(key) ?? localStorage.getItem(key) ?? '';
      } catch {
        return '';
      }
    },
    save: (conversationId, text) => {
      waiting.set(keyOf(conversationId), text);
      clearTimeout(timer);
      timer = setTimeout(write, REST);
    },
  };
};
