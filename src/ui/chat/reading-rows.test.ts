import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Reading } from '../../app/state.ts';
import { applyEntries, frozen } from '../../domain/apply.ts';
import { LOG_VERSION } from '../../domain/entry.ts';
import { emptyForest, type Forest } from '../../domain/forest.ts';
import { handle, type Intent } from '../../domain/handle.ts';
import { activePath, isAncestor, nodeOf, pathTo } from '../../domain/queries.ts';
import { recordsOf } from '../../domain/table.ts';
import { lookUps, plainForest } from '../../domain/testing/plain-forest.ts';
import { Life, lives, longLives } from '../../domain/testing/random-life.ts';
import { syntheticLog } from '../../domain/testing/synthetic-forest.ts';
import { turnsInOrder } from '../../domain/turns-in-order.ts';
import {
  crumbsOf,
  type Gap,
  gapTopic,
  gapWords,
  type LinearItem,
  type ReadText,
  readingRows,
  rowOfTurn,
  rowsAlongPath,
  rowsInTimeOrder,
  textRead,
} from './reading-rows.ts';
import { forestOf } from './testing/small-forest.ts';

/** Turns as numbers, gaps as words. */
const inWords = (forest: Forest, items: readonly LinearItem[]) =>
  items.map((item) => {
    if (item.kind === 'turn') return item.node.number;
    if (item.kind === 'gap') return gapWords(forest, item);
    if (item.kind === 'hidden') return `hidden ${item.nodes.map(({ number }) => number)}`;
    return `# ${forest.trees[item.treeId]?.title}${item.continued ? ', continued' : ''}`;
  });

const read = (forest: Forest, tip?: string) =>
  inWords(forest, rowsAlongPath(forest, tip === undefined ? activePath(forest) : pathTo(forest, tip)));

describe('the path as a conversation', () => {
  test('turns that follow each other have nothing between them', () => {
    expect(read(forestOf([[null], [1], [2]]))).toEqual([1, 2, 3]);
  });

  test('a topic in between is named', () => {
    const forest = forestOf([[null], [1], [null], [3], [2]]);
    expect(read(forest)).toEqual([1, 2, '2 turns in another topic: Topic 3', 5]);
    const gap = rowsAlongPath(forest, activePath(forest))[2] as Gap;
    expect(gap).toMatchObject({ nodes: [{ id: 'n3' }, { id: 'n4' }] });
    expect(gapTopic(gap)).toBe('t3');
  });

  test('several topics, other branches, and both', () => {
    expect(read(forestOf([[null], [null], [null], [1]]))).toEqual([1, '2 turns in 2 other topics', 4]);
    expect(read(forestOf([[null], [1], [2], [1]]))).toEqual([1, '2 turns on another branch', 4]);
    expect(read(forestOf([[null], [1], [null], [1]]))).toEqual([1, '2 turns on other branches and topics', 4]);
  });

  test('what was before the path and after it counts too', () => {
    expect(read(forestOf([[null], [null]]))).toEqual(['1 turn in another topic: Topic 1', 2]);
    expect(read(forestOf([[null], [1], [2]]), 'n1')).toEqual([1, '2 later turns continue from here']);
    expect(read(forestOf([[null], [1], [1]]), 'n2')).toEqual([1, 2, '1 later turn on another branch']);
  });

  test('hidden turns that follow each other are one line', () => {
    const forest = forestOf([[null], [1], [2], [3], [4]]);
    for (const id of ['n2', 'n3', 'n5']) forest.nodes[id] = { ...nodeOf(forest, id), hidden: true };
    expect(read(forest)).toEqual([1, 'hidden 2,3', 4, 'hidden 5']);
  });

  test('an empty forest reads as nothing', () => {
    expect(read(forestOf([]))).toEqual([]);
  });

  test('a turn that was moved under a later one stands below it, once', () => {
    fc.assert(
      fc.property(longLives, (moves) => {
        const life = new Life();
        for (const move of moves) life.live(move);
        const { forest } = life;
        for (const { id } of recordsOf(forest.nodes)) {
          const path = pathTo(forest, id);
          const items = rowsAlongPath(forest, path);
          const onPath = items.flatMap((item) =>
            item.kind === 'turn' ? [item.node] : item.kind === 'hidden' ? item.nodes : [],
          );
          expect(onPath).toEqual(path);
          const off = items.flatMap((item) => (item.kind === 'gap' ? item.nodes : []));
          expect(off).toEqual(turnsInOrder(forest).filter((node) => !path.includes(node)));
        }
      }),
      { numRuns: 15 },
    );
  });
});

describe('later turns of the topic being read', () => {
  test('continue from the end of the path if all of them are below it', () => {
    fc.assert(
      fc.property(lives, (moves) => {
        const life = new Life();
        for (const move of moves) life.live(move);
        const { forest } = life;
        for (const tip of recordsOf(forest.nodes)) {
          const nodes = recordsOf(forest.nodes).filter((one) => one.treeId === tip.treeId && one.number > tip.number);
          if (nodes.length === 0) continue;
          const areBelow = nodes.every((node) => isAncestor(forest, tip.id, node.id));
          expect(gapWords(forest, { kind: 'gap', tip, nodes })).toMatch(areBelow ? /from here$/ : /another branch$/);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('are each passed once, however many there are', () => {
    const forest = forestOf(Array.from({ length: 500 }, (_, at) => [at === 0 ? null : at]));
    const items = rowsAlongPath(forest, pathTo(forest, 'n20'));
    expect(inWords(forest, items).at(-1)).toBe('480 later turns continue from here');
    expect(lookUps(forest, (counted) => gapWords(counted, items.at(-1) as Gap))).toBeLessThan(1000);
  });
});

describe('everything in order of time', () => {
  const everything = (forest: Forest) => inWords(forest, rowsInTimeOrder(forest));

  test('a section wherever the topic changes, in the order of time', () => {
    expect(everything(forestOf([[null], [1], [null], [2]]))).toEqual([
      '# Topic 1',
      1,
      2,
      '# Topic 3',
      3,
      '# Topic 1, continued',
      4,
    ]);
    expect(everything(forestOf([]))).toEqual([]);
  });

  test('branches other than the one where a topic was left are folded', () => {
    expect(everything(forestOf([[null], [1], [2], [1], [4]]))).toEqual([
      '# Topic 1',
      1,
      '2 turns on another branch',
      4,
      5,
    ]);
    const forest = forestOf([[null], [1], [1], [1]]);
    expect(everything(forest)).toEqual(['# Topic 1', 1, '2 turns on 2 other branches', 4]);
  });

  test('no turn is left out, and none is there twice, once all is unfolded', () => {
    const forest = forestOf([[null], [1], [null], [1], [3], [2], [3], [null], [4]]);
    forest.nodes.n5 = { ...nodeOf(forest, 'n5'), hidden: true };
    for (const items of [rowsInTimeOrder(forest), rowsAlongPath(forest, activePath(forest))]) {
      const folds = readingRows(items, new Set()).flatMap((row) => (row.kind === 'fold' ? [row.key] : []));
      const rows = readingRows(items, new Set(folds));
      const numbers = rows.flatMap((row) => (row.kind === 'turn' ? [row.node.number] : []));
      expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
      expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
    }
  });
});

test('what is opened stands under what it was folded into, and stays open as that grows', () => {
  const before = forestOf([[null], [1], [null]]);
  const after = forestOf([[null], [1], [null], [3]]);
  const rows = (forest: Forest) =>
    readingRows(rowsAlongPath(forest, pathTo(forest, 'n2')), new Set(['gap n3'])).map(({ key }) => key);
  expect(rows(before)).toEqual(['n1', 'n2', 'gap n3', 'n3']);
  expect(rows(after)).toEqual(['n1', 'n2', 'gap n3', 'n3', 'n4']);
});

/** The numbers of the texts that are read one after the other. */
const textNumbers = (steps: readonly (readonly [Reading, Forest])[]): number[] => {
  let text: ReadText = { reading: 'everything', activeId: null, pendingId: null, number: 0 };
  return steps.map(([reading, forest]) => {
    text = textRead(text, reading, forest);
    return text.number;
  });
};

const activeAt = (forest: Forest, nodeId: string): Forest => {
  const { treeId, branchId } = nodeOf(forest, nodeId);
  return { ...forest, active: { treeId, branchId, nodeId } };
};

test('moving along paths leads to another text, changing the reading does not', () => {
  const forest = forestOf([[null], [1], [2], [3], [4], [5], [6], [7], [8]]);
  const numbers = (steps: readonly (readonly [Reading, string])[]) =>
    textNumbers(steps.map(([reading, nodeId]) => [reading, activeAt(forest, nodeId)]));
  expect(
    numbers([
      ['everything', 'n9'],
      ['path', 'n9'],
      ['path', 'n5'],
      ['path', 'n5'],
    ]),
  ).toEqual([0, 0, 1, 1]);
  expect(
    numbers([
      ['path', 'n9'],
      ['everything', 'n9'],
      ['everything', 'n5'],
      ['path', 'n5'],
    ]),
  ).toEqual([0, 0, 0, 0]);
});

test('sending a message leads to its end; placed where it was shown, it moves nobody who reads further up', () => {
  const sentTo = (forest: Forest, id: string): Forest => {
    const turn = { id, number: 3, message: 'And then?', at: 0, step: id, given: null, target: null };
    return { ...forest, pending: { [id]: turn } };
  };
  const before = forestOf([[null], [1]]);
  for (const reading of ['path', 'everything'] as const) {
    const going = [before, sentTo(before, 'n3'), forestOf([[null], [1], [2]])];
    expect(textNumbers(going.map((forest) => [reading, forest]))).toEqual([0, 1, 1]);
  }
  const elsewhere = [before, sentTo(before, 'n3'), forestOf([[null], [1], [1]])];
  expect(textNumbers(elsewhere.map((forest) => ['path', forest]))).toEqual([0, 1, 2]);
  expect(textNumbers(elsewhere.map((forest) => ['everything', forest]))).toEqual([0, 1, 1]);
});

test('a turn is shown by its row, or by the fold it is in', () => {
  const forest = forestOf([[null], [1], [null], [2]]);
  forest.nodes.n2 = { ...nodeOf(forest, 'n2'), hidden: true };
  const items = rowsAlongPath(forest, activePath(forest));
  const folded = readingRows(items, new Set());
  const shown = (id: string, opens: boolean) => folded[rowOfTurn(folded, id, opens)]?.key;
  expect(['n1', 'n2', 'n3'].map((id) => shown(id, false))).toEqual(['n1', 'hidden n2', undefined]);
  expect(['n1', 'n2', 'n3'].map((id) => shown(id, true))).toEqual(['n1', 'hidden n2', 'gap n3']);
  const open = readingRows(items, new Set(['gap n3']));
  expect(open[rowOfTurn(open, 'n3', true)]?.key).toBe('n3');
});

const crumbs = (turns: Parameters<typeof forestOf>[0]) => {
  const forest = forestOf(turns);
  const found = crumbsOf(forest, activePath(forest));
  return found === null ? null : [found.topic.title, found.hidden, ...found.forks.map((node) => node.number)];
};

test('a path reads as its topic and its last forks', () => {
  expect(crumbs([])).toBeNull();
  expect(crumbs([[null], [1]])).toEqual(['Topic 1', 0]);
  expect(crumbs([[null], [1], [1], [3], [3]])).toEqual(['Topic 1', 0, 3, 5]);
  expect(crumbs([[null], [1], [1], [3], [3], [5], [5]])).toEqual(['Topic 1', 1, 5, 7]);
});

test('a path that is read again and again reads as one that is read for the first time', () => {
  let forest = frozen(emptyForest());
  const log = syntheticLog(90, 5);
  const edits: Intent[] = [
    { type: 'delete', nodeIds: ['n20'], alone: false, step: 'a' },
    { type: 'record', step: 'b', event: { type: 'topic-titled', treeId: 't2', title: 'Another', by: 'person' } },
    { type: 'undo' },
    { type: 'undo' },
    { type: 'record', step: 'c', event: { type: 'activated', nodeId: 'n30' } },
  ];
  const check = () => {
    const items = rowsAlongPath(forest, activePath(forest));
    expect(inWords(forest, items)).toEqual(inWords(forest, readAnew(forest)));
    const nodesOf = (of: readonly LinearItem[]) => of.map((item) => ('nodes' in item ? item.nodes : item));
    expect(nodesOf(items)).toEqual(nodesOf(readAnew(forest)));
  };
  for (const entry of log) {
    forest = applyEntries(forest, [entry]);
    check();
  }
  for (const intent of edits) {
    const handled = handle(forest, intent);
    if (!handled.ok) throw new Error(handled.refusal);
    for (const event of handled.events) {
      forest = applyEntries(forest, [{ v: LOG_VERSION, seq: 0, at: 0, step: handled.step, event }]);
      check();
    }
  }
});

/** Reads a copy of the forest, which shares nothing with the one read before. */
const readAnew = (forest: Forest): LinearItem[] => {
  const copy = frozen(plainForest(forest));
  const items = rowsAlongPath(copy, activePath(copy));
  rowsAlongPath(forest, activePath(forest));
  return items;
};
