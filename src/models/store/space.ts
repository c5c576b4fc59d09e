import { ModelFailure } from '../../engine/model-failure.ts';
import type { Depot } from './depot.ts';
import { bytesInWords, fileInWords } from './words.ts';

/** The browser has no room left for what was written. */
export const isQuota = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'QuotaExceededError';

/** Rejects if `more` bytes are known not to fit. (Chromium tells every page of the same 10 GB, whatever the disk has.) */
export const requireRoom = async (depot: Depot, more: number, url: string): Promise<void> => {
  const room = await depot.room();
  if (room !== null && more > room) throw full(more, room, url);
};

/** `more`: bytes that are still to be stored, or 0 where nobody knows. */
export const fullFailure = async (depot: Depot, more: number, url: string): Promise<ModelFailure> =>
  full(more, await depot.room(), url);

const full = (more: number, room: number | null, url: string): ModelFailure => {
  const name = url.startsWith('own:') ? 'This file' : fileInWords(url);
  const wanted = more > 0 ? ` needs ${bytesInWords(more)} more` : ' needs more space than is left';
  const missing =
    more > 0 && room !== null && more > room
      ? `, and the browser has room for ${bytesInWords(room)}: ${bytesInWords(more - room)} are missing`
      : '';
  return new ModelFailure(
    'storage-full',
    `${name}${wanted}${missing}. Delete models that you no longer use, free disk space, or choose a smaller model; what came is kept.`,
  );
};
