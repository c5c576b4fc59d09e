import { expect, test } from 'vitest';
import { activePath, replyOf } from '../domain/queries.ts';
import { type Storage, StorageFailure } from '../engine/storage.ts';
import { countingChat, gate } from '../engine/testing/plain-models.ts';
import { memoryStorage } from '../storage/memory-storage.ts';
import { plainApp } from './testing/plain-app.ts';

/** A tab; `changed` tells it that another tab saved settings. */
const tabOn = async (storage: Storage = memoryStorage()) => {
  let changed: (name: string) => void = () => undefined;
  const app = await plainApp(countingChat(), {
    storage,
    watchSettings: (callback) => {
      changed = callback;
      return () => undefined;
    },
  });
  return { ...app, storage, changed: () => changed('engine-settings'), now: () => app.store.getState().settings };
};

const lastTurn = ({ store }: Awaited<ReturnType<typeof tabOn>>) => activePath(store.getState().forest).at(-1);

test('a change is a version, used from the next message on and named in its trace', async () => {
  const tab = await tabOn();
  await tab.actions.send('one');
  await tab.actions.changeSettings({ parameters: { k: 2, patience: 20_000 }, prompts: { topic: 'Sort this.' } });
  expect(tab.now()).toMatchObject({ current: 1, versions: [{ version: 1, from: 0, parameters: { k: 2 } }] });
  await tab.actions.send('two');
  expect(lastTurn(tab)?.decision.trace?.settings).toEqual({
    version: 1,
    parameters: { k: 2 },
    prompts: ['topic'],
    reconsiders: true,
  });
});

test('the same settings again are the same version again', async () => {
  const { actions, now } = await tabOn();
  await actions.changeSettings({ parameters: { k: 2 } });
  await actions.changeSettings({ parameters: { theta: 0.5 } });
  await actions.changeSettings({ parameters: { theta: null } });
  expect(now()).toMatchObject({ current: 1, versions: [{ version: 1 }, { version: 2 }] });
  await actions.changeSettings({ parameters: { k: 5 } });
  expect(now().current).toBe(0);
  await actions.changeSettings({ prompts: { title: 'Name it.' } });
  await actions.changeSettings({ prompts: { title: null } });
  expect(now()).toMatchObject({ current: 0, versions: [{}, {}, { version: 3, from: 0 }] });
});

test('going back to a version brings all of it, and another change goes on from there', async () => {
  const { actions, now } = await tabOn();
  await actions.changeSettings({ policy: 'truncation', parameters: { lastTurns: 2 } });
  await actions.changeSettings({ policy: 'flat-rag' });
  await actions.goToSettings(1);
  await actions.changeSettings({ parameters: { k: 3 } });
  expect(now().versions.at(-1)).toMatchObject({
    version: 3,
    from: 1,
    policy: 'truncation',
    parameters: { lastTurns: 2, k: 3 },
  });
  await actions.goToSettings(7);
  expect(now().current).toBe(3);
});

test('the policy chosen builds the context', async () => {
  const tab = await tabOn();
  await tab.actions.changeSettings({ policy: 'full-history' });
  await tab.actions.send('one');
  const turn = lastTurn(tab);
  expect(turn && replyOf(turn)?.context?.policy).toBe('full-history');
  expect(turn?.decision.trace?.policy).toBe('full-history');
});

test('a turn on its way keeps the settings that it began with', async () => {
  const { open: goOn, opened: held } = gate();
  const chat = countingChat();
  const app = await plainApp({
    ...chat,
    prepare: () => held,
  });
  const sent = app.actions.send('one');
  await expect.poll(() => app.store.getState().turn?.phase).toBe('replying');
  await app.actions.changeSettings({ policy: 'truncation' });
  goOn();
  await sent;
  const [turn] = activePath(app.store.getState().forest);
  expect(turn?.decision.trace?.settings?.version).toBe(0);
  expect(turn && replyOf(turn)?.context?.policy).toBe('focused');
});

test('another tab, and a later visit, have the same settings; two that change at once lose nothing', async () => {
  const storage = memoryStorage();
  const here = await tabOn(storage);
  const there = await tabOn(storage);
  await here.actions.changeSettings({ parameters: { k: 2 } });
  await there.actions.changeSettings({ parameters: { theta: 0.5 } });
  expect(there.now()).toMatchObject({
    current: 2,
    versions: [{ parameters: { k: 2 } }, { parameters: { k: 2, theta: 0.5 } }],
  });
  here.changed();
  await expect.poll(() => here.now().current).toBe(2);
  expect((await tabOn(storage)).now()).toEqual(there.now());
});

test('what is damaged is told, and the shipped settings stand in; no number is given twice', async () => {
  const storage = memoryStorage();
  const good = { version: 1, at: 1, from: 0, policy: 'truncation', parameters: { lastTurns: 2 }, prompts: {} };
  const bad = { ...good, version: 2, parameters: { lastTurns: -2 } };
  await storage.saveSetting('engine-settings', { current: 2, versions: [good, bad] });
  const { store, actions, now } = await tabOn(storage);
  expect(now()).toMatchObject({ current: 0, versions: [{ version: 1 }] });
  expect(store.getState().problems).toMatchObject([{ title: 'Your engine settings could not be read' }]);
  await actions.changeSettings({ parameters: { k: 2 } });
  expect(now()).toMatchObject({ current: 3, versions: [{ version: 1 }, { version: 3 }] });
  expect(store.getState().problems).toEqual([]);
});

test.each([
  ['text', 'nonsense'],
  [
    'an unknown policy',
    { current: 1, versions: [{ version: 1, at: 1, from: 0, policy: 'magic', parameters: {}, prompts: {} }] },
  ],
  [
    'a prompt without words',
    {
      current: 1,
      versions: [{ version: 1, at: 1, from: 0, policy: 'truncation', parameters: {}, prompts: { topic: ' ' } }],
    },
  ],
  ['a version that is not there', { current: 4, versions: [] }],
])('%s in the storage stops nobody', async (_, stored) => {
  const storage = memoryStorage();
  await storage.saveSetting('engine-settings', stored);
  const tab = await tabOn(storage);
  expect(tab.store.getState().problems).toHaveLength(1);
  await tab.actions.send('one');
  expect(lastTurn(tab)?.decision.trace?.settings?.version).toBe(0);
});

test('a version that is damaged and not in use is told, and those in use stay', async () => {
  const storage = memoryStorage();
  const good = { version: 2, at: 1, from: 0, policy: 'truncation', parameters: {}, prompts: {} };
  await storage.saveSetting('engine-settings', { current: 2, versions: [{ version: 1 }, good] });
  const { store, now } = await tabOn(storage);
  expect(now().current).toBe(2);
  expect(store.getState().problems).toMatchObject([{ title: /^Some versions/ }]);
});

test('a storage that takes nothing is left for memory, and the change holds', async () => {
  const full = () => Promise.reject(new StorageFailure('full', 'No space is left.'));
  const { store, actions, now } = await tabOn({ ...memoryStorage(), saveSetting: full });
  await actions.changeSettings({ parameters: { k: 2 } });
  expect(now().current).toBe(1);
  expect(store.getState().storage.kind).toBe('memory');
});

test('a change says whether it was saved', async () => {
  const storage = memoryStorage();
  let broken = true;
  const saveSetting: Storage['saveSetting'] = async (...args) => {
    if (broken) throw new Error('The disk is gone.');
    return storage.saveSetting(...args);
  };
  const { store, actions, now } = await tabOn({ ...storage, saveSetting });
  expect(await actions.changeSettings({ parameters: { k: 2 } })).toBe(false);
  expect(now().current).toBe(0);
  expect(store.getState().problems).toMatchObject([{ title: 'Changing the engine settings failed' }]);
  broken = false;
  expect(await actions.changeSettings({ parameters: { k: 2 } })).toBe(true);
  expect(now().current).toBe(1);
});
