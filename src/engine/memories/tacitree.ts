import type { NodeId } from '../../domain/forest.ts';
import { latinDigits } from '../../domain/numbers.ts';
import { meanVector, normalised } from '../vectors/vector-math.ts';
import { twoOf } from './clusters.ts';
import {
  type Cell,
  listIn,
  type Memory,
  type MemoryQuery,
  type MemoryTools,
  type MemoryTurn,
  type RecalledText,
  turnText,
} from './memory.ts';
import { mostSimilar, nearest, plainSentences, vectorOf } from './similarity.ts';

/** Maximum members of a cluster (the paper's size). */
const CLUSTER = 6;
const SENTENCES = 2;
/**
 * Our own values, since the source has a language model choose: how many subtrees are entered per level at most,
 * and how far they may score below the best one.
 */
const MOST_CHOSEN = 3;
const MARGIN = 0.1;
/** Display name of a fact. */
const FACT = 'fact';

/** A fact (no children, `turn` set), or a cluster with the summary of its contents. */
export interface TaciNode {
  readonly id: string;
  readonly text: string;
  readonly vector: Float32Array;
  readonly children: readonly TaciNode[];
  readonly turn: NodeId | null;
  /** The children's texts that a cluster's summary was made from. */
  readonly of: readonly string[];
}

export interface TaciTree {
  /** null before the first fact. */
  readonly root: TaciNode | null;
  readonly made: number;
}

/**
 * TaciTree (arXiv 2503.07018): atomic facts, clustered and summarised level by level up to a root, and read from
 * the top down: at each level some subtrees are chosen and the rest are skipped. The paper builds it once, with
 * UMAP and a Gaussian mixture, and leaves open how it would grow. Here a fact descends to the cluster most similar
 * to it, a cluster of more than six is split in two (and so is its parent, if that becomes too large), and only the
 * summaries above are regenerated. As in the source, a cluster is compared by the embedding of its summary. Without
 * a language model the facts are the turn's sentences, and subtrees are chosen by similarity.
 */
export const tacitree: Memory<TaciTree> = {
  name: 'tacitree',
  empty: { root: null, made: 0 },
  take: async (tree, turn, tools) => {
    const texts = await factsOf(turn, tools);
    const vectors = await tools.embed(texts);
    const ids = { made: tree.made };
    let root = tree.root;
    const touched = new Set<string>();
    for (const [i, text] of texts.entries()) {
      const fact = factOf(nextId(ids), text, vectors[i] as Float32Array, turn.nodeId);
      root = withFact(root, fact, ids, touched);
    }
    // Once for all of the turn's facts.
    return { root: root === null ? null : await summarisedAnew(root, touched, tools), made: ids.made };
  },
  recall: async ({ root }, query, tools) => {
    if (root === null) return { items: [], levels: 0, skipped: [], read: [] };
    const walk = { levels: 0, skipped: [] as string[], read: [] as string[] };
    let level: readonly TaciNode[] = [root];
    const found: TaciNode[] = [];
    while (level.length > 0) {
      walk.levels++;
      const options = level.flatMap(({ children }) => children);
      found.push(...options.filter(({ turn }) => turn !== null));
      const subtrees = options.filter(({ turn }) => turn === null);
      const chosen = await choose(subtrees, query, tools, walk.read);
      walk.skipped.push(...subtrees.filter((node) => !chosen.includes(node)).map(({ id }) => id));
      level = chosen;
    }
    const items = mostSimilar(found, query.vector).map(
      ({ item: { id, text, turn }, score }): RecalledText => ({
        cell: id,
        name: FACT,
        text,
        from: turn === null ? [] : [turn],
        score,
      }),
    );
    return { items, ...walk };
  },
  cells: ({ root }) => (root === null ? [] : cellsUnder(root, null, 0)),
};

/** Lists all facts of a tree. */
export const factsIn = (node: TaciNode): TaciNode[] => (node.turn !== null ? [node] : node.children.flatMap(factsIn));

const factsOf = async (turn: MemoryTurn, { ask }: MemoryTools): Promise<string[]> => {
  const answer = await ask?.(
    'List the facts about the user and the matter that this part of a conversation states, one a line, each a short sentence that stands for itself. Write only the list.',
    turnText(turn),
  );
  return listIn(answer ?? '') ?? plainSentences(turnText(turn));
};

interface IdCounter {
  made: number;
}

const nextId = (ids: IdCounter): string => `f${ids.made++}`;

const factOf = (id: string, text: string, vector: Float32Array, turn: NodeId): TaciNode => ({
  id,
  text,
  vector,
  children: [],
  turn,
  of: [],
});

/** Creates a cluster without a summary; until it has one, it is compared by the mean of its contents. */
const clusterOf = (children: readonly TaciNode[], ids: IdCounter): TaciNode => ({
  id: nextId(ids),
  text: '',
  vector: meanOf(children),
  children,
  turn: null,
  of: [],
});

const withFact = (root: TaciNode | null, fact: TaciNode, ids: IdCounter, touched: Set<string>): TaciNode => {
  if (root === null) {
    const first = clusterOf([fact], ids);
    touched.add(first.id);
    return first;
  }
  const parts = added(root, fact, ids, touched);
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const above = clusterOf(parts, ids);
  touched.add(above.id);
  return above;
};

/** Adds a fact to a cluster; returns one cluster, or two if it had to be split. */
const added = (node: TaciNode, fact: TaciNode, ids: IdCounter, touched: Set<string>): TaciNode[] => {
  const best = nearest(node.children, fact.vector)?.item ?? null;
  const holdsFacts = best === null || best.turn !== null;
  const children = holdsFacts
    ? [...node.children, fact]
    : node.children.flatMap((child) => (child === best ? added(child, fact, ids, touched) : [child]));
  if (children.length <= CLUSTER) {
    touched.add(node.id);
    return [{ ...node, children }];
  }
  const halves = twoOf(
    children.map(({ vector }) => vector),
    children.map((_, at) => at),
  );
  return halves.map((half) => {
    const part = clusterOf(
      half.map((at) => children[at] as TaciNode),
      ids,
    );
    touched.add(part.id);
    return part;
  });
};

const summarisedAnew = async (node: TaciNode, touched: ReadonlySet<string>, tools: MemoryTools): Promise<TaciNode> => {
  if (!touched.has(node.id)) return node;
  const children: TaciNode[] = [];
  // Bottom-up, since summaries are made from summaries.
  for (const child of node.children) children.push(await summarisedAnew(child, touched, tools));
  return summarised({ ...node, children }, tools);
};

const summarised = async (node: TaciNode, tools: MemoryTools): Promise<TaciNode> => {
  const texts = node.children.map((child) => child.text);
  // A summary stays if none of the texts below it have changed.
  if (texts.length === node.of.length && texts.every((text, at) => text === node.of[at])) return node;
  const text = await tools.condense({
    instructions: 'Summarise these facts in one sentence that says what they are about. Write only the sentence.',
    texts,
    sentences: SENTENCES,
  });
  return { ...node, text, vector: await vectorOf(tools, text), of: texts };
};

/** Chooses the subtrees to enter: by a language model if there is one, else the most similar ones. */
const choose = async (
  nodes: readonly TaciNode[],
  { message, vector }: MemoryQuery,
  { ask }: MemoryTools,
  read: string[],
): Promise<readonly TaciNode[]> => {
  if (nodes.length === 0) return [];
  read.push(...nodes.map(({ text }) => text));
  const answer = await ask?.(
    'You get a message and numbered summaries of parts of a memory. Answer with the numbers of the parts that may hold what matters for the message, also where the link is not in the words; at most three. Answer with numbers alone.',
    [`Message: ${message}`, ...nodes.map(({ text }, i) => `${i + 1}. ${text}`)].join('\n'),
  );
  const named = (latinDigits(answer ?? '').match(/\d+/g) ?? []).flatMap((number) => nodes[Number(number) - 1] ?? []);
  if (named.length > 0) return [...new Set(named)].slice(0, MOST_CHOSEN);
  const ranked = mostSimilar(nodes, vector);
  const from = (ranked[0]?.score ?? 0) - MARGIN;
  return ranked
    .slice(0, MOST_CHOSEN)
    .filter(({ score }) => score >= from)
    .map(({ item }) => item);
};

const meanOf = (nodes: readonly TaciNode[]): Float32Array => normalised(meanVector(nodes.map(({ vector }) => vector)));

const cellsUnder = (node: TaciNode, parent: string | null, depth: number): Cell[] => [
  {
    id: node.id,
    parent,
    name: node.turn === null ? `level ${depth}` : FACT,
    text: node.text,
    from: [...new Set(factsIn(node).flatMap(({ turn }) => (turn === null ? [] : [turn])))],
  },
  ...node.children.flatMap((child) => cellsUnder(child, node.id, depth + 1)),
];
