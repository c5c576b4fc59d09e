import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyEntries, fold, frozen } from '../../domain/apply.ts';
import type { Entry } from '../../domain/entry.ts';
import type { Event } from '../../domain/event-kinds.ts';
import { emptyForest, type Forest } from '../../domain/forest.ts';
import { HandledCounts } from '../../domain/handled-counts.ts';
import { Life, lives } from '../../domain/testing/random-life.ts';
import { countAt, drawnAs, filmStrip as filmOf, positionAt, type TurnFrame } from './film-strip.ts';

const log = (...events: Event[]): Entry[] =>
  events.map((event, index) => ({ v: 1, seq: index + 1, at: index, step: stepOf(event), event }));

const stepOf = (event: Event): string | null =>
  event.type === 'message-sent' || event.type === 'turn-placed' || event.type === 'turn-moved' ? event.nodeId : null;

const handledCounts = (entries: readonly Entry[]) => {
  const handled = new HandledCounts();
  handled.take(entries);
  return new Map(handled.toJSON().counts);
};

const film = (forest: Forest, entries: readonly Entry[]) => filmOf({ forest, entries, handled: null });

const sent = (nodeId: string): Event => ({ type: 'message-sent', nodeId, message: nodeId, given: null, target: null });
const placed = (nodeId: string, treeId: string, branchId: string, parentId: string | null): Event => ({
  type: 'turn-placed',
  nodeId,
  placement: { treeId, branchId, parentId },
  decision: { topic: parentId === null ? 'create-topic' : 'continue-topic', branch: null, by: 'engine', trace: null },
});
const started = (nodeId: string, replyId: string): Event => ({
  type: 'reply-started',
  nodeId,
  replyId,
  model: 'recall',
  context: null,
});
const ended = (nodeId: string, replyId: string): Event => ({
  type: 'reply-ended',
  nodeId,
  replyId,
  state: 'done',
  failure: null,
  timings: [],
});
const summarised = (nodeId: string): Event => ({ type: 'summarised', nodeId, text: 's', by: 'extractive' });
const turn = (nodeId: string, treeId: string, branchId: string, parentId: string | null): Event[] => [
  sent(nodeId),
  placed(nodeId, treeId, branchId, parentId),
  started(nodeId, `${nodeId}-r`),
  ended(nodeId, `${nodeId}-r`),
  summarised(nodeId),
];

test('a turn is handled when its reply and summary are in the log', () => {
  const entries = log(...turn('a', 't', 'b', null), ...turn('c', 't', 'b', 'a'));
  expect([...handledCounts(entries)]).toEqual([
    ['a', 5],
    ['c', 10],
  ]);
});

test('a correction and a later reply come after the moment the turn was handled', () => {
  const entries = log(
    ...turn('a', 't', 'b', null),
    { type: 'activated', nodeId: 'a' },
    started('a', 'again'),
    ended('a', 'again'),
    ...turn('c', 't', 'b', 'a'),
  );
  expect(handledCounts(entries).get('a')).toBe(5);
  expect(handledCounts(entries).get('c')).toBe(13);
});

test('an overview built for the reply and the engine’s title do not end the handling', () => {
  const [message, place, ...rest] = turn('a', 't', 'b', null) as [Event, Event, ...Event[]];
  const entries = log(
    message,
    place,
    { type: 'overview-built', overview: { id: 'o', branchId: 'b', lines: [] } },
    ...rest,
    { type: 'topic-titled', treeId: 't', title: 'A trip', by: 'engine' },
  );
  expect(handledCounts(entries).get('a')).toBe(7);
});

test('the strip shows the turns that stand, by weight', () => {
  const entries = log(
    ...turn('a', 't', 'b', null),
    ...turn('c', 't', 'b', 'a'),
    ...turn('d', 't', 'fork', 'a'),
    ...turn('gone', 'u', 'v', null),
    { type: 'undone', step: 'gone' },
  );
  const frames = film(fold(entries), entries);
  expect(frames.map((frame) => [frame.number, frame.weight, frame.count])).toEqual([
    [1, 'topic', 5],
    [2, 'continue', 10],
    [3, 'branch', 15],
  ]);
});

test('place and moment are inverse, and the last place is now', () => {
  const entries = log(...turn('a', 't', 'b', null), ...turn('c', 't', 'b', 'a'), ...turn('d', 't', 'b', 'c'));
  const frames = film(fold(entries), entries);
  for (const position of [1, 2, 3]) expect(positionAt(frames, countAt(frames, position))).toBe(position);
  expect(countAt(frames, 3)).toBeNull();
  expect(positionAt(frames, 2)).toBe(1);
  expect(positionAt(frames, 7)).toBe(1);
  expect(positionAt([], null)).toBe(0);
});

test('a moment lies before the first turn that was not done by then, in whatever order turns were done', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(60), { minLength: 1 }), fc.nat(70), (counts, moment) => {
      const frames = counts.map(
        (count, at): TurnFrame => ({ nodeId: `${at}`, number: at + 1, topic: 0, weight: 'continue', count }),
      );
      const undone = counts.findIndex((count) => count > moment);
      expect(positionAt(frames, moment)).toBe(undone === -1 ? counts.length : Math.max(1, undone));
    }),
  );
});

test('the film of a conversation that goes on is the one made anew, whatever is done', () => {
  fc.assert(
    fc.property(lives, (moves) => {
      const life = new Life();
      let forest = frozen(emptyForest());
      let entries: Entry[] = [];
      for (const move of moves) {
        life.live(move);
        forest = applyEntries(forest, life.entries.slice(entries.length));
        entries = [...life.entries];
        const going = film(forest, entries);
        const looks = ({ topic, weight }: TurnFrame) => ({ topic, weight });
        expect(drawnAs(going).map(looks)).toEqual(going.map(looks));
        expect(going).toEqual(film(fold(entries), structuredClone(entries)));
        film(forest, entries);
      }
    }),
    { numRuns: 100 },
  );
});

test('turns that go, come back and move leave the frames of all others as they are', () => {
  const life = new Life();
  const first = life.say(null);
  for (let turn = 0; turn < 20; turn++) life.say(first);
  const [, , second, third] = Object.keys(life.forest.nodes) as [string, string, string, string];
  let forest = frozen(fold(life.entries));
  let entries = [...life.entries];
  let before = film(forest, entries);
  const after = (act: () => unknown) => {
    act();
    forest = applyEntries(forest, life.entries.slice(entries.length));
    entries = [...life.entries];
    const now = film(forest, entries);
    const kept = now.filter((frame) => before.includes(frame)).length;
    before = now;
    return [now.length, kept];
  };
  expect(after(() => life.do({ type: 'delete', nodeIds: [second], alone: false, step: 'd' }))).toEqual([20, 20]);
  expect(after(() => life.do({ type: 'undo' }))).toEqual([21, 20]);
  expect(after(() => life.move(third, null))).toEqual([21, 20]);
  expect(after(() => life.do({ type: 'undo' }))).toEqual([21, 20]);
});

test('counts that were stored beside a forest are taken from where its turns are listed', () => {
  const entries = log(...turn('a', 't', 'b', null), ...turn('c', 't', 'b', 'a'));
  const forest = frozen(fold(entries));
  const ids = new Proxy(['a', 'c'], {
    get: (all, key) => {
      if (key === 'entries') throw new Error('all turns were gone through');
      return Reflect.get(all, key);
    },
  });
  const stored = { counts: [5, 10], others: [], taken: entries.length, current: 'c', replyId: 'c-r' };
  const handled = HandledCounts.ofKept(stored, ids);
  expect(filmOf({ forest, entries: [...entries], handled }).map(({ count }) => count)).toEqual([5, 10]);
});
