import { fileNameIn } from '../../domain/attachment.ts';
import { bytesInWords } from '../../domain/numbers.ts';
import { ModelFailure } from '../../engine/model-failure.ts';
import type { FileStore } from './file-store.ts';

/** The failure for an error response to a file request. */
export const failureOfStatus = (status: number, url: string): ModelFailure => {
  const file = fileInWords(url);
  if (status === 404 || status === 410) {
    return new ModelFailure('not-found', `There is no ${file}. Check the model’s name and file.`);
  }
  if (status === 401) {
    // Hugging Face's answer about a model that does not exist, too: it does not tell those from private ones.
    return new ModelFailure(
      'unauthorised',
      `The server refuses ${file} (401). There may be no such model, so check its name. Or it is private, or its licence must be accepted first; then choose another model.`,
      { status },
    );
  }
  if (status === 403) {
    return new ModelFailure(
      'unauthorised',
      `The server does not let everyone download ${file} (${status}). The model may be private, or its licence must be accepted first. Choose another model.`,
      { status },
    );
  }
  if (status === 429) {
    return new ModelFailure('rate-limited', `The server asks to wait before it sends ${file}. Try again in a minute.`);
  }
  return new ModelFailure('server-error', `The server could not send ${file} (${status}). Try again later.`);
};

/**
 * Finds out why a request got no response at all, which browsers do not tell pages. A `no-cors` request, whose response the
 * page may not read, succeeds if the server is up; then the server blocks this origin.
 */
export const failureOfNoAnswer = async (url: string, cause: unknown): Promise<ModelFailure> => {
  const { host } = new URL(url);
  const answers = await fetch(url, { method: 'HEAD', mode: 'no-cors', cache: 'no-store' }).then(
    () => true,
    () => false,
  );
  if (answers) {
    return new ModelFailure(
      'cors',
      `${host} responds, but does not let this page read from it (CORS). It must send Access-Control-Allow-Origin. Otherwise choose another address.`,
      { cause },
    );
  }
  return new ModelFailure('unreachable', unreachable(host), { cause });
};

const unreachable = (host: string): string => {
  if (typeof navigator !== 'undefined' && navigator.onLine === false) {
    return 'You are offline. Connect and try again. What was downloaded is kept.';
  }
  // On a page isolated with `require-corp` (all that Safari supports), blocked requests get no response either: the two cases look the
  // same.
  return globalThis.crossOriginIsolated === true
    ? `${host} cannot be reached, or does not let this page read from it (CORS). Check the address and the network, then try again.`
    : `${host} cannot be reached. Check the address and your connection, then try again.`;
};

/** Whether the browser ran out of storage space. */
export const isQuota = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'QuotaExceededError';

/** Rejects if `more` bytes are known not to fit. (Chromium reports the same 10 GB to every page, whatever the disk has.) */
export const requireRoom = async (depot: FileStore, more: number, url: string): Promise<void> => {
  const room = await depot.room();
  if (room !== null && more > room) throw full(more, room, url);
};

/** `more`: bytes still to be stored, or 0 if unknown. */
export const fullFailure = async (depot: FileStore, more: number, url: string): Promise<ModelFailure> =>
  full(more, await depot.room(), url);

const full = (more: number, room: number | null, url: string): ModelFailure => {
  const own = url.startsWith('own:');
  const name = own ? 'This file' : fileInWords(url);
  const wanted = more > 0 ? ` needs ${bytesInWords(more)} more` : ' needs more space than is available';
  const missing =
    more > 0 && room !== null && more > room
      ? `, but the browser only has room for ${bytesInWords(room)} (${bytesInWords(more - room)} short)`
      : '';
  return new ModelFailure(
    'storage-full',
    `${name}${wanted}${missing}. Delete models that you no longer use, free disk space, or choose a smaller model.${own ? '' : ' The part received is kept.'}`,
  );
};

/** A file's name and origin, for messages: `model.onnx from 127.0.0.1:8080`. */
export const fileInWords = (url: string): string => `${fileNameIn(url)} from ${new URL(url).host}`;
