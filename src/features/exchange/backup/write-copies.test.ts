import { afterEach, expect, test, vi } from 'vitest';
import { initialState } from '../../../app/state.ts';
import { plainApp, readyRoles } from '../../../app/testing/plain-app.ts';
import { Life } from '../../../domain/testing/random-life.ts';
import { StorageFailure } from '../../../engine/storage.ts';
import { memoryStorage } from '../../../storage/memory-storage.ts';
import {
  beginCopies,
  changesBackup,
  copyFolder,
  keepCopies,
  partialName,
  stopCopies,
  writeCopy,
} from './write-copies.ts';

/** A folder as provided by the browser, its files, and all that was written to it. `onWrite`: what happens meanwhile. */
const folderNamed = (
  permission: { now: PermissionState },
  written: Blob[],
  onWrite?: () => unknown,
  files = new Map<string, Blob>(),
) =>
  ({
    kind: 'directory',
    name: 'Copies',
    queryPermission: async () => permission.now,
    isSameEntry: async () => false,
    async *keys() {
      yield* files.keys();
    },
    getFileHandle: async (name: string) => ({
      createWritable: async () => ({
        write: async (blob: Blob) => {
          await onWrite?.();
          written.push(blob);
          files.set(name, blob);
        },
        close: async () => undefined,
      }),
    }),
  }) as unknown as FileSystemDirectoryHandle;

/** Stores settings as they are, where a browser would clone a folder handle. */
const access = (below = memoryStorage()) => {
  const settings = new Map<string, unknown>();
  const storage = {
    ...below,
    setting: async (name: string) => settings.get(name),
    saveSetting: async (name: string, value: unknown) => void settings.set(name, value),
  };
  return { withStorage: <T>(task: (of: typeof storage) => Promise<T>) => task(storage) };
};

test('copies are off until a folder is chosen; then each says when it was written, or why it was not', async () => {
  const permission: { now: PermissionState } = { now: 'granted' };
  const written: Blob[] = [];
  const own = access();
  expect([await copyFolder(own), await writeCopy(own, 1)]).toEqual([null, null]);

  const begun = await beginCopies(own, folderNamed(permission, written), 5);
  expect(begun.state).toMatchObject({ writtenAt: 5, failure: null });
  permission.now = 'prompt';
  expect(await writeCopy(own, 9)).toMatchObject({ writtenAt: 5, failure: expect.stringContaining('asks again') });
  expect(await copyFolder(own)).toMatchObject({ failure: expect.stringContaining('asks again') });
  permission.now = 'granted';
  expect(await writeCopy(own, 12)).toMatchObject({ writtenAt: 12, failure: null });
  expect(written).toHaveLength(2);

  await stopCopies(own);
  expect(await writeCopy(own, 20)).toBeNull();
});

test('a copy that is in the folder already stays, since it may be the only one of what another browser has', async () => {
  const found = new Blob(['ten years']);
  const files = new Map([['coppice-backup.zip', found]]);
  const folder = folderNamed({ now: 'granted' }, [], undefined, files);
  const own = access();
  const begun = await beginCopies(own, folder, 1);
  expect(begun.found).toEqual(['coppice-backup.zip']);
  expect(files.get('coppice-backup.zip')).toBe(found);
  // The same browser goes on with its own copy, and so does another one, or this one without its data.
  await stopCopies(own);
  const again = await beginCopies(own, folder, 2);
  expect(again.state.file).toBe(begun.state.file);
  const other = await beginCopies(access(), folder, 3);
  expect(other.found).toEqual([begun.state.file, 'coppice-backup.zip'].sort());
  await writeCopy(own, 4);
  expect([...files.keys()].sort()).toEqual([...other.found, other.state.file].sort());
});

test('a copy without what has been damaged does not replace the last one that has it whole', async () => {
  const below = memoryStorage();
  const life = new Life();
  life.say(null, 'of long ago');
  await below.append(life.entries, { id: 'a', title: 'Trip', turns: 1, createdAt: 0, updatedAt: 0, deletedAt: null });
  let isDamaged = false;
  const own = access({
    ...below,
    read: (...given) =>
      isDamaged ? Promise.reject(new StorageFailure('damaged', 'It is damaged')) : below.read(...given),
  });
  const files = new Map<string, Blob>();
  const { state } = await beginCopies(own, folderNamed({ now: 'granted' }, [], undefined, files), 1);
  const whole = files.get(state.file);
  isDamaged = true;
  expect(await writeCopy(own, 2)).toMatchObject({ failure: null, damaged: 'Trip' });
  expect(files.get(state.file)).toBe(whole);
  expect([...files.keys()]).toEqual([state.file, partialName(state.file)]);
  isDamaged = false;
  expect(await writeCopy(own, 3)).not.toHaveProperty('damaged');
  expect(files.get(state.file)).not.toBe(whole);
});

test('a copy that was written counts as written where the storage is too full to note it', async () => {
  let isFull = false;
  const own = access();
  const full: typeof own = {
    withStorage: (task) =>
      own.withStorage((storage) =>
        task({
          ...storage,
          saveSetting: (...given) =>
            isFull ? Promise.reject(new StorageFailure('full', 'It is full')) : storage.saveSetting(...given),
        }),
      ),
  };
  await beginCopies(full, folderNamed({ now: 'granted' }, []), 1);
  isFull = true;
  expect(await writeCopy(full, 2)).toMatchObject({ writtenAt: 2, failure: null });
});

test('copies that are stopped, or go to another folder, while one is written stay so', async () => {
  const own = access();
  const onWrite: (() => Promise<unknown>)[] = [];
  const folder = folderNamed({ now: 'granted' }, [], () => onWrite.pop()?.());
  await beginCopies(own, folder, 1);
  onWrite.push(() => stopCopies(own));
  expect(await writeCopy(own, 2)).toBeNull();
  expect(await copyFolder(own)).toBeNull();

  await beginCopies(own, folder, 3);
  const other = folderNamed({ now: 'granted' }, []);
  onWrite.push(() => beginCopies(own, other, 4));
  expect(await writeCopy(own, 5)).toMatchObject({ folder: other, writtenAt: 4 });
});

/** A browser in which time is told and that lets a page write to folders. Returns what it has in localStorage. */
const stubBrowser = (
  request: (name: string, options: LockOptions, task: (lock: object | null) => unknown) => unknown,
) => {
  vi.useFakeTimers();
  vi.stubGlobal('window', { showDirectoryPicker: () => undefined });
  vi.stubGlobal('document', { addEventListener: () => undefined });
  vi.stubGlobal('navigator', { locks: { request } });
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  });
  return kept;
};

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a change while a copy is being written is in the next one', async () => {
  let isWriting = true;
  const asked: boolean[] = [];
  stubBrowser(async (_name, _options, task) => {
    asked.push(isWriting);
    await task(isWriting ? null : {});
  });
  const { store, actions } = await plainApp();
  keepCopies({ store, actions });
  await actions.send('#trip one');
  await vi.advanceTimersByTimeAsync(600_000);
  isWriting = false;
  await vi.advanceTimersByTimeAsync(1_200_000);
  expect(asked).toEqual([true, false]);
});

test('what a visit was too short for is copied soon after the start of the next one', async () => {
  const kept = stubBrowser((_name, _options, task) => task({}));
  const own = access();
  const written: Blob[] = [];
  const visit = async (ports: Parameters<typeof plainApp>[1] = {}, to = own) => {
    const { store, actions } = await plainApp(undefined, ports);
    keepCopies({ store, actions: { ...actions, ...to } });
    return actions;
  };
  await beginCopies(own, folderNamed({ now: 'granted' }, written), 1);
  await (await visit()).send('#trip one');
  // The tab is closed.
  vi.clearAllTimers();
  expect([written.length, kept.size]).toEqual([1, 1]);
  // Nor is it forgotten by one in which the storage does not open, so that no folder is known.
  const failure = new StorageFailure('held-up', 'They are still there.');
  await visit({ openStorage: async () => ({ storage: memoryStorage(), kind: 'memory', failure }) }, access());
  await vi.advanceTimersByTimeAsync(60_000);
  vi.clearAllTimers();
  expect([written.length, kept.size]).toEqual([1, 1]);
  await visit();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([written.length, kept.size]).toEqual([2, 0]);
  vi.clearAllTimers();
  await visit();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(written).toHaveLength(2);
});

test('a copy that lacks what is damaged is announced, once', async () => {
  stubBrowser((_name, _options, task) => task({}));
  const life = new Life();
  life.say(null);
  const below = memoryStorage();
  await below.append(life.entries, { id: 'a', title: 'Trip', turns: 1, createdAt: 0, updatedAt: 0, deletedAt: null });
  const own = access({ ...below, read: () => Promise.reject(new StorageFailure('damaged', 'It is damaged')) });
  await beginCopies(own, folderNamed({ now: 'granted' }, []), 1);
  const { store, actions } = await plainApp();
  const announce = vi.fn();
  keepCopies({ store, actions: { ...actions, ...own, announce } });
  for (const message of ['#trip one', '#trip two']) {
    await actions.send(message);
    await vi.advanceTimersByTimeAsync(600_000);
  }
  expect(announce.mock.calls).toEqual([[expect.stringContaining('lacks what is damaged')]]);
});

test('settings are copied as well as conversations once they have changed', () => {
  const state = initialState(readyRoles, 'indexeddb');
  expect(changesBackup({ ...state, conversations: [] }, state)).toBe(true);
  for (const name of ['keys', 'personas', 'settings'] as const) {
    expect(changesBackup({ ...state, [name]: { ...state[name] } }, state)).toBe(true);
  }
  expect(changesBackup({ ...state, nextTokens: 3 }, state)).toBe(false);
});

test('a conversation that is only looked at needs no new copy, one that is changed or deleted does', async () => {
  const { store, actions } = await plainApp();
  await actions.send('#trip one');
  const { conversationId } = store.getState();
  await actions.newConversation();
  await actions.send('#bread two');
  let isDue = false;
  store.subscribe((now, before) => {
    isDue ||= changesBackup(now, before);
  });
  const dueAfter = async (act: () => unknown) => {
    isDue = false;
    await act();
    return isDue;
  };
  expect(await dueAfter(() => actions.openConversation(conversationId))).toBe(false);
  expect(await dueAfter(() => actions.newConversation())).toBe(false);
  expect(await dueAfter(() => actions.openConversation(conversationId))).toBe(false);
  const nodeId = store.getState().forest.active?.nodeId ?? '';
  expect(await dueAfter(() => actions.noteTurn(nodeId, 'by train'))).toBe(true);
  expect(await dueAfter(() => actions.purgeTurns([nodeId]))).toBe(true);
  expect(await dueAfter(() => actions.deleteConversation(conversationId))).toBe(true);
});

test('where locks are refused nothing is said of copies that nobody wants', async () => {
  const request = vi.fn(() => Promise.reject(new DOMException('', 'SecurityError')));
  stubBrowser(request);
  const { store, actions } = await plainApp();
  const announce = vi.fn();
  keepCopies({ store, actions: { ...actions, announce } });
  await actions.send('#trip one');
  await vi.advanceTimersByTimeAsync(600_000);
  expect([request.mock.calls.length, announce.mock.calls.length]).toEqual([1, 0]);
});
