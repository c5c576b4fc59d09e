import { expect, test } from 'vitest';
import { plainApp } from '../../app/testing/plain-app.ts';
import { recordsOf } from '../../domain/table.ts';
import { namedChat } from '../../engine/testing/plain-models.ts';
import { type TurnActionId, turnActionList } from './turn-action-list.ts';

/** 1 ─ 2 ─ 3, each continuing the previous one; 3 is active. */
const talked = async () => {
  const app = await plainApp(namedChat('answers'));
  for (const text of ['#a one', '#a two', '#a three']) {
    await app.actions.send(text);
  }
  const { store, actions } = app;
  const id = (number: number): string =>
    recordsOf(store.getState().forest.nodes).find((node) => node.number === number)?.id ?? '';
  const ask = (action: TurnActionId, ...numbers: number[]) =>
    turnActionList(store.getState(), actions, numbers.map(id))
      .flat()
      .find((one) => one.id === action);
  return { store, actions, id, ask };
};

test('what cannot be done says why', async () => {
  const { ask, store, actions } = await talked();
  expect(ask('make-active', 3)?.refusal).toBe('It is the active turn.');
  expect(ask('own-topic', 1)?.refusal).toBe('It already begins a topic.');
  expect(ask('end-branch', 3)?.refusal).toBe('It is the end of its branch.');
  expect(ask('branch-title', 2)?.refusal).toContain('topic');
  expect(ask('take-out', 2)?.refusal).toBeNull();
  actions.travel(3);
  expect(store.getState().past).not.toBeNull();
  expect(ask('pin', 1)?.refusal).toContain('The past');
  expect(ask('copy', 1)?.refusal).toBeNull();
});

test('in the past, a turn deleted since then can be copied, and nothing else', async () => {
  const { store, actions, id } = await talked();
  const third = id(3);
  const { length } = store.getState().entries;
  await actions.deleteTurns([third], false);
  actions.travel(length);
  const list = turnActionList(store.getState(), actions, [third]).flat();
  expect(list.map((action) => action.id)).toContain('reply-from-here');
  expect(list.filter(({ refusal }) => refusal === null).map((action) => action.id)).toEqual(['copy']);
  expect(new Set(list.map(({ refusal }) => refusal)).size).toBe(2);
});

test('deleting and hiding offer both ways where something hangs below', async () => {
  const { ask, store, id } = await talked();
  expect(ask('delete', 3)?.choices).toEqual([]);
  const words = ask('delete', 2)?.choices.map((choice) => choice.words);
  expect(words).toEqual(['This turn alone', 'With the 1 turn under it']);
  expect(ask('hide', 1, 2)?.choices.map((choice) => choice.words)).toEqual([
    'These 2 turns alone',
    'With the 1 turn under them',
  ]);
  ask('hide', 2)?.choices[1]?.run();
  await expect.poll(() => store.getState().forest.nodes[id(3)]?.hidden).toBe(true);
  expect(ask('hide', 2)?.words).toBe('Show');
});

test('several turns are pinned together, in one step of undo, and unpinned when all are', async () => {
  const { ask, store, actions, id } = await talked();
  const pinned = () => [1, 2, 3].map((number) => store.getState().forest.nodes[id(number)]?.pinned);
  ask('pin', 2)?.run();
  await expect.poll(pinned).toEqual([false, true, false]);
  expect(ask('pin', 1, 2)?.words).toBe('Pin');
  ask('pin', 1, 2)?.run();
  await expect.poll(pinned).toEqual([true, true, false]);
  await actions.undo();
  expect(pinned()).toEqual([false, true, false]);
  await actions.redo();
  expect(ask('pin', 1, 2)?.words).toBe('Unpin');
  ask('pin', 1, 2)?.run();
  await expect.poll(pinned).toEqual([false, false, false]);
});

test('the branch ends where the person says, in one step of undo', async () => {
  const { ask, store, actions, id } = await talked();
  ask('end-branch', 1)?.run();
  await expect.poll(() => store.getState().forest.active?.nodeId).toBe(id(1));
  const hidden = () => [1, 2, 3].map((number) => store.getState().forest.nodes[id(number)]?.hidden);
  expect(hidden()).toEqual([false, true, true]);
  await actions.undo();
  expect(hidden()).toEqual([false, false, false]);
  expect(store.getState().forest.active?.nodeId).toBe(id(3));
});

test('several turns at once have what makes sense for several, and dialogs are about them', async () => {
  const { ask, store, actions, id } = await talked();
  const ids = turnActionList(store.getState(), actions, [id(1), id(2)])
    .flat()
    .map((action) => action.id);
  expect(ids).toEqual(['move', 'own-topic', 'copy', 'pin', 'hide', 'delete', 'purge']);
  ask('purge', 1, 2)?.run();
  expect(store.getState().session).toMatchObject({ dialog: 'purge', selection: [id(1), id(2)], selectedId: id(1) });
});
