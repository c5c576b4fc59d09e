import { List } from 'immutable';
import type { NodeId } from '../../domain/forest.ts';
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
import { importanceByWords } from './memory-stream.ts';
import { mostSimilar, plainSentences, vectorOf } from './similarity.ts';

/** Tokens of the main context: the queue of turns, the summary and the working context. */
const BUDGET = 1200;
/** Fraction of the budget from which the memory is under pressure (§2.1), and the fraction left after an eviction. */
const PRESSURE = 0.7;
const AFTER_EVICTION = 0.5;
/** Maximum facts in the working context, and tokens in all: its size is fixed, so the oldest are dropped. */
const WORKING = 12;
const WORKING_TOKENS = BUDGET / 4;
const SENTENCES = 6;
/** Turns paged in per search, and maximum searches per message. */
const PAGE = 3;
const MOST_SEARCHES = 3;

interface StoredTurn {
  readonly turn: MemoryTurn;
  readonly text: string;
  readonly vector: Float32Array;
  readonly tokens: number;
}

/** A fact saved when the queue was about to overflow. */
interface Fact {
  readonly text: string;
  readonly from: readonly NodeId[];
  readonly tokens: number;
}

export interface MemGpt {
  /** First in, first out. */
  readonly queue: readonly StoredTurn[];
  /** Running summary of evicted turns; empty before the first eviction. */
  readonly summary: string;
  readonly summaryTokens: number;
  readonly working: readonly Fact[];
  /** Whether it has been warned since the last eviction. */
  readonly warned: boolean;
  /** Searchable store of evicted turns. */
  readonly recallStorage: List<StoredTurn>;
}

/** Counts the tokens in the main context. */
const filled = ({ queue, summaryTokens, working }: MemGpt): number =>
  tokensOf(queue) + summaryTokens + tokensOf(working);

/** Whether the main context is full enough to warn the model. */
export const underPressure = (memory: MemGpt): boolean => filled(memory) > BUDGET * PRESSURE;

/**
 * MemGPT (Packer et al., arXiv 2310.08560): a main context with a budget. At 70 % of it the model gets a memory
 * pressure warning, once per eviction cycle, and saves what must not be lost to its working context; when the
 * budget overflows, the oldest turns are evicted to recall storage and folded into a running summary; evicted turns
 * can be searched and paged in. A chosen language model names the facts and calls the search as often as it likes,
 * up to three times; without one, binding sentences (importanceByWords) are saved, the message itself is the search
 * query, and results that are similar enough are paged in. Revising the working context other than by adding to it,
 * archival storage of documents, and interrupts are left out.
 */
export const memgpt: Memory<MemGpt> = {
  name: 'memgpt',
  counts: true,
  empty: { queue: [], summary: '', summaryTokens: 0, working: [], warned: false, recallStorage: List() },
  take: async (before, turn, tools) => {
    const text = turnText(turn);
    const [vector, [tokens = 0]] = await Promise.all([vectorOf(tools, text), tools.count([text])]);
    const queued = { ...before, queue: [...before.queue, { turn, text, vector, tokens }] };
    const memory = !queued.warned && underPressure(queued) ? await saved(queued, tools) : queued;
    if (filled(memory) <= BUDGET) return memory;
    const evicted = overflowing(memory);
    // A single turn stays, however long.
    if (evicted.length === 0) return memory;
    const summary = await tools.condense({
      instructions:
        'These turns leave a conversation’s working memory. Fold them into the summary so far: short, names, numbers and decisions kept. Write only the summary, in at most six sentences.',
      texts: [...(memory.summary === '' ? [] : [memory.summary]), ...evicted.map((stored) => stored.text)],
      sentences: SENTENCES,
    });
    const [summaryTokens = 0] = await tools.count([summary]);
    return {
      ...memory,
      queue: memory.queue.slice(evicted.length),
      summary,
      summaryTokens,
      warned: false,
      recallStorage: memory.recallStorage.push(...evicted),
    };
  },
  recall: async (memory, query, tools) => {
    const paged = await search(memory, query, tools);
    const { queue, summary, working, recallStorage } = memory;
    const about = nodeIdsOf(recallStorage);
    return {
      items: [
        ...(working.length === 0 ? [] : [{ ...workingCell(working), cell: WORKING_CONTEXT, score: null }]),
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
  cells: (memory) => {
    const { queue, summary, working, recallStorage } = memory;
    const evicted = nodeIdsOf(recallStorage);
    const tokens = `${filled(memory)} of ${BUDGET} tokens`;
    const full = underPressure(memory) ? `${tokens}: under pressure` : tokens;
    return [
      { id: MAIN_CONTEXT, parent: null, name: MAIN_CONTEXT, text: full, from: nodeIdsOf(queue) },
      ...(working.length === 0 ? [] : [{ id: WORKING_CONTEXT, parent: MAIN_CONTEXT, ...workingCell(working) }]),
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

/** Handles a memory pressure warning: saves what must not be lost from the queue to the working context. */
const saved = async (memory: MemGpt, tools: MemoryTools): Promise<MemGpt> => {
  const { queue, working } = memory;
  const known = new Set(working.map(({ text }) => text));
  const answer = await tools.ask?.(
    'Memory pressure: the oldest of these turns of a conversation will soon be evicted from your context. List the facts in them that must not be lost, one a line, each a short sentence that stands for itself; at most six. Write only the list, or “none”.',
    queue.map(({ text }) => text).join('\n\n'),
  );
  const listed = listIn(answer ?? '');
  const from = nodeIdsOf(queue);
  const named =
    listed === null
      ? queue.flatMap(({ turn, text }) =>
          plainSentences(text)
            .filter((sentence) => importanceByWords(sentence) >= BINDING)
            .map((sentence) => ({ text: sentence, from: [turn.nodeId] })),
        )
      : listed.map((text) => ({ text, from }));
  const fresh = named.filter(({ text }) => !known.has(text));
  const tokens = await tools.count(fresh.map(({ text }) => text));
  const facts = fresh.map((fact, at): Fact => ({ ...fact, tokens: tokens[at] as number }));
  return { ...memory, working: newestOf([...working, ...facts]), warned: true };
};

/** The newest facts that the working context holds; one that is too long by itself is left out. */
const newestOf = (facts: readonly Fact[]): Fact[] => {
  const held = facts.filter(({ tokens }) => tokens <= WORKING_TOKENS).slice(-WORKING);
  while (tokensOf(held) > WORKING_TOKENS) held.shift();
  return held;
};

/** Importance (by its words) from which a sentence is saved if no language model names facts. */
const BINDING = 5;

/** Names of the parts, also used as cell ids. */
const MAIN_CONTEXT = 'main context';
const RECALL_STORAGE = 'recall storage';
const SUMMARY = 'summary';
const WORKING_CONTEXT = 'working context';

const workingCell = (working: readonly Fact[]): Pick<Cell, 'name' | 'text' | 'from'> => ({
  name: WORKING_CONTEXT,
  text: working.map(({ text }) => text).join('\n'),
  from: [...new Set(working.flatMap(({ from }) => from))],
});

const nodeIdsOf = (stored: Iterable<StoredTurn>): NodeId[] => Array.from(stored, ({ turn }) => turn.nodeId);

const cellUnder =
  (parent: string) =>
  ({ turn, text }: StoredTurn): Cell => ({
    id: turn.nodeId,
    parent,
    name: `turn ${turn.number}`,
    text,
    from: [turn.nodeId],
  });

const tokensOf = (texts: readonly { readonly tokens: number }[]): number =>
  texts.reduce((total, { tokens }) => total + tokens, 0);

/** Returns the oldest turns to evict so that the rest fills at most half of the budget; the newest always stays. */
const overflowing = (memory: MemGpt): StoredTurn[] => {
  const { queue } = memory;
  let left = filled(memory);
  const evicted: StoredTurn[] = [];
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
): Promise<RecalledText[]> => {
  if (recallStorage.size === 0) return [];
  const found = new Map<string, RecalledText>();
  const pageIn = (vector: Float32Array, from: number) => {
    const page = mostSimilar(recallStorage, vector, PAGE);
    for (const { item, score } of page.filter((one) => one.score >= from)) {
      const { text, turn } = item;
      const id = turn.nodeId;
      if (!found.has(id)) found.set(id, { cell: id, name: RECALL_STORAGE, text, from: [id], score, whole: true });
    }
  };
  const byRule = () => pageIn(query.vector, tools.theta);
  if (tools.ask === undefined) byRule();
  else {
    for (let call = 0; call < MOST_SEARCHES; call++) {
      const answer = await tools.ask(SEARCHING, calling(query.message, summary, [...found.values()]));
      // A model that fails is replaced by what does without one.
      if (answer.trim() === '' && call === 0) byRule();
      const words = searchedFor(answer);
      if (words === null) break;
      pageIn(await vectorOf(tools, words), 0);
    }
  }
  // In chronological order.
  const order = new Map(Array.from(recallStorage, ({ turn }, at) => [turn.nodeId, at]));
  return [...found.values()].sort((a, b) => (order.get(a.cell) ?? 0) - (order.get(b.cell) ?? 0));
};

const SEARCHING =
  'You answer a message and can look earlier turns up first. To look something up, answer with search("words"). If nothing has to be looked up, answer with done(). Answer with one call alone.';

const calling = (message: string, summary: string, found: readonly RecalledText[]): string =>
  [`Summary: ${summary}`, ...found.map(({ text }) => `Found: ${text}`), `Message: ${message}`].join('\n');

/** Extracts the words of the search call; null if there is none. */
const searchedFor = (answer: string): string | null => {
  const words = /search\(\s*["“'](.+?)["”']\s*\)/.exec(answer)?.[1]?.trim();
  return words === undefined || words === '' ? null : words;
};
