import { describe, expect, test } from 'vitest';
import { fold } from '../domain/apply.ts';
import type { Forest, PendingTurn } from '../domain/forest.ts';
import { pendingTurn } from '../domain/queries.ts';
import { recordsOf } from '../domain/table.ts';
import type { Life } from '../domain/testing/random-life.ts';
import { visibleForest } from './context/visible-forest.ts';
import { rerun } from './history/re-run.ts';
import { noPauses, whatIfPartsOf } from './history/testing/engine-life.ts';
import { AS_IT_WAS } from './history/what-if.ts';
import type { Decider, SummaryInput } from './ports.ts';
import { bareHost } from './testing/bare-host.ts';
import { bagEmbedder, countingChat, firstWords, gate, plainModels, tagDecider } from './testing/plain-models.ts';

/** Titles a topic with everything it is given, and records that. */
const allMessages = () => {
  const asked: SummaryInput[] = [];
  return {
    ...firstWords,
    asked,
    title: async (turn: SummaryInput) => {
      asked.push(turn);
      return [turn.message, turn.second?.message].filter((message) => message !== undefined).join(' + ');
    },
  };
};

const hostWith = (summarise = allMessages(), decide: Decider = tagDecider()) => {
  const host = bareHost({ summarise, decide });
  const titles = () => recordsOf(host.life.forest.trees).map(({ title }) => title);
  return { ...host, titles, asked: summarise.asked };
};

/** As it is now: what a life holds is changed in place. */
const forestOf = ({ entries }: Life): Forest => fold(entries);

test('a topic is titled after its first turn, once more with its second, and then no more', async () => {
  const { send, titles, asked } = hostWith();
  await send('hi');
  expect(titles()).toEqual(['hi']);
  await send('my bread is flat');
  expect(titles()).toEqual(['hi + my bread is flat']);
  await send('why');
  await send('#other one');
  expect(titles()).toEqual(['hi + my bread is flat', '#other one']);
  expect(asked).toHaveLength(3);
  expect(asked[1]?.second?.reply).toContain('messages');
});

test('another reply to the second turn leaves the title', async () => {
  const { send, engine, life, asked } = hostWith();
  await send('hi');
  const second = await send('two');
  await engine.regenerate(second, life.id(), new AbortController().signal);
  expect(asked).toHaveLength(2);
});

test('what the person called a topic stays', async () => {
  const { send, life, titles, asked } = hostWith();
  const first = await send('hi');
  const treeId = life.forest.nodes[first]?.treeId ?? '';
  life.do({ type: 'record', step: 'mine', event: { type: 'topic-titled', treeId, title: 'Mine', by: 'person' } });
  await send('two');
  expect(titles()).toEqual(['Mine']);
  expect(asked).toHaveLength(1);
});

test('taking the second turn back takes its title back, and bringing it back brings it', async () => {
  const { send, life, titles } = hostWith();
  await send('hi');
  await send('two');
  life.do({ type: 'undo' });
  expect(titles()).toEqual(['hi']);
  life.do({ type: 'redo' });
  expect(titles()).toEqual(['hi + two']);
  life.do({ type: 'undo' });
  await send('three');
  expect(titles()).toEqual(['hi + three']);
});

test('a title that came after another step goes with the second turn that gave it, all the same', async () => {
  let between = (): void => undefined;
  const summarise = allMessages();
  const { send, engine, life, titles, asked } = hostWith({
    ...summarise,
    title: async (turn) => {
      if (turn.second !== undefined) between();
      return summarise.title(turn);
    },
  });
  const first = await send('hi');
  between = () => life.do({ type: 'record', step: 'pin', event: { type: 'turn-pinned', nodeId: first, pinned: true } });
  await send('door code 4711');
  between = () => undefined;
  expect(titles()).toEqual(['hi + door code 4711']);
  life.do({ type: 'undo' });
  const before = forestOf(life);
  life.do({ type: 'undo' });
  await engine.catchUpSince(before);
  expect(titles()).toEqual(['hi']);
  const { length } = asked;
  life.do({ type: 'redo' });
  await send('three');
  const after = forestOf(life);
  life.do({ type: 'undo' });
  await engine.catchUpSince(after);
  expect(asked).toHaveLength(length);
});

test('the words of a second turn that is purged are gone from the title, too', async () => {
  const { send, life, titles } = hostWith();
  await send('hi');
  const second = await send('door code 4711');
  await send('#other one');
  life.purge([second]);
  expect(JSON.stringify(life.entries)).not.toContain('4711');
  expect(titles()[0]).toBe('hi');
});

test('a hidden second turn has no words in the title that a model is shown', async () => {
  const { send, life } = hostWith();
  await send('hi');
  const second = await send('door code 4711');
  life.do({ type: 'record', step: 'hide', event: { type: 'turns-hidden', nodeIds: [second], hidden: true } });
  expect(recordsOf(visibleForest(life.forest).trees).map(({ title }) => title)).toEqual(['hi']);
});

test('a title made anew is made without turns hidden since', async () => {
  const { send, engine, life, titles, asked } = hostWith();
  const first = await send('hi');
  const second = await send('door code 4711');
  life.do({ type: 'record', step: 'hide', event: { type: 'turns-hidden', nodeIds: [second], hidden: true } });
  asked.length = 0;
  await engine.regenerate(first, life.id(), new AbortController().signal);
  expect(titles()).toEqual(['hi']);
  await send('my bread is flat');
  expect(titles()).toEqual(['hi + my bread is flat']);
  expect(JSON.stringify(asked)).not.toContain('4711');
});

test('a topic that is hidden as a whole is not titled', async () => {
  const { engine, life, titles, asked } = hostWith();
  const before = forestOf(life);
  const first = life.say(null, 'door code 4711');
  life.do({ type: 'record', step: 'hide', event: { type: 'turns-hidden', nodeIds: [first], hidden: true } });
  await engine.titleSince(before);
  expect(asked).toEqual([]);
  life.do({ type: 'record', step: 'show', event: { type: 'turns-hidden', nodeIds: [first], hidden: false } });
  await engine.titleSince(before);
  expect(titles()).toEqual(['door code 4711']);
});

describe('a topic whose second turn was moved out of it', () => {
  const moved = async () => {
    const host = hostWith();
    const { send, life, engine } = host;
    await send('hi');
    const second = await send('my bread is flat');
    const before = forestOf(life);
    const fresh = { treeId: life.id(), branchId: life.id() };
    life.do({ type: 'move', nodeId: second, parentId: null, fresh, at: 1, step: life.id() });
    return { ...host, before, follow: (from: Forest) => engine.catchUpSince(from) };
  };

  test('loses the words of that turn from its title, and has them again once that is undone', async () => {
    const { titles, life, before, follow } = await moved();
    await follow(before);
    expect(titles()).toEqual(['hi', 'my bread is flat']);
    const after = forestOf(life);
    life.do({ type: 'undo' });
    await follow(after);
    expect(titles()).toEqual(['hi + my bread is flat']);
  });

  test('keeps the title that the person gave it', async () => {
    const { titles, life, before, follow } = await moved();
    const [{ id: treeId } = { id: '' }] = recordsOf(life.forest.trees);
    life.do({ type: 'record', step: 'mine', event: { type: 'topic-titled', treeId, title: 'Mine', by: 'person' } });
    await follow(before);
    expect(titles()[0]).toBe('Mine');
  });

  test('is titled by its first turns still when an older one is moved into it', async () => {
    const { send, engine, life, titles } = hostWith();
    const old = await send('#old');
    const root = await send('#new hi');
    await send('my bread is flat');
    const before = forestOf(life);
    const fresh = { treeId: life.id(), branchId: life.id() };
    life.do({ type: 'move', nodeId: old, parentId: root, fresh, at: 1, step: life.id() });
    await engine.titleSince(before);
    expect(titles()).toEqual(['#new hi + my bread is flat']);
  });

  test('is not asked about again', async () => {
    const { asked, before, life, follow } = await moved();
    await follow(before);
    const { length } = asked;
    await follow(forestOf(life));
    expect(asked).toHaveLength(length);
  });
});

test('a topic that undo brings back untitled is titled', async () => {
  const { engine, send, life, titles } = hostWith();
  await send('#trip hi');
  // As while its reply was still being written.
  const other = life.say(null, 'my bread is flat');
  const [first] = recordsOf(life.forest.nodes);
  const fresh = { treeId: life.id(), branchId: life.id() };
  life.do({ type: 'move', nodeId: other, parentId: first?.id ?? '', fresh, at: 1, step: life.id() });
  const before = forestOf(life);
  life.do({ type: 'undo' });
  await engine.catchUpSince(before);
  expect(titles()).toEqual(['#trip hi', 'my bread is flat']);
  expect(recordsOf(life.forest.trees).map(({ titledBy }) => titledBy)).toEqual(['engine', 'engine']);
});

test('a title that was being made from a turn which is not the first any more is dropped', async () => {
  const isTitling = gate();
  const titled = gate();
  const summarise = allMessages();
  const host = hostWith({
    ...summarise,
    title: async (turn) => {
      if (turn.message !== 'my bread is flat' || turn.second !== undefined) return summarise.title(turn);
      isTitling.open();
      await titled.opened;
      return 'made too late';
    },
  });
  const { engine, life, titles } = host;
  const first = await host.send('hi');
  await host.send('my bread is flat');
  const before = forestOf(life);
  life.do({ type: 'delete', nodeIds: [first], alone: true, step: life.id() });
  const titling = engine.titleSince(before);
  await isTitling.opened;
  const after = forestOf(life);
  life.do({ type: 'undo' });
  titled.open();
  await titling;
  await engine.catchUpSince(after);
  expect(titles()).toEqual(['hi + my bread is flat']);
});

test('a topic left while it was being titled is titled when its conversation is opened again, and once', async () => {
  const leaving = new AbortController();
  const summarise = allMessages();
  const { title } = summarise;
  const { engine, life, titles, asked } = hostWith({
    ...summarise,
    title: async (turn) => {
      if (leaving.signal.aborted) return title(turn);
      leaving.abort();
      throw leaving.signal.reason;
    },
  });
  life.send('hi');
  const pending = pendingTurn(life.forest) as PendingTurn;
  await engine.turn(pending, new AbortController().signal, leaving.signal);
  expect(recordsOf(life.forest.nodes)[0]?.summary).not.toBeNull();
  const { length } = life.entries;
  for (let opened = 0; opened < 3; opened++) await engine.catchUp(new AbortController().signal);
  expect(asked).toHaveLength(1);
  expect(life.entries.slice(length).map(({ event }) => event.type)).toEqual(['topic-titled']);
  expect(titles()).toEqual(['hi']);
});

test('a topic of several turns that was moved out, or lost its first turn, is titled when its conversation is opened', async () => {
  const { engine, send, life, titles, asked } = hostWith();
  await send('one');
  const two = await send('two');
  await send('three');
  const fresh = () => ({ treeId: life.id(), branchId: life.id() });
  life.do({ type: 'move', nodeId: two, parentId: null, fresh: fresh(), at: 1, step: life.id() });
  asked.length = 0;
  const open = () => engine.catchUp(new AbortController().signal);
  for (let opened = 0; opened < 2; opened++) await open();
  expect(titles()).toEqual(['one + two', 'two + three']);
  life.do({ type: 'delete', nodeIds: [two], alone: true, step: life.id() });
  for (let opened = 0; opened < 2; opened++) await open();
  expect(titles()).toEqual(['one + two', 'three']);
  expect(asked).toHaveLength(2);
});

test('a topic whose title is its first message, whatever follows, is asked about once', async () => {
  const { engine, life, asked } = hostWith({
    ...allMessages(),
    asked: [],
    title: async (turn) => {
      asked.push(turn);
      return turn.message;
    },
  });
  const first = life.say(null, 'hi');
  life.say(first, 'two');
  for (let opened = 0; opened < 3; opened++) await engine.catchUp(new AbortController().signal);
  expect(asked).toHaveLength(1);
});

test('run through again, a title of two turns is there where both are', async () => {
  // At first everything is one topic; then tags decide.
  const inOneTopic: Decider = {
    ...tagDecider(),
    topic: async ({ topics }) => ({
      action: 'continue-topic',
      target: topics[0]?.treeId ?? null,
      confidence: 1,
      reasons: [],
      raw: '',
      decider: 'one topic',
    }),
  };
  const { send, life, titles } = hostWith(allMessages(), inOneTopic);
  await send('hi');
  await send('#bread');
  expect(titles()).toEqual(['hi + #bread']);
  const again = async (decide: Decider) => {
    const embedded = { chat: countingChat(), decide, summarise: firstWords, embed: bagEmbedder };
    const workshop = whatIfPartsOf({ models: plainModels({ decide }), embedded });
    const { forest } = await rerun(workshop, life.entries, AS_IT_WAS, noPauses());
    return recordsOf(forest.trees).map(({ title }) => title);
  };
  expect(await again(inOneTopic)).toEqual(['hi + #bread']);
  expect(await again(tagDecider())).toEqual(['hi', '#bread']);
});
