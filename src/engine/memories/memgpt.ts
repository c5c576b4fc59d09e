import { List } from 'immutable';
import type { NodeId } from '../../domain/forest.ts';
import {
  type Cell,
  type Memory,
  type MemoryQuery,
  type MemoryTools,
  type MemoryTurn,
  type Recalled,
  turnText,
} from './memory.ts';
import { byNearness, vectorOf } from './nearness.ts';

/** Tokens of the queue of turns in the main context. */
const BUDGET = 1200;
/** Share of the budget from which the memory is under pressure, and that an eviction leaves. */
const PRESSURE = 0.7;
const AFTER_EVICTION = 0.5;
const SENTENCES = 6;
/** Turns that a search pages in, and searches at most for one message. */
const PAGE = 3;
const MOST_SEARCHES = 3;

interface Stored {
  readonly turn: MemoryTurn;
  readonly text: string;
  readonly vector: Float32Array;
  readonly tokens: number;
}

export interface MemGpt {
  /** First in, first out. */
  readonly queue: readonly Stored[];
  /** Of what was evicted, again and again; empty before. */
  readonly summary: string;
  /** Evicted turns, searchable. */
  readonly recallStorage: List<Stored>;
}

/** Whether the queue fills so much of its budget that a model would be warned. */
export const underPressure = (queue: MemGpt['queue']): boolean => tokensOf(queue) > BUDGET * PRESSURE;

/**
 * MemGPT (Packer et al., arXiv 2310.08560): a main context with a budget; when its queue overflows, the oldest turns are
 * evicted to recall storage and folded into a running summary; what was evicted is searched and paged in. A chosen
 * language model calls the search as often as it likes, up to three times; without one, the message itself is searched
 * for, and what is similar enough is paged in. Its working context, which the model edits, its archival storage of
 * documents and its interrupts are left out.
 */
export const memgpt: Memory<MemGpt> = {
  name: 'memgpt',
  empty: { queue: [], summary: '', recallStorage: List() },
  take: async (memory, turn, tools) => {
    const text = turnText(turn);
    const [vector, [tokens = 0]] = await Promise.all([vectorOf(tools, text), tools.count([text])]);
    const queue = [...memory.queue, { turn, text, vector, tokens }];
    if (tokensOf(queue) <= BUDGET) return { ...memory, queue };
    const evicted = overflowing(queue);
    const summary = await tools.condense({
      instructions:
        'These turns leave a conversation’s working memory. Fold them into the summary so far: short, names, numbers and decisions kept. Write only the summary, in at most six sentences.',
      texts: [...(memory.summary === '' ? [] : [memory.summary]), ...evicted.map((stored) => stored.text)],
      sentences: SENTENCES,
    });
    return { queue: queue.slice(evicted.length), summary, recallStorage: memory.recallStorage.push(...evicted) };
  },
  recall: async (memory, query, tools) => {
    const paged = await search(memory, query, tools);
    const { queue, summary, recallStorage } = memory;
    const about = nodeIdsOf(recallStorage);
    return {
      items: [
        ...(summary === '' ? [] : [{ cell: SUMMARY, name: SUMMARY, text: summary, from: about, score: null }]),
        ...paged,
        ...queue.map(({ turn, text }) => ({
          cell: turn.nodeId,
          name: MAIN_CONTEXT,
          text,
          from: [turn.nodeId],
          score: null,
          whole: true as const,
        })),
      ],
    };
  },
  cells: ({ queue, summary, recallStorage }) => {
    const evicted = nodeIdsOf(recallStorage);
    const tokens = `${tokensOf(queue)} of ${BUDGET} tokens`;
    const full = underPressure(queue) ? `${tokens}: under pressure` : tokens;
    return [
      { id: MAIN_CONTEXT, parent: null, name: MAIN_CONTEXT, text: full, from: nodeIdsOf(queue) },
      ...(summary === '' ? [] : [{ id: SUMMARY, parent: MAIN_CONTEXT, name: SUMMARY, text: summary, from: evicted }]),
      ...queue.map(cellUnder(MAIN_CONTEXT)),
      {
        id: RECALL_STORAGE,
        parent: null,
        name: RECALL_STORAGE,
        text: evicted.length === 0 ? 'nothing evicted yet' : `${evicted.length} evicted turns, searched when needed`,
        from: evicted,
      },
      ...Array.from(recallStorage, cellUnder(RECALL_STORAGE)),
    ];
  },
};

/** Names of the parts, and their cells' ids. */
const MAIN_CONTEXT = 'main context';
const RECALL_STORAGE = 'recall storage';
const SUMMARY = 'summary';

const nodeIdsOf = (stored: Iterable<Stored>): NodeId[] => Array.from(stored, ({ turn }) => turn.nodeId);

const cellUnder =
  (parent: string) =>
  ({ turn, text }: Stored): Cell => ({
    id: turn.nodeId,
    parent,
    name: `turn ${turn.number}`,
    text,
    from: [turn.nodeId],
  });

const tokensOf = (queue: readonly Stored[]): number => queue.reduce((total, { tokens }) => total + tokens, 0);

/** The oldest turns, until what stays fills no more than half of the budget; the newest always stays. */
const overflowing = (queue: readonly Stored[]): Stored[] => {
  let left = tokensOf(queue);
  const evicted: Stored[] = [];
  for (const stored of queue.slice(0, -1)) {
    if (left <= BUDGET * AFTER_EVICTION) break;
    left -= stored.tokens;
    evicted.push(stored);
  }
  return evicted;
};

const search = async (
  { recallStorage, summary }: MemGpt,
  query: MemoryQuery,
  tools: MemoryTools,
): Promise<Recalled[]> => {
  if (recallStorage.size === 0) return [];
  const found = new Map<string, Recalled>();
  const pageIn = (vector: Float32Array, from: number) => {
    const page = byNearness(recallStorage, vector, PAGE);
    for (const { item, score } of page.filter((one) => one.score >= from)) {
      const { text, turn } = item;
      const id = turn.nodeId;
      if (!found.has(id)) found.set(id, { cell: id, name: RECALL_STORAGE, text, from: [id], score, whole: true });
    }
  };
  if (tools.ask === undefined) pageIn(query.vector, tools.theta);
  else {
    for (let call = 0; call < MOST_SEARCHES; call++) {
      const words = searchedFor(await tools.ask(SEARCHING, calling(query.message, summary, [...found.values()])));
      if (words === null) break;
      pageIn(await vectorOf(tools, words), 0);
    }
  }
  // In order of time, as they were said.
  const order = new Map(Array.from(recallStorage, ({ turn }, at) => [turn.nodeId, at]));
  return [...found.values()].sort((a, b) => (order.get(a.cell) ?? 0) - (order.get(b.cell) ?? 0));
};

const SEARCHING =
  'You answer a message and can look earlier turns up first. To look something up, answer with search("words"). If nothing has to be looked up, answer with done(). Answer with one call alone.';

const calling = (message: string, summary: string, found: readonly Recalled[]): string =>
  [`Summary: ${summary}`, ...found.map(({ text }) => `Found: ${text}`), `Message: ${message}`].join('\n');

/** The words of the call; null where there is none. */
const searchedFor = (answer: string): string | null => {
  const words = /search\(\s*["“'](.+?)["”']\s*\)/.exec(answer)?.[1]?.trim();
  return words === undefined || words === '' ? null : words;
};
