import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { plainApp } from '../../app/testing/plain-app.ts';
import type { Forest } from '../../domain/forest.ts';
import { violations } from '../../domain/invariants.ts';
import { idsOf, recordsOf } from '../../domain/table.ts';
import { plainTable } from '../../domain/testing/plain-forest.ts';
import { plainModels, tagDecider } from '../../engine/testing/plain-models.ts';
import { forestOf, newEntries } from './read/entries-of.ts';
import type { SourceMessage } from './read/source.ts';
import { createTopicSorting } from './sort-topics-dialog.tsx';

const said = (id: string, parentId: string | null, text: string, by: SourceMessage['by'] = 'user'): SourceMessage => ({
  id,
  parentId,
  by,
  text,
  at: 1_700_000_000 + Number(id.replace(/\D/g, '')),
});

const opened = async (messages: readonly SourceMessage[], ports?: Parameters<typeof plainApp>[1]) => {
  const app = await plainApp(undefined, ports);
  const add = async (all: readonly SourceMessage[]) => {
    const read = forestOf({ source: 'test', id: 'c', title: '#boat trip', messages: all, currentId: null }, 0);
    await app.actions.keepConversation(read.key, read.title, (known) => newEntries(read, known));
    await app.actions.openKept(read.key);
  };
  await add(messages);
  const engine = await app.part(({ engine }) => engine);
  await engine.catchUp(new AbortController().signal);
  const sorting = await app.part(createTopicSorting);
  const sort = (signal = new AbortController().signal) => sorting.sort(() => undefined, signal);
  const forest = () => app.store.getState().forest;
  return { ...app, add, sort, forest };
};

test('hidden turns stay, and no model is asked about them', async () => {
  const app = await opened(line);
  const hidden = recordsOf(app.forest().nodes).find(({ message }) => message === '#dog three')?.id ?? '';
  await app.actions.hideTurns([hidden], true);
  await app.sort();
  expect(placesIn(app.forest())).toMatchObject({ '#dog three': 'two', four: '#dog three' });
  expect(app.forest().nodes[hidden]?.decision.trace).toBeNull();
});

/** The parent message of each message. */
const placesIn = ({ nodes }: Forest) =>
  Object.fromEntries(
    recordsOf(nodes).map(({ message, parentId }) => [message, parentId === null ? null : nodes[parentId]?.message]),
  );

const LINE = ['#boat one', 'two', '#dog three', 'four', '#boat five', 'six'];
const line = LINE.map((text, at) => said(`m${at}`, at === 0 ? null : `m${at - 1}`, text));

test('topics are found, named and gone back to; no label is kept; one undo takes it all back, and redo brings it again', async () => {
  const app = await opened(line);
  const before = structuredClone(plainTable(app.forest().nodes));
  expect(await app.sort()).toMatchObject({ moved: 3, topics: 2, refusal: null });
  const sorted = placesIn(app.forest());
  expect(sorted).toEqual({
    '#boat one': null,
    two: '#boat one',
    '#dog three': null,
    four: '#dog three',
    '#boat five': 'two',
    six: '#boat five',
  });
  expect(recordsOf(app.forest().trees).map(({ title }) => title)).toEqual(['#boat trip', '#dog three']);
  const nodes = recordsOf(app.forest().nodes);
  expect(nodes.every(({ label }) => label === null)).toBe(true);
  expect(nodes.filter(({ decision }) => decision.trace?.decider === 'tags')).toHaveLength(5);
  expect(violations(app.forest())).toEqual([]);
  expect(app.store.getState().learning.corrections).toBe(0);

  await app.actions.undo();
  expect(app.forest().nodes).toEqual(before);
  await app.actions.redo();
  expect(placesIn(app.forest())).toEqual(sorted);
});

test('a decider is asked the same as when the messages are sent one by one, also how long ago each topic was talked about', async () => {
  const recording = () => {
    const asked: unknown[] = [];
    const decider = tagDecider();
    const topic: typeof decider.topic = (question) => {
      asked.push([question.message, ...question.topics.map(({ title, age }) => [title, age])]);
      return decider.topic(question);
    };
    return { asked, models: () => plainModels({ decide: { ...decider, topic } }) };
  };
  const sent = recording();
  const talked = await plainApp(undefined, sent);
  for (const message of LINE) await talked.actions.send(message);
  const sorted = recording();
  await (await opened(line, sorted)).sort();
  const untitled = (asked: unknown) => JSON.stringify(asked).replaceAll('#boat one', '#boat trip');
  expect(untitled(sorted.asked)).toEqual(untitled(sent.asked));
  expect(sorted.asked.at(-1)).toEqual(['six', ['#boat trip', 0], ['#dog three', 1]]);
});

test('a longer export that is added afterwards is taken back first, and no message of it is a draft then', async () => {
  const app = await opened(line.slice(0, 4));
  await app.sort();
  const sorted = placesIn(app.forest());
  await app.add(line);
  expect(placesIn(app.forest())).toEqual({ ...sorted, '#boat five': 'four', six: '#boat five' });
  await app.actions.undo();
  expect(placesIn(app.forest())).toEqual(sorted);
  expect(app.store.getState().session.draft).toBe('');
  await app.actions.undo();
  await app.actions.redo();
  await app.actions.redo();
  expect(placesIn(app.forest())).toEqual({ ...sorted, '#boat five': 'four', six: '#boat five' });
  expect(violations(app.forest())).toEqual([]);
});

test('what was sorted is reverted, and nothing that was done since', async () => {
  const app = await opened(line);
  const before = placesIn(app.forest());
  (await app.sort()).revert?.run();
  await vi.waitFor(() => expect(placesIn(app.forest())).toEqual(before));
  const { revert } = await app.sort();
  const sorted = placesIn(app.forest());
  await app.actions.send('seven');
  revert?.run();
  expect(app.store.getState().notice?.text).toMatch(/^Something else was done since then/);
  expect(placesIn(app.forest())).toEqual({ ...sorted, seven: 'six' });
});

test('messages written side by side stay so, each branch knows only its own past, and whoever was moved by hand stays', async () => {
  const app = await opened([
    ...line.slice(0, 3),
    said('m3', 'm2', '#boat here'),
    said('m4', 'm2', '#boat there'),
    said('m5', 'm4', '#dog again'),
    said('m6', 'm1', '#dog edited'),
    said('m7', 'm0', 'by hand'),
  ]);
  const byHand = recordsOf(app.forest().nodes).find(({ message }) => message === 'by hand');
  const two = recordsOf(app.forest().nodes).find(({ message }) => message === 'two');
  await app.actions.correct(byHand?.id ?? '', { kind: 'under', nodeId: two?.id ?? '' });
  await app.sort();
  expect(placesIn(app.forest())).toMatchObject({
    // The first of three siblings would open a topic, so they stay.
    '#dog three': 'two',
    '#dog edited': 'two',
    'by hand': 'two',
    '#boat here': '#dog three',
    '#boat there': '#dog three',
  });
  expect(violations(app.forest())).toEqual([]);
});

test('cancelled, it has changed nothing; where nothing would move, it says so', async () => {
  const app = await opened(line);
  const { entries } = app.store.getState();
  const ending = new AbortController();
  ending.abort();
  await expect(app.sort(ending.signal)).rejects.toThrow();
  expect(app.store.getState().entries).toBe(entries);

  const calm = await opened(line.slice(0, 2));
  expect(await calm.sort()).toEqual({ moved: 0, topics: 1, refusal: null, revert: null });
});

test('any imported tree is a sound forest with the same turns after it, and as it was after one undo', async () => {
  const trees = fc.array(fc.record({ up: fc.nat({ max: 5 }), tag: fc.constantFrom('#boat', '#dog', '#map', '') }), {
    minLength: 2,
    maxLength: 25,
  });
  await fc.assert(
    fc.asyncProperty(trees, async (drafts) => {
      const messages = drafts.map(({ up, tag }, at) =>
        said(`m${at}`, at === 0 ? null : `m${Math.max(0, at - 1 - (up === 5 ? 2 : 0))}`, `${tag} ${at}`),
      );
      const app = await opened(messages);
      const before = structuredClone(plainTable(app.forest().nodes));
      const { moved } = await app.sort();
      expect(violations(app.forest())).toEqual([]);
      expect(idsOf(app.forest().nodes).toSorted()).toEqual(Object.keys(before).sort());
      for (const { id, parentId, number } of recordsOf(app.forest().nodes)) {
        expect(parentId === null || (app.forest().nodes[parentId]?.number ?? number) < number, id).toBe(true);
      }
      if (moved > 0) await app.actions.undo();
      expect(app.forest().nodes).toEqual(before);
    }),
    { numRuns: 40 },
  );
});
