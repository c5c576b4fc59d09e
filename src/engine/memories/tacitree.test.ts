import { expect, test } from 'vitest';
import type { MemoryTools } from './memory.ts';
import { factsIn, type TaciNode, type TaciTree, tacitree } from './tacitree.ts';
import { handTools, saidAt, vectorOf } from './testing/hand-tools.ts';

const LETTERS = 'xyz';

const grown = async (messages: readonly string[], tools: MemoryTools): Promise<TaciTree> => {
  let tree = tacitree.empty;
  for (const [i, message] of messages.entries()) tree = await tacitree.take(tree, saidAt(i + 1, message), tools);
  return tree;
};

const many = (message: string, times: number) => Array.from({ length: times }, () => message);
const query = (message: string) => ({ number: 99, at: 0, message, vector: vectorOf(message, LETTERS) });

/** Every cluster. */
const clusters = (node: TaciNode): TaciNode[] =>
  node.turn !== null ? [] : [node, ...node.children.flatMap((child) => clusters(child))];

test('facts are a turn’s sentences, or what a language model lists', async () => {
  const { tools } = handTools(LETTERS);
  const by = async (ask?: MemoryTools['ask']) => {
    const tree = await tacitree.take(
      tacitree.empty,
      { ...saidAt(1, 'x it is. y as well!'), reply: 'Noted.' },
      { ...tools, ...(ask && { ask }) },
    );
    return tree.root === null ? [] : factsIn(tree.root).map(({ text }) => text);
  };
  expect(await by()).toEqual(['x it is.', 'y as well!', 'Noted.']);
  expect(await by(async () => '- The user has x.\n2) The user has y.\n')).toEqual([
    'The user has x.',
    'The user has y.',
  ]);
  expect(await by(async () => '')).toEqual(['x it is.', 'y as well!', 'Noted.']);
});

test.each(['None.', '"none"', '“None”', '- **none**'])(
  'a language model that answers %s lists no facts',
  async (answer) => {
    const { tools } = handTools(LETTERS);
    const tree = await tacitree.take(tacitree.empty, saidAt(1, 'x it is.'), { ...tools, ask: async () => answer });
    expect(tree.root).toBeNull();
    const after = await tacitree.take(await grown(['x', 'y'], tools), saidAt(3, 'z'), {
      ...tools,
      ask: async () => answer,
    });
    expect(factsIn(after.root as TaciNode).map(({ turn }) => turn)).toEqual(['t1', 't2']);
  },
);

test('a cluster of more than six is parted in two by what is alike', async () => {
  const { tools } = handTools(LETTERS);
  const tree = await grown(['x', 'x', 'x', 'y', 'y', 'y', 'y'], tools);
  const parts = tree.root?.children.map((child) =>
    factsIn(child)
      .map(({ turn }) => turn)
      .join(' '),
  );
  expect(parts).toEqual(['t1 t2 t3', 't4 t5 t6 t7']);
});

test('however it grows, no cluster is larger than six and no fact is lost', async () => {
  const { tools } = handTools(LETTERS);
  const tree = await grown([...many('x', 20), ...many('y', 20), ...many('xyz', 20), ...many('z', 20)], tools);
  const root = tree.root as TaciNode;
  expect(clusters(root).every(({ children }) => children.length >= 1 && children.length <= 6)).toBe(true);
  expect(new Set(factsIn(root).map(({ turn }) => turn)).size).toBe(80);
});

test('a new fact has only the summaries above it made anew', async () => {
  const { tools, condensed } = handTools(LETTERS);
  const tree = await grown([...many('x', 6), ...many('y', 6), ...many('z', 3)], tools);
  const all = clusters(tree.root as TaciNode).length;
  condensed.length = 0;
  const after = await tacitree.take(tree, saidAt(16, 'z'), tools);
  expect(condensed.length).toBeLessThan(all);
  const texts = new Set(clusters(tree.root as TaciNode).map(({ id, text }) => `${id} ${text}`));
  const same = clusters(after.root as TaciNode).filter(({ id, text }) => texts.has(`${id} ${text}`));
  expect(same.length).toBe(clusters(after.root as TaciNode).length - condensed.length);
});

test('where a summary says the same as before, those above it stay', async () => {
  const { tools } = handTools(LETTERS);
  let asked = 0;
  const condense: MemoryTools['condense'] = async ({ texts }) => {
    asked++;
    return [...new Set(texts.join('').match(/[xyz]/g))].sort().join('');
  };
  const dull = { ...tools, condense };
  const tree = await grown([...many('x', 6), ...many('y', 6), ...many('z', 3)], dull);
  asked = 0;
  await tacitree.take(tree, saidAt(16, 'z'), dull);
  expect(asked).toBe(1);
});

test('a cluster is compared by its summary, and not by the facts below it', async () => {
  const { tools } = handTools(LETTERS);
  const condense: MemoryTools['condense'] = async ({ texts }) => (texts.join('').includes('y') ? 'z' : 'x');
  const tree = await grown([...many('x', 6), 'y'], { ...tools, condense });
  const vectors = tree.root?.children.map(({ text, vector }) => [text, [...vector]]);
  expect(vectors).toEqual([
    ['x', [...vectorOf('x', LETTERS)]],
    ['z', [...vectorOf('z', LETTERS)]],
  ]);
  // The facts say y, the summary says z.
  const { items } = await tacitree.recall(tree, query('z'), tools);
  expect(new Set(items.flatMap(({ from }) => from))).toEqual(new Set(['t7']));
});

test('of a long turn every sentence is a fact', async () => {
  const { tools } = handTools(LETTERS);
  const tree = await grown([Array.from({ length: 9 }, (_, at) => `x is ${at}.`).join(' ')], tools);
  expect(tree.root === null ? 0 : factsIn(tree.root).length).toBe(9);
});

test('it is read from the top: what is unlike the message is skipped with all below it', async () => {
  const { tools } = handTools(LETTERS);
  const tree = await grown([...many('x', 5), ...many('y', 5)], tools);
  const { items, skipped, levels, read } = await tacitree.recall(tree, query('x'), tools);
  expect(new Set(items.flatMap(({ from }) => from))).toEqual(new Set(['t1', 't2', 't3', 't4', 't5']));
  expect(skipped).toHaveLength(1);
  expect(levels).toBe(2);
  expect(read).toHaveLength(2);
});

test('a language model chooses the subtrees; where it names none, the most similar ones are gone into', async () => {
  const { tools } = handTools(LETTERS);
  const tree = await grown([...many('x', 5), ...many('y', 5)], tools);
  const found = async (answer: string) => {
    const { items } = await tacitree.recall(tree, query('x'), { ...tools, ask: async () => answer });
    return new Set(items.flatMap(({ from }) => from)).has('t10');
  };
  expect(await found('2')).toBe(true);
  expect(await found('none of them')).toBe(false);
  expect(await found('7')).toBe(false);
});

test('before the first fact nothing is recalled', async () => {
  const { tools } = handTools(LETTERS);
  expect(await tacitree.recall(tacitree.empty, query('x'), tools)).toEqual({
    items: [],
    levels: 0,
    skipped: [],
    read: [],
  });
  expect(tacitree.cells(tacitree.empty, 0)).toEqual([]);
});
