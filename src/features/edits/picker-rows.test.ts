import { expect, test } from 'vitest';
import { initialState } from '../../app/state.ts';
import { fold, frozen } from '../../domain/apply.ts';
import { doneInSteps, reopened, resultOf } from '../../domain/testing/plain-forest.ts';
import { syntheticLog } from '../../domain/testing/synthetic-forest.ts';
import { inspectedTurn, purgedInWords, selectedTurns } from './edit-dialogs.tsx';
import {
  matchingTurns,
  moveQuestion,
  moveRefusals,
  type PickableTurns,
  pickableTurns,
  picksFor,
  referRefusals,
} from './move-dialog.tsx';
import { edited } from './testing/edited.ts';

const numbers = (turns: PickableTurns, query = '') => resultOf(matchingTurns(turns, query)).map(({ number }) => number);
const NONE = new Map<string, string>();

test('the newest turns come first, with where they are', () => {
  const { life } = edited();
  const turns = pickableTurns(life.forest, NONE);
  expect(numbers(turns)).toEqual([6, 5, 4, 3, 2, 1]);
  const rows = turns.nodes.map(turns.rowOf);
  expect(rows[0]?.crumbs).toEqual(['Sourdough']);
  expect(rows[1]?.crumbs).toEqual(['A flat in Lisbon', 'branch from turn 4']);
});

test('turns are found by their words in any order, by their topic, and by number', () => {
  const turns = pickableTurns(edited().life.forest, NONE);
  expect(numbers(turns, 'euros BELOW')).toEqual([3]);
  expect(numbers(turns, 'sourdough')).toEqual([6]);
  expect(numbers(turns, 'lisbon river')).toEqual([5]);
  expect(numbers(turns, '4')[0]).toBe(4);
  expect(numbers(turns, 'turn 2')[0]).toBe(2);
  expect(numbers(turns, 'helsinki')).toEqual([]);
});

test('a turn cannot go under itself, what hangs from it, or where it is', () => {
  const { life, one, two, three, four, six } = edited();
  const refusals = moveRefusals(life.forest, [two]);
  expect(refusals.get(two)).toContain('turn to move');
  expect(refusals.get(three)).toContain('under turn 2');
  expect(refusals.get(one)).toContain('already there');
  expect(refusals.has(four)).toBe(false);
  // When only some of several turns are already there, the others can still go there.
  expect(moveRefusals(life.forest, [two, six]).has(one)).toBe(false);
});

test('what moves along is told of one turn as of several', () => {
  expect([moveQuestion(1, 0), moveQuestion(1, 1), moveQuestion(2, 3)]).toEqual([
    'Under which turn?',
    'With the 1 turn under it. Under which turn?',
    'With the 3 turns under them. Under which turn?',
  ]);
});

test('what is purged is named, whether it still has a number or not', () => {
  const turn = (number: number | null) => ({ id: String(number), number, message: 'Below 900 euros' });
  expect(purgedInWords([turn(3)])).toBe('turn 3');
  expect(purgedInWords([turn(null)])).toBe('this turn');
  expect(purgedInWords([turn(null), turn(3)])).toBe('2 turns');
});

test('a turn cannot refer to itself or its path', () => {
  const { life, one, four, five, two } = edited();
  const refusals = referRefusals(life.forest, five);
  expect([...refusals.keys()].sort()).toEqual([one, four, five].sort());
  expect(refusals.has(two)).toBe(false);
});

test('a new topic is offered only while nothing is sought, so Enter right after typing makes none', () => {
  const turns = pickableTurns(edited().life.forest, NONE);
  const offered = (query: string, newTopic: boolean) =>
    picksFor(turns, resultOf(matchingTurns(turns, query)), query, newTopic).map((pick) => pick?.node.number ?? null);
  expect(offered('', true)[0]).toBeNull();
  expect(offered('sourdough', true)).toEqual([6]);
  expect(offered('', false)).not.toContain(null);
});

test('no turn is read for listing them, and in a long conversation they are found in steps', () => {
  const { forest, reads } = reopened(frozen(fold(syntheticLog(1000, 3))));
  const turns = pickableTurns(forest, NONE);
  const all = resultOf(matchingTurns(turns, ''));
  expect(picksFor(turns, all, '', true)).toHaveLength(101);
  expect(reads.texts).toBe(0);
  const { result, counts } = doneInSteps(matchingTurns(turns, 'the'), () => reads.texts);
  expect(Math.max(...counts)).toBeLessThan(200);
  expect(result).toEqual(all.filter((node) => numbers({ ...turns, nodes: [node] }, 'the').length > 0));
  expect(result.length).toBeGreaterThan(0);
});

test('a dialog is about all selected turns in their order, or about the one in the inspector', () => {
  const { life, two, three, six } = edited();
  const start = { ...initialState({} as never, 'memory'), forest: life.forest };
  const state = { ...start, session: { ...start.session, selection: [six, three, two], selectedId: three } };
  expect(selectedTurns(state)).toEqual([two, three, six]);
  expect(inspectedTurn(state)).toEqual([three]);
  // Once the others are gone, so is what is selected; the active turn takes their place only in a new dialog.
  life.do({ type: 'delete', nodeIds: [two, three], alone: false, step: life.id() });
  expect(selectedTurns(state)).toEqual([six]);
  expect(inspectedTurn(state)).toEqual([six]);
  expect(selectedTurns({ ...state, session: start.session })).toEqual([life.forest.active?.nodeId]);
});
