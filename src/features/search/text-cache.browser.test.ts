import { Dexie } from 'dexie';
import { afterAll, expect, test } from 'vitest';
import { plainApp } from '../../app/testing/plain-app.ts';
import { syntheticLog } from '../../domain/testing/synthetic-forest.ts';
import { openIndexedDbStorage } from '../../storage/indexeddb-storage.ts';
import { type Hit, openSearch } from './search.ts';

const name = `test-${crypto.randomUUID()}`;
const storage = await openIndexedDbStorage({ name });
afterAll(async () => {
  storage.close();
  await Dexie.delete(name);
});

const TURNS = 700;
const never = new AbortController().signal;
const shown = async ({ conversationId, number, excerpt }: Hit) => [conversationId, number, (await excerpt()).text];

test('what is stored behind finds the same as the logs do, without them', async () => {
  for (const id of ['a', 'b']) {
    const log = syntheticLog(TURNS, id.length);
    await storage.append(log, { id, title: id, turns: TURNS, createdAt: 1, updatedAt: 1, deletedAt: null });
  }
  const first = await plainApp(undefined, { storage });
  await first.actions.newConversation();
  await first.actions.send('#new nothing of that');
  const search = await first.part(openSearch);
  const before = await search.find('lisbon', never, () => undefined);
  expect(before.total).toBeGreaterThan(5);
  expect(before.turns).toBe(2 * TURNS + 1);
  await search.storeBehind();
  expect(await storage.textsKept()).toEqual(['a', 'b']);

  const read: string[] = [];
  const watched: typeof storage = {
    ...storage,
    read: (id, ...rest) => {
      read.push(id);
      return storage.read(id, ...rest);
    },
  };
  const second = await plainApp(undefined, { storage: watched });
  await second.actions.newConversation();
  await second.actions.send('#new Lisbon');
  read.length = 0;
  const after = await (await second.part(openSearch)).find('lisbon', never, () => undefined);
  // Nothing is stored yet of the conversation that was open until now.
  expect(read).toEqual([first.store.getState().conversationId]);
  expect(after.total).toBe(before.total + 1);
  const stored = after.hits.filter(({ conversationId }) => conversationId.length === 1);
  expect(await Promise.all(stored.map(shown))).toEqual(await Promise.all(before.hits.map(shown)));
});
