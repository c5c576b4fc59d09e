import { describe, expect, test } from 'vitest';
import type { Node } from '../../domain/forest.ts';
import { CANVAS_KEYS, commandOf } from './canvas-keys.ts';
import { markOf, troubleOf } from './card-mark.ts';
import { selectionText } from './selection-text.ts';
import { standingsOf } from './standing.ts';
import { smallForest } from './testing/small-forest.ts';

const forest = smallForest({ a: null, p: null, b: 'a' });
const node = forest.nodes.b as Node;
const decided = (decision: Partial<Node['decision']>): Node => ({
  ...node,
  decision: { ...node.decision, ...decision },
});

describe('markOf', () => {
  test('says how a turn got to its place', () => {
    expect(markOf(node)).toBeNull();
    expect(markOf(decided({ branch: 'create-branch' }))).toBe('new branch');
    expect(markOf(decided({ topic: 'switch-topic' }))).toBe('back to topic');
    expect(markOf(decided({ topic: 'switch-topic', branch: 'create-branch' }))).toBe('back, new branch');
    expect(markOf({ ...node, parentId: null })).toBe('new topic');
  });
  test('a correction outweighs the decision', () => {
    const place = { treeId: 't', branchId: 'b', parentId: null };
    const elsewhere = { ...place, parentId: 'other' };
    expect(markOf({ ...node, label: { engine: place, person: elsewhere, at: 0 } })).toBe('moved by you');
  });
  test('a confirmation leaves the decision to speak', () => {
    const place = { treeId: 't', branchId: 'b', parentId: 'p' };
    const label = { engine: place, person: place, at: 0 };
    expect(markOf({ ...decided({ branch: 'create-branch' }), label })).toBe('new branch');
  });
});

test('troubleOf speaks only of replies that broke off', () => {
  const reply = { id: 'r', text: '', model: 'm', at: 0, failure: null, context: null, timings: [], usage: null };
  expect(troubleOf(null)).toBeNull();
  expect(troubleOf({ ...reply, state: 'done' })).toBeNull();
  expect(troubleOf({ ...reply, state: 'streaming' })).toBeNull();
  expect(troubleOf({ ...reply, state: 'interrupted' })).toBe('interrupted');
});

test('selectionText describes the turn, its standing and what follows', () => {
  const standings = standingsOf(forest);
  expect(selectionText(forest, standings, 'a')).toBe(
    'Turn 1, on the active path, one turn follows. Message a: Message a',
  );
  expect(selectionText(forest, standings, 'b')).toContain('Turn 3, active, the tip of its branch.');
  expect(selectionText(forest, standings, 'p')).toContain('in the context as a summary');
  expect(selectionText(forest, standings, null)).toBe('No turn is selected.');
});

describe('commandOf', () => {
  const press = (key: string, held: { ctrlKey?: boolean } = {}) =>
    commandOf({ key, ctrlKey: false, metaKey: false, altKey: false, ...held });

  test('leaves keys alone that are not its own', () => {
    expect(press('x')).toBeNull();
    expect(press('a', { ctrlKey: true })).toBeNull();
    expect(press('toString')).toBeNull();
  });
  test('knows every key that the list of shortcuts names', () => {
    const typed: Record<string, string> = {
      '↑': 'ArrowUp',
      '↓': 'ArrowDown',
      '←': 'ArrowLeft',
      '→': 'ArrowRight',
      Esc: 'Escape',
      '−': '-',
    };
    for (const { keys } of CANVAS_KEYS) for (const key of keys) expect(press(typed[key] ?? key)).not.toBeNull();
  });
});
