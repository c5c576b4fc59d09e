import { describe, expect, test } from 'vitest';
import type { Node } from '../../domain/forest.ts';
import { CANVAS_KEYS, canvasCommandOf } from './canvas-keys.ts';
import { selectionText } from './forest-flow.tsx';
import { bareScene, type Scene } from './scene.ts';
import { smallForest } from './testing/small-forest.ts';
import { createFlowNodes, markOf, troubleOf } from './turn-card.tsx';

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

describe('selectionText', () => {
  const words = (id: string | null, more: Partial<Scene> = {}) =>
    selectionText({ ...bareScene(forest), selectedId: id, ...more });

  test('describes the turn, its standing and what follows', () => {
    expect(words('a')).toBe(
      'Turn 1, on the active path, in the context in full, one turn follows. Message a: Message a',
    );
    expect(words('b')).toContain('Turn 3, active, in the context in full, the tip of its branch.');
    expect(words('p')).toContain('in the context as a summary');
    expect(words(null)).toBe('No turn is selected.');
  });
  test('names its marks, what is folded away below it, and how many are selected', () => {
    const a = { ...(forest.nodes.a as Node), pinned: true, note: 'Mind this', hidden: true };
    const marked = { ...forest, nodes: { ...forest.nodes, a } };
    const more = { folds: new Map([['a', 1]]), selection: new Set(['a', 'p']) };
    expect(selectionText({ ...bareScene(marked), selectedId: 'a', ...more })).toBe(
      '2 turns selected. Turn 1, on the active path, hidden, never in the context, pinned, has a note, ' +
        'one turn follows, 1 turn folded away. Message a: Message a',
    );
    // Selected in a moment that is not shown any more.
    expect(words('a', { selection: new Set(['a', 'gone']) })).toMatch(/^Turn 1, /);
  });
});

describe('commandOf', () => {
  const press = (key: string, held: { ctrlKey?: boolean; shiftKey?: boolean } = {}) =>
    canvasCommandOf({ key, ctrlKey: false, shiftKey: false, metaKey: false, altKey: false, ...held });

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
      Menu: 'ContextMenu',
      '−': '-',
    };
    for (const named of CANVAS_KEYS.flatMap(({ keys }) => keys)) {
      const [key, shift] = named.split(' ').reverse() as [string, string?];
      expect(press(typed[key] ?? key, { shiftKey: shift === 'Shift' }), named).not.toBeNull();
    }
  });
});

test('the cards given to React Flow are the same list until one of them looks different', () => {
  const nodesFor = createFlowNodes();
  const [mounted, none] = [new Set(['a', 'b']), new Set<string>()];
  const scene = bareScene(forest);
  const cards = nodesFor(scene, mounted, none);
  expect(cards.map(({ id }) => id)).toEqual(['a', 'b']);
  expect(nodesFor({ ...scene }, new Set(mounted), none)).toBe(cards);
  const selected = nodesFor({ ...scene, selectedId: 'b' }, mounted, none);
  expect(selected).not.toBe(cards);
  expect(selected[0]).toBe(cards[0]);
  expect(nodesFor(scene, new Set(['a']), none)).toEqual([cards[0]]);
});
