import { expect, test } from 'vitest';
import { countingChat } from '../engine/testing/plain-models.ts';
import { memoryStorage } from '../storage/memory-storage.ts';
import { memoryDrafts, plainApp, unstartedApp } from './testing/plain-app.ts';

test('what is typed while the page opens stands below the half-written message, and touches no other', async () => {
  const storage = memoryStorage();
  const drafts = memoryDrafts();
  const before = await plainApp(countingChat(), { storage, drafts });
  await before.actions.send('#trip one');
  const { conversationId } = before.store.getState();
  drafts.save(conversationId, 'a long message');
  drafts.save('new', 'another');

  const { start, actions, store } = unstartedApp(countingChat(), { storage, drafts });
  actions.session({ draft: 'h' });
  await start();
  expect(store.getState()).toMatchObject({ conversationId, session: { draft: 'a long message\n\nh' } });
  expect([drafts.read(conversationId), drafts.read('new'), drafts.read('opening')]).toEqual([
    'a long message\n\nh',
    'another',
    '',
  ]);
});
