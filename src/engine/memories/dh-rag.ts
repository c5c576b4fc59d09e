import { List } from 'immutable';
import { cosine, normalised } from '../vectors/vector-math.ts';
import { type Memory, type MemoryTurn, turnText } from './memory.ts';
import { mostSimilar, nearest, vectorOf } from './similarity.ts';

/** Weight of relevance against recency. */
const RELEVANCE = 0.7;
/** Decay factor of recency per turn. */
const RECENCY = 0.95;
/** Clusters searched, turns recalled, and how many of them may be the chain. */
const CLUSTERS = 2;
const MOST_RECALLED = 4;
const CHAIN = 4;

interface Entry {
  readonly turn: MemoryTurn;
  readonly text: string;
  /** Vector of the question alone. */
  readonly vector: Float32Array;
  /** The earlier turn of its cluster that it follows up on; null if it starts a chain. */
  readonly follows: string | null;
}

interface QueryCluster {
  readonly id: string;
  /** Sum of its questions' vectors, for updating the mean. */
  readonly sum: Float32Array;
  /** Their mean, normalised. */
  readonly vector: Float32Array;
  readonly entries: List<Entry>;
}

export interface DhRag {
  readonly clusters: List<QueryCluster>;
}

/**
 * DH-RAG (arXiv 2502.13847), as far as its public description goes: questions are clustered as they arrive, each is
 * linked to the earlier one it follows up on, and turns are found in two steps: the nearest clusters first, then
 * the chain leading to the best turn within them, and as many other relevant and recent ones as k leaves room for. Its
 * retrieval of external documents, its learned integration of the two and its forgetting of low-scoring items are left
 * out; the weights are our own.
 */
export const dhRag: Memory<DhRag> = {
  name: 'dh-rag',
  wordless: true,
  empty: { clusters: List() },
  take: async ({ clusters }, turn, tools) => {
    const vector = await vectorOf(tools, turn.message);
    const entry = { turn, text: turnText(turn), vector };
    const home = nearest(clusters, vector);
    if (home === null || home.score < tools.theta) {
      const entries = List.of<Entry>({ ...entry, follows: null });
      return { clusters: clusters.push({ id: `c${clusters.size}`, sum: vector, vector, entries }) };
    }
    // Ties go to the later one.
    const before = nearest([...home.item.entries].reverse(), vector);
    const follows = before !== null && before.score >= tools.theta ? before.item.turn.nodeId : null;
    const sum = home.item.sum.map((value, i) => value + (vector[i] as number));
    const entries = home.item.entries.push({ ...entry, follows });
    return { clusters: clusters.set(home.at, { ...home.item, sum, vector: normalised(sum), entries }) };
  },
  recall: async ({ clusters }, { vector, number }, { parameters: { memoryK } }) => {
    const most = memoryK ?? MOST_RECALLED;
    const ranked = mostSimilar(clusters, vector);
    const looked = ranked.slice(0, CLUSTERS).flatMap(({ item }) => [...item.entries]);
    const rated = looked
      .map((entry) => ({ entry, score: weightOf(entry, vector, number) }))
      .sort((a, b) => b.score - a.score);
    const best = rated[0]?.entry;
    const chain = best === undefined ? [] : chainTo(best, looked);
    const chosen = new Set(chain.slice(0, most));
    for (const { entry } of rated) if (chosen.size < most) chosen.add(entry);
    const items = rated
      .filter(({ entry }) => chosen.has(entry))
      .sort((a, b) => a.entry.turn.number - b.entry.turn.number)
      .map(({ entry: { turn, text }, score }) => ({
        cell: turn.nodeId,
        name: `turn ${turn.number}`,
        text,
        from: [turn.nodeId],
        score,
        whole: true as const,
      }));
    return { items, skipped: ranked.slice(CLUSTERS).map(({ item }) => item.id) };
  },
  cells: ({ clusters }) =>
    [...clusters].flatMap(({ id, entries }, at) => [
      {
        id,
        parent: null,
        name: `cluster ${at + 1}`,
        text: entries.first()?.turn.message ?? '',
        from: Array.from(entries, ({ turn }) => turn.nodeId),
      },
      ...Array.from(entries, ({ turn, text, follows }) => ({
        id: turn.nodeId,
        parent: follows ?? id,
        name: `turn ${turn.number}`,
        text,
        from: [turn.nodeId],
      })),
    ]),
};

/** Combines relevance and recency. */
const weightOf = ({ vector, turn }: Entry, asked: Float32Array, number: number): number =>
  RELEVANCE * cosine(asked, vector) + (1 - RELEVANCE) * RECENCY ** (number - turn.number);

/** Follows an entry's links back, including the entry itself. */
const chainTo = (entry: Entry, entries: readonly Entry[]): Entry[] => {
  const byTurn = new Map(entries.map((one) => [one.turn.nodeId, one]));
  const chain: Entry[] = [];
  for (let at: Entry | undefined = entry; at !== undefined && chain.length < CHAIN; at = byTurn.get(at.follows ?? '')) {
    chain.push(at);
  }
  return chain;
};
