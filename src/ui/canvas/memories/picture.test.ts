import { describe, expect, test } from 'vitest';
import type { Context, Segment } from '../../../domain/context.ts';
import { recordsOf } from '../../../domain/table.ts';
import type { PastMemory, PolicyContext } from '../../../engine/history/past-contexts.ts';
import type { Cell, RecalledText } from '../../../engine/memories/memory.ts';
import { NO_COST } from '../../../engine/text/token-cache.ts';
import { smallForest } from '../testing/small-forest.ts';
import { contextScene, memoryScene } from './picture.ts';
import { wholeWords } from './policy-picture.tsx';

// Topic a: turns 1 and 2. Topic p: turn 3.
const forest = smallForest({ a: null, b: 'a', p: null });

const cell = (id: string, parent: string | null, name: string, from: readonly string[]): Cell => ({
  id,
  parent,
  name,
  text: `Text of ${id}`,
  from,
});
const item = (of: string, score: number | null): RecalledText => ({
  cell: of,
  name: of,
  text: `Text of ${of}`,
  from: [],
  score,
});
const memory = (cells: readonly Cell[], recall: PastMemory['recall']): PastMemory => ({
  cells,
  recall,
  cost: NO_COST,
  forest,
  fallbacks: [],
});
const sentOf = (texts: readonly string[]): Segment[] =>
  texts.map((text) => ({ kind: 'memory', text: `From earlier:\n${text}`, from: [], score: null, tokens: 1 }));

const tree = memory(
  [
    cell('root', null, 'level 0', ['a', 'b', 'p']),
    cell('left', 'root', 'level 1', ['a', 'b']),
    cell('fact', 'left', 'fact', ['b']),
    cell('right', 'root', 'level 1', ['p']),
    cell('hidden', 'right', 'fact', ['p']),
    cell('lone', null, 'depth 1', ['p']),
  ],
  { items: [item('fact', 0.714)], skipped: ['right'] },
);

describe('a memory with a tree', () => {
  const picture = memoryScene(tree, null, 1.4);

  test('keeps its tree, and what stands alone beside it', () => {
    const [grown, alone] = picture.scene.layout.trees;
    expect(grown?.tree.ids).toHaveLength(5);
    expect(grown?.tree.children[0]).toEqual(['left', 'right']);
    expect(alone?.tree.ids).toEqual(['lone']);
    expect(picture.scene.forest.trees[alone?.treeId ?? '']?.title).toBe('On their own');
  });
  test('is headed by the topic that most of its turns are from, in its colour', () => {
    const [grown] = picture.scene.layout.trees;
    const topic = forest.trees.a;
    expect(picture.scene.forest.trees[grown?.treeId ?? '']?.title).toBe(`${topic?.title} and 1 other`);
    expect(grown?.order).toBe(topic?.order);
    expect(picture.cards.get('hidden')?.order).toBe(forest.trees.p?.order);
  });
  test('sets forward what was recalled, and back what was passed over with all below it', () => {
    const strengths = [...picture.cards].map(([id, { strength }]) => [id, strength]);
    expect(Object.fromEntries(strengths)).toEqual({
      root: 'quiet',
      left: 'quiet',
      fact: 'forward',
      right: 'back',
      hidden: 'back',
      lone: 'quiet',
    });
    expect(picture.forward).toEqual(['fact']);
  });
  test('says why', () => {
    const why = (id: string) => picture.cards.get(id)?.why;
    expect(why('fact')).toBe('Recalled with a rating of 0.71');
    expect(why('right')).toBe('Skipped, with everything below it');
    expect(why('hidden')).toBe('Not checked: one above it was skipped');
    expect(why('left')).toBe('Not recalled for this message');
  });
  test('names the turns of a cell where its own name does not', () => {
    const names = [...picture.cards.values()].map(({ name }) => name);
    expect(names).toEqual([
      'level 0, 3 turns',
      'level 1, 2 turns',
      'fact, turn 2',
      'level 1, turn 3',
      'fact, turn 3',
      'depth 1, turn 3',
    ]);
  });
});

test('a tree whose root is a place and no step is headed by that', () => {
  const pages = memory([cell('main', null, 'main context', ['a', 'b']), cell('a', 'main', 'turn 1', ['a'])], {
    items: [],
  });
  const { forest: titles, headings } = memoryScene(pages, null, 1).scene;
  expect(recordsOf(titles.trees).map(({ title }) => title)).toEqual(['Main context']);
  expect([...(headings?.values() ?? [])]).toEqual([{ note: '2 pieces', plain: true }]);
});

test('what was recalled but had no room in the context does not stand forward', () => {
  const cut: Segment = { kind: 'history-left-out', turns: 1, of: 'memories', text: 'One is left out.', tokens: 1 };
  const fact = (sent: readonly Segment[]) => memoryScene(tree, sent, 1).cards.get('fact');
  expect(fact([cut, ...sentOf(['Text of fact'])])?.strength).toBe('forward');
  expect(fact([cut])).toMatchObject({ strength: 'quiet', note: 'no room' });
});

test('a turn that was sent with the text of its files had room', () => {
  const cut: Segment = { kind: 'history-left-out', turns: 1, of: 'memories', text: 'One is left out.', tokens: 1 };
  const turn = { ...item('a', 0.7), from: ['a'], whole: true as const };
  const turns = memory([cell('a', null, 'turn 1', ['a'])], { items: [turn] });
  const whole: Segment = { kind: 'memory', text: 'Text and file', from: ['a'], score: 0.7, whole: true, tokens: 1 };
  expect(memoryScene(turns, [cut, whole], 1).cards.get('a')?.strength).toBe('forward');
  expect(memoryScene(turns, [cut, { ...whole, from: ['b'] }], 1).cards.get('a')?.strength).toBe('quiet');
});

test('a context that left nothing out had room for what is only recalled by the models of now', () => {
  const card = memoryScene(tree, sentOf(['What others recalled']), 1).cards.get('fact');
  expect(card).toMatchObject({ strength: 'forward', why: 'Recalled with a rating of 0.71' });
});

describe('a memory without a tree', () => {
  const pages = memory(
    [
      cell('summary', null, 'summary', ['a']),
      cell('b', null, 'main context', ['b']),
      cell('p', null, 'main context', ['p']),
      cell('a', null, 'recall storage', ['a']),
    ],
    { items: [item('summary', null), item('b', null)] },
  );

  test('stands in rows, by what its cells go by, in their order', () => {
    const { layout, headings, forest: titles } = memoryScene(pages, null, 1.4).scene;
    const groups = layout.trees.map(({ treeId, tree: { ids } }) => [
      titles.trees[treeId]?.title,
      headings?.get(treeId)?.note,
      ids,
    ]);
    expect(groups).toEqual([
      ['Summary', '1 piece', ['summary']],
      ['Main context', '2 pieces', ['b', 'p']],
      ['Recall storage', '1 piece', ['a']],
    ]);
  });
  test('what the heading says is not said again on every card', () => {
    const { cards } = memoryScene(pages, null, 1.4);
    expect([...cards.values()].map(({ name }) => name)).toEqual([
      'summary, turn 1',
      'turn 2',
      'turn 3',
      'recall storage, turn 1',
    ]);
    expect(cards.get('b')).toMatchObject({ note: 'recalled', why: 'Recalled, as for every message' });
  });
  test('what is counted in a name makes no group of its own', () => {
    const slots = memory([cell('s1', null, 'slot 1', ['a', 'b']), cell('s2', null, 'slot 2', ['p'])], { items: [] });
    const { scene } = memoryScene(slots, null, 1.4);
    expect(recordsOf(scene.forest.trees).map(({ title }) => title)).toEqual(['Slots']);
  });
});

test('an empty memory has nothing to draw', () => {
  const { scene, cards, forward } = memoryScene(memory([], { items: [] }), null, 1);
  expect([scene.layout.trees, cards.size, forward]).toEqual([[], 0, []]);
});

test('deleted turns leave their cells without a topic, not without a card', () => {
  const torn = memory([cell('x', 'nobody', 'slot 1', ['gone'])], { items: [item('nobody', 1)] });
  const { cards, forward } = memoryScene(torn, null, 1);
  expect(cards.get('x')).toMatchObject({ order: 0, number: '' });
  expect(forward).toEqual([]);
});

// The message is c; q is another topic.
const answered = smallForest({ a: null, q: null, b: 'a', c: 'b' });
const turn = (nodeId: string) => ({ kind: 'turn' as const, nodeId, replyId: null, replyLength: 0, tokens: 1 });

const of = (policy: string, segments: Context['segments']): PolicyContext => ({
  policy,
  sent: false,
  context: { policy, segments, tokens: 1, fullHistoryTokens: 1, unit: 'x' },
  forest: answered,
  withoutSimilarity: null,
});

test('tokens are called sent only where they were', () => {
  const { context, ...built } = of('memtree', [turn('b')]);
  const told = (sent: boolean) => {
    const shown = { ...built, sent, context: { ...context, tokens: 412 } };
    return wholeWords({ policy: 'memtree', memory: tree, context: shown }, null).at(-1);
  };
  expect([told(true), told(false)]).toEqual(['412 tokens sent', '412 tokens']);
});

test('a policy that goes by the forest is drawn as the forest, with what it sends forward', () => {
  const segments: Context['segments'] = [
    { kind: 'turn-summary', nodeId: 'a', text: '', tokens: 1 },
    turn('b'),
    { kind: 'message', nodeId: 'c', tokens: 1 },
  ];
  const { scene, cards, forward } = contextScene(of('context-agent', segments), 1.4);
  expect(scene.layout.trees.map(({ tree }) => tree.ids)).toEqual([['a', 'b', 'c'], ['q']]);
  expect([...cards.values()].map(({ name, strength, note }) => [name, strength, note])).toEqual([
    ['Turn 1', 'quiet', 'summary'],
    ['Turn 2', 'back', 'left out'],
    ['Turn 3', 'forward', 'in full'],
    ['Turn 4', 'forward', 'the message'],
  ]);
  expect(forward).toEqual(['b', 'c']);
});

test('one that knows no tree is drawn as a run of turns in order of time', () => {
  const { scene, cards } = contextScene(of('truncation', [turn('b'), { kind: 'message', nodeId: 'c', tokens: 1 }]), 4);
  expect(scene.layout.trees.map(({ tree }) => tree.ids)).toEqual([['a', 'q', 'b', 'c']]);
  expect(cards.get('q')).toMatchObject({ strength: 'back', order: answered.trees.q?.order });
});

test('where a turn was replied to again later, it is the message, and what was said after it is not left out', () => {
  const segments: Context['segments'] = [turn('a'), { kind: 'message', nodeId: 'b', tokens: 1 }];
  // The active turn is c.
  const shown = (policy: string) => contextScene(of(policy, segments), 4);
  const { scene, cards } = shown('focused');
  expect(scene.layout.trees.map(({ tree }) => tree.ids)).toEqual([['a', 'b', 'c'], ['q']]);
  expect([...cards.values()].map(({ name, note, isLater = false }) => [name, note, isLater])).toEqual([
    ['Turn 1', 'in full', false],
    ['Turn 2', 'left out', false],
    ['Turn 3', 'the message', false],
    ['Turn 4', 'said later', true],
  ]);
  expect(shown('full-history').scene.layout.trees.map(({ tree }) => tree.ids)).toEqual([['a', 'q', 'b']]);
});
