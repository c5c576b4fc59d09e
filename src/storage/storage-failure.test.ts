import { Dexie } from 'dexie';
import { expect, test } from 'vitest';
import { StorageFailure } from '../engine/storage.ts';
import { isBroken, toStorageFailure } from './storage-failure.ts';

const browserError = (name: string) => new DOMException('as the browser says it', name);

test.each([
  [browserError('QuotaExceededError'), 'full'],
  [new Dexie.AbortError('aborted', browserError('QuotaExceededError')), 'full'],
  [new Dexie.DatabaseClosedError('closed'), 'closed'],
  [
    new Dexie.DatabaseClosedError('closed', new Dexie.OpenFailedError('not opened', browserError('SecurityError'))),
    'blocked',
  ],
  [browserError('InvalidStateError'), 'closed'],
  [browserError('SecurityError'), 'blocked'],
  [new Dexie.MissingAPIError('no IndexedDB'), 'blocked'],
  [browserError('VersionError'), 'newer-version'],
  [browserError('DataError'), 'unknown'],
  [new TypeError('a mistake'), 'unknown'],
  ['not even an error', 'unknown'],
  [new Dexie.BulkError('1 of 1 failed', { 0: browserError('QuotaExceededError') } as never), 'full'],
] as const)('%s counts as %s and says what to do', (error, kind) => {
  const failure = toStorageFailure(error);
  expect(failure).toBeInstanceOf(StorageFailure);
  expect(failure.kind).toBe(kind);
  // Reloading first would lose what is new.
  expect(failure.message).toMatch(/export.*reload|export.*delete/i);
  expect(failure.message).not.toMatch(/reload.*export/i);
  expect(failure.cause).toBe(error);
});

test('where the storage is full, only what makes room is named', () => {
  const { message } = toStorageFailure(browserError('QuotaExceededError'));
  for (const place of ['Settings', 'Models', 'Recently deleted']) expect(message).toContain(place);
  expect(message).toMatch(/delete them for good/);
});

test('what is not known is named, and the message still ends with what to do', () => {
  expect(toStorageFailure(new TypeError('a mistake')).message).toMatch(/read \(TypeError: a mistake\)\. .*page\.$/);
});

test('a failure that already is one stays itself', () => {
  const failure = new StorageFailure('damaged', 'entry 3');
  expect(toStorageFailure(failure)).toBe(failure);
});

test.each([
  [browserError('UnknownError'), true],
  [new Dexie.AbortError('aborted'), true],
  [new Dexie.DatabaseClosedError('closed', new Dexie.UnknownError('not opened')), true],
  [new Dexie.BulkError('1 of 1 failed', { 0: browserError('UnknownError') } as never), true],
  [new Dexie.AbortError('aborted', browserError('QuotaExceededError')), false],
  [new Dexie.DatabaseClosedError('closed', browserError('SecurityError')), false],
  [browserError('ConstraintError'), false],
  [new StorageFailure('closed', 'It was closed.'), false],
  [new TypeError('a mistake'), false],
  ['not even an error', false],
] as const)('whether %s tells of a broken connection: %s', (error, broken) => {
  expect(isBroken(error)).toBe(broken);
});
