import { describe, expect, test } from 'vitest';
import { emptyForest, type Forest, newTurnDefaults } from '../../domain/forest.ts';
import { nodeOf, pathTo } from '../../domain/queries.ts';
import { recordsOf } from '../../domain/table.ts';
import { ForestIndexCache, indexOf } from '../vectors/forest-index.ts';
import { VectorTable } from '../vectors/vector-table.ts';
import { ComparedMessage } from './compared-message.ts';
import { nearestFrom, nearestTurns, retrieve, topicQuestion } from './question-views.ts';

const DIMENSIONS = 512;
const NODES = 5_000;
const MESSAGES = 50;
/** Park and Miller 1988. */
const randomFrom = (seed: number) => {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
};

const made = (topics: number, topical: number) => {
  const random = randomFrom(5);
  const unit = (values: Float32Array) => {
    const length = Math.hypot(...values);
    return values.map((value) => value / length);
  };
  const noise = () => unit(Float32Array.from({ length: DIMENSIONS }, () => random() + random() + random() - 1.5));
  const about = (centre: Float32Array) => {
    const other = noise();
    return unit(centre.map((value, i) => topical * value + Math.sqrt(1 - topical ** 2) * (other[i] as number)));
  };
  const centres = Array.from({ length: topics }, noise);
  const forest: Forest = emptyForest();
  const table = new VectorTable(DIMENSIONS);
  for (let number = 1; number <= NODES; number++) {
    const topic = (number * 7) % topics;
    const [id, treeId] = [`n${number}`, `t${topic}`];
    const tree = forest.trees[treeId];
    forest.nodes[id] = {
      id,
      number,
      treeId,
      branchId: treeId,
      parentId: tree?.activeId ?? null,
      message: id,
      at: 0,
      replies: [],
      replyId: null,
      summary: null,
      decision: { topic: 'continue-topic', branch: null, by: 'engine', trace: null },
      label: null,
      ...newTurnDefaults,
    };
    const order = tree?.order ?? forest.topicCount++;
    forest.trees[treeId] = {
      id: treeId,
      rootId: tree?.rootId ?? id,
      title: '',
      titledBy: 'engine',
      activeId: id,
      order,
    };
    table.set(id, about(centres[topic] as Float32Array));
  }
  forest.turnCount = NODES;
  forest.active = { treeId: 't0', branchId: 't0', nodeId: forest.trees.t0?.rootId ?? '' };
  return { forest, table, message: () => about(centres[Math.floor(random() * topics)] as Float32Array) };
};

/** The highest cosine per topic. */
const nearestByTopic = (forest: Forest, table: VectorTable, message: Float32Array) => {
  const highest = new Map<string, number>();
  for (const { id, treeId } of recordsOf(forest.nodes)) {
    const similarity = table.similarity(id, message) ?? 0;
    highest.set(treeId, Math.max(similarity, highest.get(treeId) ?? -1));
  }
  return highest;
};

describe.each([
  ['random vectors', 300, 0],
  ['clustered vectors', 300, 0.7],
  ['random vectors in one topic', 1, 0],
])('among %s', (_, topics, topical) => {
  const { forest, table, message } = made(topics, topical);
  const index = new ForestIndexCache(table);

  test('the nearest node and the nearest topics are found, with their exact similarity', () => {
    let nodes = 0;
    let found = 0;
    for (let i = 0; i < MESSAGES; i++) {
      const vector = message();
      const near = new ComparedMessage('', vector, table, '', index);
      const truth = nearestByTopic(forest, table, vector);
      const inOrder = [...truth].sort((a, b) => b[1] - a[1]);
      const { topics: views } = topicQuestion(forest, near);
      const listed = views.toSorted((a, b) => b.similarity - a.similarity).slice(0, 6);
      for (const { treeId, similarity } of listed) if (truth.get(treeId) === similarity) found += 1 / listed.length;
      const [nearest] = retrieve(forest, inOrder[0]?.[0] ?? '', near);
      expect(nearest?.similarity).toBe(table.similarity(nearest?.nodeId ?? '', vector));
      if (nearest?.similarity === inOrder[0]?.[1]) nodes++;
    }
    // With so few messages one may miss: at 100 and 6,000 nodes at least 99 found all.
    expect(nodes / MESSAGES).toBeGreaterThanOrEqual(0.98);
    expect(found / MESSAGES).toBeGreaterThanOrEqual(0.98);
  });
});

test.each([
  ['random vectors', 300, 0],
  ['clustered vectors', 300, 0.7],
])('among %s, the nearest turns from a cosine on are found exactly, comparing few', (_, topics, topical) => {
  const { forest, table, message } = made(topics, topical);
  const index = new ForestIndexCache(table);
  const vector = message();
  for (const id of ['n7', 'n70', 'n700', 'n4000']) table.set(id, vector);
  const all = recordsOf(forest.nodes)
    .map(({ id, number }) => ({ number, nodeId: id, similarity: table.similarity(id, vector) ?? 0 }))
    .sort((a, b) => b.similarity - a.similarity || b.number - a.number);
  for (const [least, count] of [
    [0.3, 2],
    [0.3, 6],
    [0.05, 20],
    [1.1, 2],
  ] as const) {
    const near = new ComparedMessage('', vector, table, '', index);
    const compared: number[] = [];
    const toRows = near.toRows.bind(near);
    near.toRows = (rows) => {
      compared.push(rows.length);
      return toRows(rows);
    };
    const found = nearestFrom(forest, near, least, count).map(({ nodeId, similarity }) => ({ nodeId, similarity }));
    const wanted = all.filter(({ similarity }) => similarity >= least).slice(0, count);
    expect(found).toEqual(wanted.map(({ nodeId, similarity }) => ({ nodeId, similarity })));
    // An estimate may be off by more than 0.05, so from there on nearly all are compared.
    if (least !== 0.05) expect(Math.max(...compared)).toBeLessThan(NODES * 0.6);
  }
});

test('what is kept is what the forest says, whatever became of it and of its vectors', () => {
  const { forest, table, message } = made(30, 0.7);
  const index = new ForestIndexCache(table);
  const vector = message();
  const answers = (of: Forest) => {
    const kept = topicQuestion(of, new ComparedMessage('', vector, table, '', index));
    const anew = topicQuestion(of, new ComparedMessage('', vector, table));
    const read = ({ topics, recent }: typeof kept) => ({
      topics: topics.map((topic) => ({ ...topic, mean: topic.meanSimilarity.toFixed(9), tip: topic.activeSimilarity })),
      recent,
    });
    expect(index.of(of)).toEqual(indexOf(of, table));
    const near = new ComparedMessage('', vector, table, '', index);
    near.indexOf(of);
    for (const id of ['n1', 'n2500', 'n4999']) expect(near.pathTo(of, id)).toEqual(pathTo(of, id));
    expect(read(kept)).toEqual(read(anew));
  };
  answers(forest);
  const [moved, gone] = [forest.nodes.n100, forest.nodes.n200];
  if (moved === undefined || gone === undefined) throw new Error('no such turns');
  const elsewhere = { ...forest, nodes: { ...forest.nodes, n100: { ...moved, treeId: 't1' } } };
  answers(elsewhere);
  answers({
    ...elsewhere,
    nodes: Object.fromEntries(Object.entries(elsewhere.nodes).filter(([id]) => id !== gone.id)),
  });
  answers(forest);
  table.set('n300', vector);
  answers(forest);
  expect(topicQuestion(forest, new ComparedMessage('', vector, table, '', index)).topics[(300 * 7) % 30]).toBeDefined();
});

test('a turn is compared with those before it alone, though others have followed it', () => {
  const { forest, table, message } = made(30, 0.7);
  const near = new ComparedMessage('', message(), table);
  const turn = nodeOf(forest, 'n1000');
  const nearest = recordsOf(forest.nodes)
    .filter(({ number }) => number < turn.number)
    .toSorted((a, b) => (near.to(b.id) ?? 0) - (near.to(a.id) ?? 0));
  expect(nearestTurns(forest, near, 8, turn).map(({ nodeId }) => nodeId)).toEqual(
    nearest.slice(0, 8).map(({ id }) => id),
  );
});
