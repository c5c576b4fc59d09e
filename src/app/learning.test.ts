import { expect, onTestFinished, test, vi } from 'vitest';
import { fold, frozen } from '../domain/apply.ts';
import type { Label } from '../domain/decision.ts';
import { activePath, nodeOf } from '../domain/queries.ts';
import { withRecord } from '../domain/table.ts';
import { syntheticLog } from '../domain/testing/synthetic-forest.ts';
import { Engine } from '../engine/engine.ts';
import type { Lesson } from '../engine/lessons.ts';
import type { Summariser } from '../engine/ports.ts';
import { type Storage, StorageFailure } from '../engine/storage.ts';
import { countingChat, firstWords, gate, heldChat, plainModels } from '../engine/testing/plain-models.ts';
import { memoryStorage } from '../storage/memory-storage.ts';
import { changedLabels } from './learning.ts';
import { plainApp, plainLearner, until } from './testing/plain-app.ts';

/** An app in its own tab; `changed` tells it that another tab changed the lessons. */
const tabOn = async (storage: Storage = memoryStorage(), summarise: Summariser = firstWords) => {
  let changed: () => void = () => undefined;
  const learner = plainLearner();
  const models = plainModels({ summarise });
  const { store, actions } = await plainApp(countingChat(), {
    models: () => models,
    storage,
    learner,
    watchLessons: (callback) => {
      changed = callback;
      return () => undefined;
    },
  });
  return { store, actions, learner, storage, changed: () => changed() };
};

const withTwoTurns = async (storage?: Storage, summarise?: Summariser) => {
  const tab = await tabOn(storage, summarise);
  await tab.actions.send('#trip one');
  await tab.actions.send('two');
  const second = activePath(tab.store.getState().forest)[1]?.id as string;
  return { ...tab, second };
};

/** Makes a learner announce that it makes lessons, and wait until `learned` is opened. */
const heldLearner = (learner: ReturnType<typeof plainLearner>) => {
  const [isLearning, learned] = [gate(), gate()];
  const { lessonsOf } = learner;
  Object.assign(learner, {
    lessonsOf: async (...args: Parameters<typeof lessonsOf>) => {
      isLearning.open();
      await learned.opened;
      return lessonsOf(...args);
    },
  });
  return { isLearning, learned };
};

test('a correction is a lesson on the question as it stood; undo takes it back and redo brings it again', async () => {
  const { store, actions, learner, second } = await withTwoTurns();
  await actions.correct(second, { kind: 'new-topic' });
  expect(learner.known).toMatchObject([{ nodeId: second, question: 'topic', by: 'correction', right: 0 }]);
  expect(learner.known[0]?.choices[0]?.action).toBe('create-topic');
  expect(store.getState().learning).toMatchObject({ on: true, corrections: 1, confirmations: 0 });

  await actions.undo();
  expect(learner.known).toEqual([]);
  expect(store.getState().learning).toMatchObject({ corrections: 0, learned: null });
  await actions.redo();
  expect(learner.known).toHaveLength(1);
});

test('a correction undone while its topic is being titled, or its lesson being made, teaches nothing', async () => {
  const [isTitling, titled] = [gate(), gate()];
  const title: Summariser['title'] = async ({ message }) => {
    if (message !== 'two') return message;
    isTitling.open();
    await titled.opened;
    return 'Number two';
  };
  const { store, actions, learner, second } = await withTwoTurns(undefined, { ...firstWords, title });
  const correcting = actions.correct(second, { kind: 'new-topic' });
  await isTitling.opened;
  expect(store.getState().notice?.text).toContain('moved to a topic of its own');
  expect(learner.known).toHaveLength(1);
  await actions.undo();
  titled.open();
  await correcting;
  expect(learner.known).toEqual([]);
  expect(store.getState().notice?.text).toBe('Undone.');

  const { isLearning, learned } = heldLearner(learner);
  const confirming = actions.confirm(second);
  await isLearning.opened;
  const undoing = actions.undo();
  await until(store, ({ forest }) => forest.nodes[second]?.label === null);
  learned.open();
  await Promise.all([confirming, undoing]);
  expect(learner.known).toEqual([]);
});

test('a confirmation is a label and a lesson, and a turn is confirmed once', async () => {
  const { store, actions, second } = await withTwoTurns();
  await actions.confirm(second);
  const { label, parentId } = store.getState().forest.nodes[second] ?? {};
  expect(label).toMatchObject({ engine: { parentId }, person: { parentId } });
  expect(store.getState().entries.at(-1)?.event.type).toBe('turn-confirmed');
  expect(store.getState().learning).toMatchObject({ corrections: 0, confirmations: 1 });
  await actions.confirm(second);
  expect(store.getState().notice?.text).toBe('You have already confirmed or corrected this turn.');
  await actions.undo();
  expect(store.getState().forest.nodes[second]?.label).toBeNull();
  expect(store.getState().learning).toMatchObject({ confirmations: 0 });
});

test('a correction of a confirmed turn takes the place of its lesson', async () => {
  const { store, actions, learner, second } = await withTwoTurns();
  await actions.confirm(second);
  await actions.correct(second, { kind: 'new-topic' });
  expect(learner.known).toMatchObject([{ by: 'correction' }]);
  expect(store.getState().learning).toMatchObject({ corrections: 1, confirmations: 0 });
});

test('the first turn and one that the person placed teach nothing', async () => {
  const { store, actions, learner } = await tabOn();
  await actions.send('#trip one');
  const [first] = activePath(store.getState().forest);
  actions.session({ target: { kind: 'under', nodeId: first?.id as string } });
  await actions.send('two');
  const second = activePath(store.getState().forest)[1]?.id as string;
  await actions.correct(second, { kind: 'new-topic' });
  expect(learner.known).toEqual([]);
});

test('a place that the person chose beforehand is a label and a lesson; undo takes both back', async () => {
  const { store, actions, learner } = await withTwoTurns();
  actions.session({ target: { kind: 'new-topic', chosen: true } });
  await actions.send('three');
  const third = activePath(store.getState().forest).at(-1);
  expect(third?.label).toMatchObject({ person: { parentId: null }, beforehand: true });
  expect(third?.label?.engine.parentId).not.toBeNull();
  expect(learner.known).toMatchObject([{ nodeId: third?.id, by: 'correction', choices: [{ action: 'create-topic' }] }]);
  expect(store.getState().session.target).toBeNull();
  await actions.undo();
  expect(learner.known).toEqual([]);
  await actions.redo();
  expect(learner.known).toHaveLength(1);
});

test('a place that the person chose beforehand is a lesson before the reply to it is complete', async () => {
  const storage = memoryStorage();
  const before = await withTwoTurns(storage);
  const { chat, letGo } = heldChat();
  const { store, actions } = await plainApp(chat, { storage, learner: plainLearner() });
  actions.session({ target: { kind: 'new-topic', chosen: true } });
  const sending = actions.send('three');
  await until(store, ({ turn }) => turn?.phase === 'replying' && turn.unsaved !== '');
  const third = activePath(store.getState().forest).at(-1);
  await expect.poll(() => storage.lessons()).toMatchObject([{ nodeId: third?.id, by: 'correction' }]);
  expect(third?.id).not.toBe(before.second);
  letGo();
  await sending;
  expect(await storage.lessons()).toHaveLength(1);
});

test('off, nothing speaks and nothing is learned, and what there was stays for later', async () => {
  const { store, actions, learner, second } = await withTwoTurns();
  await actions.correct(second, { kind: 'new-topic' });
  await actions.letLearn(false);
  expect(learner.known).toEqual([]);
  expect(store.getState().learning).toMatchObject({ on: false, corrections: 1, learned: null });
  await actions.send('#trip three');
  const third = activePath(store.getState().forest).at(-1)?.id as string;
  await actions.correct(third, { kind: 'new-topic' });
  expect(store.getState().learning.corrections).toBe(1);
  await actions.letLearn(true);
  expect(learner.known).toHaveLength(1);
});

test('forgetting can be taken back', async () => {
  const { store, actions, learner, second } = await withTwoTurns();
  await actions.correct(second, { kind: 'new-topic' });
  await actions.forgetLessons();
  expect(learner.known).toEqual([]);
  store.getState().notice?.action?.run();
  await expect.poll(() => learner.known.length).toBe(1);
});

test('forgetting that is taken back keeps what was learned since, and brings back nothing of what is gone since', async () => {
  const { store, actions, learner, second, storage } = await withTwoTurns();
  await actions.confirm(second);
  const { conversationId } = store.getState();
  await actions.newConversation();
  const confirmedHere = async (message: string): Promise<string> => {
    await actions.send(message);
    const id = activePath(store.getState().forest).at(-1)?.id as string;
    await actions.confirm(id);
    return id;
  };
  await actions.send('#code one');
  const stays = await confirmedHere('two');
  const purged = await confirmedHere('three');
  const again = await confirmedHere('four');
  const ofStudy = { ...(learner.known[0] as Lesson), conversationId: 'study:s1:d1', nodeId: 't1' };
  await storage.saveLessons(ofStudy, [ofStudy]);
  await actions.changeStorage(async () => undefined);
  expect(store.getState().learning).toMatchObject({ corrections: 0, studyTurns: 1, lessons: learner.known.length });

  await actions.forgetLessons();
  const revert = store.getState().notice?.action;
  const taughtSince = await confirmedHere('five');
  await actions.correct(again, { kind: 'new-topic' });
  await actions.purgeTurns([purged]);
  await actions.deleteConversation(conversationId);
  await actions.removeConversations([conversationId]);
  revert?.run();
  await expect.poll(() => new Set(learner.known.map(({ nodeId }) => nodeId))).toContain(stays);
  expect(new Set(learner.known.map(({ nodeId, by }) => `${nodeId} ${by}`))).toEqual(
    new Set([`${stays} confirmation`, `t1 confirmation`, `${taughtSince} confirmation`, `${again} correction`]),
  );
});

test('the file of lessons has all of them, and no message', async () => {
  const { actions, second } = await withTwoTurns();
  await actions.correct(second, { kind: 'new-topic' });
  const file = await actions.lessonsFile();
  expect(JSON.parse(file?.text ?? '')).toMatchObject({ coppice: 'lessons', version: 1, lessons: [{ nodeId: second }] });
  expect(file?.text).not.toContain('two');
});

test('another tab, and a later visit, learn from the same lessons', async () => {
  const storage = memoryStorage();
  const here = await withTwoTurns(storage);
  const there = await tabOn(storage);
  await here.actions.correct(here.second, { kind: 'new-topic' });
  there.changed();
  await expect.poll(() => there.learner.known.length).toBe(1);
  const later = await tabOn(storage);
  expect(later.store.getState().learning.corrections).toBe(1);
  expect(later.learner.known).toHaveLength(1);
});

test('a storage that takes no lesson is left for memory, and the lesson speaks', async () => {
  const storage = memoryStorage();
  const full = () => Promise.reject(new StorageFailure('full', 'No space is left.'));
  const { store, actions, learner, second } = await withTwoTurns({ ...storage, saveLessons: full });
  await actions.correct(second, { kind: 'new-topic' });
  expect(learner.known).toHaveLength(1);
  expect(store.getState().storage.kind).toBe('memory');
  expect(store.getState().problems).toMatchObject([{ id: 'storage' }]);
});

test('many lessons at once are learned from once, by the engine of their own conversation', async () => {
  const { store, actions, learner, storage, second } = await withTwoTurns();
  await actions.send('three');
  const { id: third } = activePath(store.getState().forest).at(-1) as { id: string };
  const from = store.getState().forest.history.past.length;
  await actions.confirm(second);
  await actions.correct(third, { kind: 'new-topic' });
  const both = store.getState().forest.history.past.length;
  await actions.goToStep(from);
  expect(learner.known).toEqual([]);

  const learn = vi.spyOn(learner, 'learn');
  await actions.goToStep(both);
  expect(learner.known.map(({ nodeId }) => nodeId)).toEqual([second, third]);
  expect(learn).toHaveBeenCalledTimes(1);

  await actions.goToStep(from);
  const asked = vi.spyOn(Engine.prototype, 'questionsAbout');
  onTestFinished(() => asked.mockRestore());
  const { isLearning, learned } = heldLearner(learner);
  const going = actions.goToStep(both);
  await isLearning.opened;
  await actions.newConversation();
  learned.open();
  await going;
  expect(asked).toHaveBeenCalledTimes(2);
  expect(new Set(asked.mock.contexts).size).toBe(1);
  expect((await storage.lessons()).map(({ nodeId }) => nodeId)).toEqual([second, third]);
});

test('a label that comes back while learning is paused brings its lesson back', async () => {
  const { store, actions, learner, second } = await withTwoTurns();
  await actions.confirm(second);
  await actions.pauseLearning(true);
  await actions.deleteTurns([second], false);
  expect(learner.known).toEqual([]);
  await actions.undo();
  expect(learner.known).toMatchObject([{ nodeId: second, by: 'confirmation' }]);

  await actions.correct(second, { kind: 'new-topic' });
  expect(learner.known).toEqual([]);
  await actions.undo();
  expect(learner.known).toMatchObject([{ nodeId: second, by: 'confirmation' }]);
  await actions.redo();
  expect(store.getState().learning).toMatchObject({ corrections: 0, confirmations: 0 });
});

test('a label that comes back brings its lesson back even if it cannot be made anew', async () => {
  const { actions, learner, second } = await withTwoTurns();
  await actions.correct(second, { kind: 'new-topic' });
  await actions.undo();
  expect(learner.known).toEqual([]);
  Object.assign(learner, { lessonsOf: async () => [] });
  await actions.redo();
  expect(learner.known).toMatchObject([{ nodeId: second, by: 'correction' }]);
});

test('a label that comes back brings back its own lesson, not that of the one before it', async () => {
  const { store, actions, learner } = await withTwoTurns();
  await actions.send('three');
  const [first, , third] = activePath(store.getState().forest).map(({ id }) => id) as [string, string, string];
  await actions.confirm(third);
  const { isLearning, learned } = heldLearner(learner);
  const correcting = actions.correct(third, { kind: 'new-topic' });
  await isLearning.opened;
  const again = actions.correct(third, { kind: 'under', nodeId: first });
  await until(store, ({ forest }) => forest.nodes[third]?.label?.person.parentId === first);
  learned.open();
  await Promise.all([correcting, again]);
  await actions.pauseLearning(true);
  await actions.undo();
  expect(store.getState().forest.nodes[third]?.label?.person.parentId).toBeNull();
  expect(learner.known).toEqual([]);
  await actions.undo();
  expect(learner.known).toMatchObject([
    { by: 'confirmation', question: 'topic' },
    { by: 'confirmation', question: 'branch' },
  ]);
});

test('what was forgotten does not come back with its label, even if that was just taken back', async () => {
  const storage = memoryStorage();
  const [isPausing, paused] = [gate(), gate()];
  const setLearningRests: Storage['setLearningRests'] = async (rests) => {
    isPausing.open();
    await paused.opened;
    await storage.setLearningRests(rests);
  };
  const { store, actions, learner, second } = await withTwoTurns({ ...storage, setLearningRests });
  await actions.confirm(second);
  const pausing = actions.pauseLearning(true);
  await isPausing.opened;
  const undoing = actions.undo();
  await until(store, ({ forest }) => forest.nodes[second]?.label === null);
  const forgetting = actions.forgetLessons();
  await new Promise((resolve) => setTimeout(resolve));
  paused.open();
  await Promise.all([pausing, undoing, forgetting]);
  await actions.redo();
  expect(learner.known).toEqual([]);
});

test('what another tab forgot does not come back with its label', async () => {
  const storage = memoryStorage();
  const { store, actions, learner, changed, second } = await withTwoTurns(storage);
  await actions.send('three');
  await actions.confirm(activePath(store.getState().forest).at(-1)?.id as string);
  await actions.confirm(second);
  await actions.pauseLearning(true);
  await actions.undo();
  expect(learner.known.map(({ nodeId }) => nodeId)).not.toContain(second);
  await (await tabOn(storage)).actions.forgetLessons();
  changed();
  await expect.poll(() => learner.known).toEqual([]);
  await actions.redo();
  expect(learner.known).toEqual([]);
});

test('a tab in which learning rests learns nothing, and others go on', async () => {
  const { actions, learner, storage, second, store } = await withTwoTurns();
  actions.restLearning(true);
  await actions.confirm(second);
  expect(learner.known).toEqual([]);
  expect(await storage.learningRests()).toBe(false);
  expect((await tabOn(storage)).store.getState().learning.paused).toBe(false);
  actions.restLearning(false);
  await actions.send('three');
  await actions.confirm(activePath(store.getState().forest).at(-1)?.id as string);
  expect(store.getState().learning.confirmations).toBe(1);
});

test('while learning is paused labels are kept and nothing is learned, here and in other tabs; what was learned stays', async () => {
  const { store, actions, learner, storage, second } = await withTwoTurns();
  await actions.confirm(second);
  expect(learner.known).toHaveLength(1);
  await actions.pauseLearning(true);
  await actions.send('three');
  const third = activePath(store.getState().forest)[2]?.id as string;
  await actions.correct(third, { kind: 'new-topic' });
  expect(store.getState().forest.nodes[third]?.label).toMatchObject({ person: { parentId: null } });
  expect(learner.known.map(({ nodeId }) => nodeId)).toEqual([second]);
  expect(store.getState().learning).toMatchObject({ on: true, paused: true, corrections: 0, confirmations: 1 });
  expect((await tabOn(storage)).store.getState().learning.paused).toBe(true);

  await actions.pauseLearning(false);
  await actions.send('four');
  const fourth = activePath(store.getState().forest).at(-1)?.id as string;
  await actions.confirm(fourth);
  expect(learner.known).toHaveLength(2);
});

test('the label that changed is found without looking at the turns that did not', () => {
  const forest = frozen(fold(syntheticLog(20, 1)));
  const place = { parentId: null, treeId: 't1', branchId: 't1' };
  const label: Label = { engine: place, person: place, at: 0 };
  let looked = 0;
  const watched = Object.defineProperty({ ...nodeOf(forest, 'n3') }, 'label', {
    get: () => {
      looked += 1;
      return label;
    },
  });
  const before = { nodes: withRecord(forest.nodes, 'n3', watched) };
  const one = { nodes: withRecord(before.nodes, 'n5', { ...nodeOf(forest, 'n5'), label }) };
  expect(changedLabels(before, one)).toEqual(['n5']);
  expect(changedLabels(one, before)).toEqual(['n5']);
  expect(looked).toBe(0);
  const two = { nodes: withRecord(one.nodes, 'n4', { ...nodeOf(forest, 'n4'), label }) };
  expect(changedLabels(before, two)).toEqual(['n4', 'n5']);
});
