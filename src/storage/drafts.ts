import type { Drafts } from '../engine/storage.ts';

const keyOf = (conversationId: string): string => `coppice-draft ${conversationId}`;
/** Between a key and the disk, in milliseconds: nobody types slower for it. */
const REST = 300;

/** In the browser's own storage, which alone can be written to while the page goes away. */
export const browserDrafts = (): Drafts => {
  const waiting = new Map<string, string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = () => {
    clearTimeout(timer);
    for (const [key, text] of waiting) {
      try {
        if (text === '') localStorage.removeItem(key);
        else localStorage.setItem(key, text);
      } catch {
        // Kept for this visit only: the settings say that nothing can be stored.
      }
    }
    waiting.clear();
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

/** For where nothing is to stay. */
export const memoryDrafts = (): Drafts => {
  const drafts = new Map<string, string>();
  return { read: (id) => drafts.get(id) ?? '', save: (id, text) => void drafts.set(id, text) };
};
