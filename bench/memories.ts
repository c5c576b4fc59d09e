import { dhRag } from '../src/engine/memories/dh-rag.ts';
import { memgpt } from '../src/engine/memories/memgpt.ts';
import type { Memory } from '../src/engine/memories/memory.ts';
import { memoryBank } from '../src/engine/memories/memory-bank.ts';
import { memoryStream } from '../src/engine/memories/memory-stream.ts';
import { memtree } from '../src/engine/memories/memtree.ts';
import { raptor } from '../src/engine/memories/raptor.ts';
import { summarisedHistory } from '../src/engine/memories/summarised-history.ts';
import { tacitree } from '../src/engine/memories/tacitree.ts';
import { threadMemory } from '../src/engine/memories/thread-memory.ts';
import type { Figure } from './figure.ts';
import { treeOfTurns } from './memories/context-agent.ts';
import { madeUpTalk } from './memories/made-up-talk.ts';
import { type Taking, takeIn } from './memories/take-in.ts';

const SEED = 5;
const SIZES = [100, 1_000, 10_000];
/** RAPTOR re-clusters everything when it has grown by a fifth: it is meant for static collections and is measured no further. */
const RAPTOR_SIZES = [100, 1_000];
/** MemoryStream rates the whole stream for every turn. */
const STREAM_SIZES = [100, 1_000, 3_000];

interface Claim<State> {
  /** The value to compare with the source's claim, at a size. */
  readonly goal?: (taking: Taking<State>) => { readonly name: string; readonly value: number; readonly most: number };
  /** The size of its state, in its own terms. */
  readonly holds?: (state: State) => string;
}

/**
 * Measures the cost of a turn for each memory as a synthetic conversation grows, with made-up models: seeded
 * made-up words, a text's vector as the sum of its words', no language model, and time in models left out. The
 * baseline is a stateless memory that takes in all turns again for every message.
 */
export const MEMORIES: readonly (readonly [string, () => Promise<Figure[]>])[] = [
  ['context-agent', () => treeOfTurns(SIZES, SEED)],
  [
    'memtree',
    () =>
      grown(memtree, SIZES, {
        // “An insertion complexity of O(log N)” (MemTree §1): number of parents aggregated again.
        goal: ({ turns, condensed }) => ({ name: 'parents aggregated', value: condensed, most: Math.log2(turns) }),
        holds: ({ depth, children }) => `depth ${depth}, ${children.size} at the root`,
      }),
  ],
  [
    'thread-memory',
    () =>
      grown(threadMemory, SIZES, {
        // “Per-turn computation is proportional to |R_t| rather than dialogue length” (C-DIC, §3): number of slots read.
        goal: ({ parts }) => ({ name: 'slots read', value: parts - 1, most: MOST_SLOTS }),
        holds: ({ slots }) => `${slots.size} slots`,
      }),
  ],
  ['summarised-history', () => grown(summarisedHistory, SIZES, {})],
  ['dh-rag', () => grown(dhRag, SIZES, { holds: ({ clusters }) => `${clusters.size} clusters` })],
  ['memory-bank', () => grown(memoryBank, SIZES, { holds: ({ pieces }) => `${pieces.size} pieces` })],
  ['memgpt', () => grown(memgpt, SIZES, {})],
  [
    'tacitree',
    () =>
      grown(tacitree, SIZES, {
        goal: ({ turns, condensed }) => ({
          name: 'summaries made anew',
          value: condensed,
          most: FACTS * Math.log2(turns),
        }),
      }),
  ],
  ['memory-stream', () => grown(memoryStream, STREAM_SIZES, {})],
  ['raptor', () => grown(raptor, RAPTOR_SIZES, {})],
];

/** Number of slots above τ per message in this conversation: depends on the topic, not on the conversation's length. */
const MOST_SLOTS = 3;
/** Number of sentences in a made-up turn. */
const FACTS = 4;

const grown = async <State>(
  memory: Memory<State>,
  sizes: readonly number[],
  claim: Claim<State>,
): Promise<Figure[]> => {
  const takings = await takeIn(memory, madeUpTalk(sizes.at(-1) ?? 0, SEED), sizes);
  return takings.flatMap((taking): Figure[] => {
    const { turns, own, all, recall, calls, read, state } = taking;
    const at = `${memory.name} at ${turns.toLocaleString('en')} turns`;
    const goal = claim.goal?.(taking);
    const holds = claim.holds?.(state);
    return [
      {
        name: `${at}, one taken in, median`,
        value: own,
        unit: 'ms',
        goal: null,
        baseline: { name: 'all again', value: all },
        note: [
          `${(all / turns).toFixed(2)} ms on average so far`,
          `${calls.toFixed(1)} model calls, ${read.toFixed(0)} tokens read`,
          `recall ${recall.toFixed(2)} ms`,
          ...(holds === undefined ? [] : [holds]),
        ].join(' · '),
      },
      ...(goal === undefined
        ? []
        : [
            {
              name: `${at}, ${goal.name} for one`,
              value: goal.value,
              unit: 'a turn' as const,
              goal: goal.most,
              baseline: null,
            },
          ]),
    ];
  });
};
