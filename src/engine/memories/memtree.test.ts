import { expect, test } from 'vitest';
import { defaultParameters } from '../parameters.ts';
import type { MemoryTools } from './memory.ts';
import { type MemTree, memtree, thresholdAt } from './memtree.ts';
import { handTools, saidAt, vectorOf } from './testing/hand-tools.ts';

const LETTERS = 'xyz';

const grown = async (messages: readonly string[], tools: MemoryTools): Promise<MemTree> => {
  let tree = memtree.empty;
  for (const [i, message] of messages.entries()) tree = await memtree.take(tree, saidAt(i + 1, message), tools);
  return tree;
};

/** Id, parent and the turns below. */
const shape = (tree: MemTree) => memtree.cells(tree, 0).map(({ id, parent, from }) => [id, parent, from.join(' ')]);

test('the threshold is 0.4 at the root and grows to 0.4·√e at the deepest node', () => {
  const base = defaultParameters.memtreeThreshold;
  expect(thresholdAt(0, 0, base)).toBeCloseTo(0.4);
  expect(thresholdAt(0, 4, base)).toBeCloseTo(0.4);
  expect(thresholdAt(1, 4, base)).toBeCloseTo(0.4 * Math.exp(0.125));
  expect(thresholdAt(2, 4, base)).toBeCloseTo(0.4 * Math.exp(0.25));
  expect(thresholdAt(4, 4, base)).toBeCloseTo(0.4 * Math.exp(0.5));
});

test('what is unlike everything is a new leaf under the root, and nothing is aggregated', async () => {
  const { tools, condensed } = handTools(LETTERS);
  const tree = await grown(['x', 'y', 'z'], tools);
  expect(shape(tree)).toEqual([
    ['n0', null, 't1'],
    ['n1', null, 't2'],
    ['n2', null, 't3'],
  ]);
  expect(condensed).toEqual([]);
});

test('a leaf that is reached becomes a parent that keeps both, with the text of both', async () => {
  const { tools, condensed } = handTools(LETTERS);
  const tree = await grown(['x', 'y', 'xx'], tools);
  expect(shape(tree)).toEqual([
    ['n0', null, 't1 t3'],
    ['n3', 'n0', 't1'],
    ['n2', 'n0', 't3'],
    ['n1', null, 't2'],
  ]);
  expect(condensed.map(({ texts }) => texts)).toEqual([['User: x', 'User: xx']]);
  expect(memtree.cells(tree, 0)[0]?.text).toBe('User: x+User: xx');
  expect(tree.depth).toBe(2);
});

test('every ancestor of a new leaf is aggregated, on the condition of how many turns it stands for, and embedded anew', async () => {
  const { tools, condensed } = handTools(LETTERS);
  // xz goes below x and xx: it is near enough to their parent (cosine 1/√2 ≥ 0.4) but to none of its children, as
  // the threshold one step down a tree of depth 2 is 0.4·e^(0.5·½) = 0.514.
  const tree = await grown(['x', 'xx', 'xzz'], tools);
  expect(shape(tree)).toEqual([
    ['n0', null, 't1 t2 t3'],
    ['n2', 'n0', 't1'],
    ['n1', 'n0', 't2'],
    ['n3', 'n0', 't3'],
  ]);
  expect(condensed.map(({ texts }) => texts)).toEqual([
    ['User: x', 'User: xx'],
    ['User: x+User: xx', 'User: xzz'],
  ]);
  expect(condensed[0]?.instructions).toContain('1 earlier entry');
  expect(condensed[1]?.instructions).toContain('2 earlier entries');
  expect(condensed[1]?.sentences).toBeLessThan(condensed[0]?.sentences ?? 0);
  expect(tree.children.get(0)?.vector).toEqual(vectorOf('User: x+User: xx+User: xzz', LETTERS));
});

test('what is said again and again makes a tree no deeper than the logarithm of its turns, and an insertion aggregates no more', async () => {
  const { tools } = handTools(LETTERS);
  let asked = 0;
  const condense: MemoryTools['condense'] = async ({ texts: [summary = ''] }) => {
    asked++;
    return summary;
  };
  const tree = await grown(
    Array.from({ length: 128 }, () => 'x'),
    { ...tools, condense },
  );
  expect(tree.depth).toBe(8);
  asked = 0;
  await memtree.take(tree, saidAt(129, 'x'), { ...tools, condense });
  expect(asked).toBe(8);
});

test('among several children near enough, the nearest is gone into', async () => {
  const { tools } = handTools(LETTERS);
  // xy has cosine 0.707 to both x and y; xxy has 0.89 to x and 0.45 to y.
  const tree = await grown(['x', 'y', 'xxy'], tools);
  expect(shape(tree).slice(0, 3)).toEqual([
    ['n0', null, 't1 t3'],
    ['n3', 'n0', 't1'],
    ['n2', 'n0', 't3'],
  ]);
});

test('recall looks at all nodes at once, parents among them, nearest first, and leaves out what is unrelated', async () => {
  const { tools } = handTools(LETTERS);
  const tree = await grown(['x', 'y', 'xx', 'z'], tools);
  const { items: recalled } = await memtree.recall(
    tree,
    { number: 5, at: 0, message: 'x', vector: vectorOf('x', LETTERS) },
    tools,
  );
  expect(recalled.map(({ cell, from }) => [cell, from.join(' ')])).toEqual([
    ['n0', 't1 t3'],
    ['n3', 't1'],
    ['n2', 't3'],
  ]);
  expect(recalled.every(({ score }) => (score ?? 0) > 0.99)).toBe(true);
});

test('as much is recalled as the source sets: 3 of a conversation of 15 turns, 10 of a longer one, or as is asked for', async () => {
  const { tools } = handTools(LETTERS);
  const query = { number: 99, at: 0, message: 'x', vector: vectorOf('x', LETTERS) };
  const most = async (turns: number, by = tools) => {
    const tree = await grown(
      Array.from({ length: turns }, () => 'x'),
      tools,
    );
    return (await memtree.recall(tree, query, by)).items.length;
  };
  expect([await most(15), await most(16)]).toEqual([3, 10]);
  expect(await most(16, handTools(LETTERS, 0.5, { memoryK: 5 }).tools)).toBe(5);
});

test('with a lower θ₀ what is less alike goes below one node, too', async () => {
  const by = async (memtreeThreshold: number) => {
    const { tools } = handTools(LETTERS, 0.5, { memtreeThreshold });
    // Cosine 0.45.
    return (await grown(['y', 'xxy'], tools)).children.size;
  };
  expect([await by(0.5), await by(0.4)]).toEqual([2, 1]);
});
