import { expect, test } from 'vitest';
import type { AppState } from '../../app/state.ts';
import { plainApp } from '../../app/testing/plain-app.ts';
import { StorageFailure } from '../../engine/storage.ts';
import { countingChat } from '../../engine/testing/plain-models.ts';
import { memoryStorage } from '../../storage/memory-storage.ts';
import { reloadLoss } from './lazy-parts.tsx';

test('where a part failed, a reload is safe only if everything is saved and nothing is being done', async () => {
  const { actions, store } = await plainApp();
  await actions.send('one');
  const loss = (change: Partial<AppState> = {}) => reloadLoss({ ...store.getState(), ...change });
  expect(loss()).toBeNull();
  expect(loss({ longTasks: 1 })).toContain('still running');
  const turn = { nodeId: 'n', phase: 'replying', replyId: null, unsaved: '' } satisfies AppState['turn'];
  expect(loss({ turn })).toContain('still running');
  // What is being written is kept.
  const [nodeId = ''] = Object.keys(store.getState().forest.nodes);
  actions.session({ editing: { nodeId, text: 'one more' } });
  expect(loss()).toBeNull();
});

test('where nothing is saved, a reload is safe only as long as nothing has been said', async () => {
  const failure = new StorageFailure('blocked', 'Held up.');
  const { actions, store } = await plainApp(countingChat(), {
    openStorage: async () => ({ storage: memoryStorage(), kind: 'memory', failure }),
  });
  expect(reloadLoss(store.getState())).toBeNull();
  await actions.send('one');
  expect(reloadLoss(store.getState())).toContain('not being saved');
});
