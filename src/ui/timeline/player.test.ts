import { expect, test } from 'vitest';
import type { Entry } from '../../domain/entry.ts';
import type { Event } from '../../domain/event-kinds.ts';
import { changeAfter, changeBefore, changesBetween, filmScenes, firstScene, sceneLength } from './player.ts';

const log = (...events: Event[]): Entry[] =>
  events.map((event, index) => ({ v: 1, seq: index + 1, at: index, step: null, event }));

test('only what changes the picture is a scene', () => {
  const entries = log(
    { type: 'message-sent', nodeId: 'a', message: 'hi', given: null, target: null },
    {
      type: 'turn-placed',
      nodeId: 'a',
      placement: { treeId: 't', branchId: 'b', parentId: null },
      decision: { topic: 'create-topic', branch: null, by: 'engine', trace: null },
    },
    { type: 'reply-started', nodeId: 'a', replyId: 'r', model: 'recall', context: null },
    { type: 'reply-received', nodeId: 'a', replyId: 'r', text: 'hello' },
    { type: 'reply-ended', nodeId: 'a', replyId: 'r', state: 'done', failure: null, timings: [] },
    { type: 'undone', step: 'a' },
    { type: 'turns-hidden', nodeIds: ['a'], hidden: true },
    { type: 'summarised', nodeId: 'a', text: 's', by: 'person' },
    { type: 'turns-deleted', nodeIds: ['a'] },
  );
  expect(filmScenes(entries)).toEqual([2, 5, 6, 7, 9]);
});

test('playing goes on from where the person is, and starts over at the end', () => {
  expect(firstScene([2, 5, 6], 3)).toBe(1);
  expect(firstScene([2, 5, 6], 6)).toBe(0);
  expect(firstScene([2, 5, 6], null)).toBe(0);
});

test('every change between two turns has its moment, and the last one is now', () => {
  const entries = log(
    { type: 'message-sent', nodeId: 'a', message: 'hi', given: null, target: null },
    { type: 'turns-hidden', nodeIds: ['a'], hidden: true },
    { type: 'summarised', nodeId: 'a', text: 's', by: 'person' },
    { type: 'turn-pinned', nodeId: 'a', pinned: true },
    { type: 'turns-hidden', nodeIds: ['a'], hidden: false },
  );
  expect(changeBefore(entries, null)).toBe(4);
  expect(changeBefore(entries, 4)).toBe(2);
  expect(changeBefore(entries, 2)).toBeUndefined();
  expect(changeAfter(entries, 2)).toBe(4);
  expect(changeAfter(entries, 4)).toBeNull();
  expect(changeAfter(entries, null)).toBeUndefined();
  expect(changesBetween(entries, 2, 4)).toBe(1);
  expect(changeBefore([], null)).toBeUndefined();
  expect(changeAfter([], 0)).toBeNull();
});

test('a long life is played faster', () => {
  expect(sceneLength(10)).toBeGreaterThan(sceneLength(5000));
});

test('a step reads no more of a log than up to the change it goes to', () => {
  const entries = log(
    ...Array.from({ length: 90 }, (): Event => ({ type: 'turn-pinned', nodeId: 'a', pinned: true })).flatMap(
      (pinned): Event[] => [pinned, { type: 'turns-hidden', nodeIds: ['a'], hidden: true }],
    ),
  );
  const read = new Set<number>();
  const watched = new Proxy(entries, {
    get: (list, key) => {
      if (typeof key === 'string' && key !== 'length') read.add(Number(key));
      return Reflect.get(list, key);
    },
  });
  expect(changeBefore(watched, 100)).toBe(changeBefore(entries, 100));
  expect(changeAfter(watched, 100)).toBe(changeAfter(entries, 100));
  expect(read.size).toBeLessThan(10);
});
