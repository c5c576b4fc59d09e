import { expect, test } from 'vitest';
import { fold, frozen } from '../domain/apply.ts';
import { longList, sourceOf } from '../domain/long-list.ts';
import { plainForest } from '../domain/testing/plain-forest.ts';
import { Life } from '../domain/testing/random-life.ts';
import { syntheticLog } from '../domain/testing/synthetic-forest.ts';
import type { Lesson } from '../engine/lessons.ts';
import type { Kernel } from './kernel.ts';
import { lessonsFor, originOf } from './re-run.ts';
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

test('a copy whose manual edits are left out does not keep the lessons that its original has of them', () => {
  const life = new Life();
  const [one, two, three] = [life.say(null), life.say(null), life.say(null)];
  for (const at of [7, 8]) {
    life.do({ type: 'confirm', nodeId: at === 7 ? two : three, at, step: life.id() });
  }
  const lesson = (conversationId: string, nodeId: string, at: number) => ({ conversationId, nodeId, at }) as Lesson;
  const lessons = [
    lesson('original', two, 7),
    lesson('original', three, 9),
    lesson('copy', three, 8),
    lesson('another', one, 5),
  ];
  const left = (byHand: 'again' | 'left-out') => lessonsFor(lessons, 'copy', life.entries, { byHand, from: null });
  expect(left('left-out')).toEqual([lessons[1], lessons[3]]);
  expect(left('again')).toEqual(lessons);
});
