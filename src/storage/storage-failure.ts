import { StorageFailure, type StorageFailureKind } from '../engine/storage.ts';

/** The failures that are known by their kind alone. */
type PlainKind = Exclude<StorageFailureKind, 'damaged' | 'held-up'>;

const KINDS: Readonly<Record<string, PlainKind>> = {
  QuotaExceededError: 'full',
  VersionError: 'newer-version',
  SecurityError: 'blocked',
  NotAllowedError: 'blocked',
  MissingAPIError: 'blocked',
  DatabaseClosedError: 'closed',
  InvalidStateError: 'closed',
};

/** What happened, and what to do about it without losing anything. */
const MESSAGES: Readonly<Record<PlainKind, string>> = {
  blocked:
    'The browser does not let Coppice store anything here (a private window, or site data is switched off). Export what you want to keep, then allow site data for this page and reload it.',
  // A conversation that is deleted keeps its room until it is deleted for good.
  full: 'There is no room left to store this. Export the conversation. Then make room and reload the page: free disk space, clear what Settings lists under Storage, delete models in Models, or delete conversations and, in “Recently deleted”, delete them for good.',
  closed:
    'The connection to your stored conversations was closed by an update in another tab or by the browser. Export anything new, then reload the page.',
  'newer-version':
    'Your stored conversations are from a newer Coppice. Export anything new, then reload the page to get it.',
  unknown: 'Something could not be stored or read. Export anything new, then reload the page.',
};

export const storageFailure = (kind: PlainKind, cause?: unknown): StorageFailure => {
  const detail = cause instanceof Error && kind === 'unknown' ? ` (${cause.name}: ${cause.message})` : '';
  return new StorageFailure(
    kind,
    MESSAGES[kind].replace('.', () => `${detail}.`),
    { cause },
  );
};

/** An error from IndexedDB or Dexie, and what caused it, the innermost last. */
const errorsIn = (error: unknown): (Error | DOMException)[] => {
  if (!(error instanceof Error || error instanceof DOMException)) return [];
  // Dexie's error about many rows holds the error of each.
  if ('failures' in error && Array.isArray(error.failures)) return errorsIn(error.failures[0]);
  // It keeps the browser's own error in `inner`.
  return [error, ...errorsIn('inner' in error ? error.inner : null)];
};

/** Converts an error from IndexedDB or Dexie; the innermost known one determines the kind. */
export const toStorageFailure = (error: unknown): StorageFailure => {
  const errors = errorsIn(error);
  const failure = errors.find((one) => one instanceof StorageFailure);
  if (failure !== undefined) return failure;
  const kind = errors.map(({ name }) => KINDS[name]).findLast((one) => one !== undefined);
  return storageFailure(kind ?? 'unknown', error);
};

/** The errors of a connection that broke, or that has just been closed to open another. */
const BROKEN = ['UnknownError', 'AbortError', 'InvalidStateError', 'DatabaseClosedError', 'OpenFailedError'];

/** Whether an error tells only that the connection to the database broke: on a new one, the same may succeed. */
export const isBroken = (error: unknown): boolean => {
  const errors = errorsIn(error);
  return errors.length > 0 && errors.every(({ name }) => BROKEN.includes(name));
};

/** The failure that stops an append: the stored log is not the one the entries were written for. */
export const gapFailure = (conversationId: string, newest: number, first: number): StorageFailure =>
  new StorageFailure(
    'damaged',
    `The stored conversation ${conversationId} ends at entry ${newest}, so entry ${first} cannot follow; it was probably deleted in another tab. Export it to keep what is on the screen.`,
  );

/** The failure of everything stored or read once the browser has removed the database of an open page. */
export const clearedFailure = (): StorageFailure =>
  new StorageFailure(
    'closed',
    'What was stored here was removed, as when the browser’s site data is cleared. Export what you want to keep, then reload the page.',
  );
