import { expect, test, vi } from 'vitest';
import { Life } from '../domain/testing/random-life.ts';
import { memoryStorage } from '../storage/memory-storage.ts';
import { plainApp, until } from './testing/plain-app.ts';

const lived = () => {
  const life = new Life();
  life.say(null);
  return life.entries;
};

test('the browser is asked once to keep what is stored, also if it was imported, and not before something is', async () => {
  let isKept = false;
  const persist = vi.fn(async () => {
    isKept = true;
    return true;
  });
  const storage = { ...memoryStorage(), persist, persisted: async () => isKept };
  const { actions, store } = await plainApp(undefined, { storage });
  await actions.newConversation();
  expect([persist.mock.calls.length, store.getState().storage.persisted]).toEqual([0, false]);
  await actions.keepConversation('a', 'Imported', lived);
  await actions.listKept();
  await until(store, (state) => state.storage.persisted);
  await actions.send('#trip one');
  expect(persist).toHaveBeenCalledTimes(1);

  // What was granted is known from the start of the next visit, which asks when it stores something.
  const next = await plainApp(undefined, { storage });
  expect(next.store.getState().storage.persisted).toBe(true);
  expect(persist).toHaveBeenCalledTimes(1);
});

test('counting what is stored also tells how much of the browser’s storage is used by then', async () => {
  let usage = 1;
  const storage = { ...memoryStorage(), estimate: async () => ({ usage, quota: 9 }) };
  const { actions, store } = await plainApp(undefined, { storage });
  expect(store.getState().storage.estimate).toEqual({ usage: 1, quota: 9 });
  usage = 5;
  await actions.storageUse(() => undefined, new AbortController().signal);
  expect(store.getState().storage.estimate).toEqual({ usage: 5, quota: 9 });
});
