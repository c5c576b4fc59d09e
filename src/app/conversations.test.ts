import { expect, test } from 'vitest';
import { recordsOf } from '../domain/table.ts';
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

test('what is sent while the page opens is no longer in the draft, which keeps what was there', async () => {
  const storage = memoryStorage();
  const drafts = memoryDrafts();
  const before = await plainApp(countingChat(), { storage, drafts });
  await before.actions.send('#trip one');
  drafts.save(before.store.getState().conversationId, 'a long message');

  const { start, actions, store } = unstartedApp(countingChat(), { storage, drafts });
  actions.session({ draft: 'h' });
  const sent = actions.send('h');
  await start();
  await sent;
  expect(recordsOf(store.getState().forest.nodes).map(({ message }) => message)).toEqual(['#trip one', 'h']);
  expect(store.getState().session.draft).toBe('a long message');
});
