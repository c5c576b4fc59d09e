import { describe, expect, test } from 'vitest';
import { activePath, pendingTurn, replyOf } from '../domain/queries.ts';
import type { Dialogue } from '../engine/ports.ts';
import { countingChat, gate, heldChat, heldDecider, plainModels } from '../engine/testing/plain-models.ts';
import { memoryStorage } from '../storage/memory-storage.ts';
import type { AppState } from './state.ts';
import { plainApp, until } from './testing/plain-app.ts';

const begun: Dialogue = { title: 'Begun', turns: [{ message: '#trip one', reply: 'given one' }] };

describe('a tab that is closed in the middle', () => {
  test.each([
    ['a reply', 'heard of'],
    ['a reply', 'found on opening'],
    ['a message', 'heard of'],
    ['a message', 'found on opening'],
  ] as const)('leaves %s that another tab takes up: %s', async (left, how) => {
    const storage = memoryStorage();
    const closed = gate();
    let isWorking = false;
    let hear: (id: string) => void = () => undefined;
    const openAnother = () =>
      plainApp(countingChat(), {
        storage,
        watchLog: (changed) => {
          hear = changed;
          return () => undefined;
        },
        exclusive: async (_name, _patience, task) => {
          if (!isWorking) await task();
          return !isWorking;
        },
        whenFree: () => (isWorking ? closed.opened : Promise.resolve()),
      });
    const { chat } = heldChat();
    const models = plainModels(left === 'a reply' ? { chat } : { decide: heldDecider().decide });
    const closing = await plainApp(chat, { storage, models: () => models });
    await closing.actions.replay(begun);
    const before = how === 'heard of' ? await openAnother() : null;
    isWorking = true;
    void closing.actions.send('two');
    await until(closing.store, ({ forest }) =>
      left === 'a reply'
        ? activePath(forest).some((node) => replyOf(node)?.state === 'streaming')
        : pendingTurn(forest) !== null,
    );
    const { store } = before ?? (await openAnother());
    hear(store.getState().conversationId);
    await until(store, ({ entries }) => entries.length === closing.store.getState().entries.length);
    isWorking = false;
    closed.open();
    const state = left === 'a reply' ? 'interrupted' : 'done';
    const states = ({ forest }: AppState) => activePath(forest).map((node) => replyOf(node)?.state);
    await until(store, (now) => states(now)[1] === state);
    expect(store.getState()).toMatchObject({ problems: [], notice: null, forest: { turnCount: 2, pending: {} } });
  });
});
