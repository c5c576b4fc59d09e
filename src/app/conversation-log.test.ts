import { expect, test } from 'vitest';
import type { Entry } from '../domain/entry.ts';
import { Life } from '../domain/testing/random-life.ts';
import { memoryStorage } from '../storage/memory-storage.ts';
import { appendAll } from './conversation-log.ts';

test('a long log is stored in portions, each of whole turns', async () => {
  const life = new Life();
  for (let turn = 0; turn < 1500; turn++) life.say(null);
  const meta = { id: 'a', title: 'a', turns: 1500, createdAt: 0, updatedAt: 1, deletedAt: null };
  const storage = memoryStorage();
  const portions: (readonly Entry[])[] = [];
  const noted = {
    ...storage,
    append: (...args: Parameters<typeof storage.append>) => {
      portions.push(args[0]);
      return storage.append(...args);
    },
  };
  await appendAll(noted, life.entries, meta);
  expect(await storage.read('a')).toEqual(life.entries);
  expect(portions.length).toBeGreaterThan(1);
  for (const [first] of portions) expect(first?.event.type).toBe('message-sent');
});
