import { expect, test } from 'vitest';
import { fold, frozen } from '../domain/apply.ts';
import { longList, sourceOf } from '../domain/long-list.ts';
import { plainForest } from '../domain/testing/plain-forest.ts';
import { syntheticLog } from '../domain/testing/synthetic-forest.ts';
import type { Kernel } from './kernel.ts';
import { originOf } from './re-run.ts';
import { Snapshots } from './snapshots.ts';

test('what is being replied to is no part of what is run again, and the log before it stays packed', () => {
  const log = syntheticLog(60, 3);
  const begun = log.findLastIndex(({ event }) => event.type === 'message-sent');
  const event = log[begun]?.event;
  if (event?.type !== 'message-sent') throw new Error('no message');
  const packed = log.slice(0, begun - 20);
  const entries = longList({ length: packed.length, at: (at) => packed[at] as never }, log.slice(packed.length));
  const originWhile = (turn: unknown) =>
    originOf({
      store: { getState: () => ({ conversationId: 'a', entries, forest: frozen(fold(log)), turn }) },
      snapshots: new Snapshots(),
    } as unknown as Kernel);

  const origin = originWhile({ nodeId: event.nodeId, replyId: null });
  expect([...origin.entries]).toEqual(log.slice(0, begun));
  expect(plainForest(origin.forest)).toEqual(plainForest(fold(log, begun)));
  expect(sourceOf(origin.entries)?.length).toBe(packed.length);
  expect(entries).toHaveLength(log.length);
  expect(originWhile(null).entries).toBe(entries);
});
