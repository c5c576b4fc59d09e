import { List } from 'immutable';
import { cosine } from '../vectors/vector-math.ts';
import { type ItemSources, type Memory, type MemoryQuery, type MemoryTools, sourceTurns, turnText } from './memory.ts';
import { nearest, vectorOf } from './similarity.ts';

/**
 * Maximum number of slots. The source keeps its memory compact without saying how: here, when there are too many,
 * the slot unused for longest is folded into the one most similar to it, so that nothing is dropped.
 */
const MOST_SLOTS = 64;
/** τ as a fraction of the embedder's θ, which applies to single turns: notes on a thread are less similar to any one message. */
const TAU_OF_THETA = 0.5;
/** Sentences in a slot if no language model writes it. */
const SENTENCES = 5;

/** A topic thread. */
export interface Slot {
  readonly id: string;
  readonly text: string;
  readonly vector: Float32Array;
  /** Number of the turn it was last retrieved for, or created in. */
  readonly retrievedAt: number;
  readonly madeOf: ItemSources;
}

export interface ThreadMemory {
  readonly slots: List<Slot>;
  /** Number of slots created so far, for generating ids. */
  readonly made: number;
}

/** S(q, z) = cos(q, z) · exp(−α · Δt), where Δt is the number of turns since the slot was last retrieved. */
export const slotScore = (slot: Slot, vector: Float32Array, number: number, alpha: number): number =>
  cosine(vector, slot.vector) * Math.exp(-alpha * (number - slot.retrievedAt));

const tauOf = ({ theta, parameters: { threadThreshold } }: MemoryTools): number =>
  threadThreshold ?? theta * TAU_OF_THETA;

interface SlotScore {
  readonly slot: Slot;
  readonly at: number;
  readonly score: number;
}

/** R_t: the slots that score above τ, highest first; if there are none, the best one. The others are only compared. */
const retrieved = (
  { slots }: ThreadMemory,
  { vector, number }: Pick<MemoryQuery, 'vector' | 'number'>,
  tools: MemoryTools,
): SlotScore[] => {
  const alpha = tools.parameters.threadDecay;
  const tau = tauOf(tools);
  const above: SlotScore[] = [];
  let best: SlotScore | null = null;
  let at = 0;
  for (const slot of slots) {
    const score = slotScore(slot, vector, number, alpha);
    if (score > tau) above.push({ slot, at, score });
    if (best === null || score > best.score) best = { slot, at, score };
    at++;
  }
  if (above.length > 0) return above.sort((a, b) => b.score - a.score);
  return best === null ? [] : [best];
};

/**
 * Thread memory after C-DIC (arXiv 2606.12411): its memory rule without its compressor. There, slots are latent
 * states of a trained model; here a slot is revised text and its embedding. As in the source, new text is made from
 * everything retrieved plus the turn, even if it goes into a new slot.
 *
 * The source leaves the values of α and τ to the reader, so both are parameters. With the defaults, a slot unused
 * for 196 turns, after which the source's example is still recalled, keeps 0.82 of its score; and τ is half of the
 * embedder's θ: over our own English dialogues a message has a median cosine of 0.28 to its own thread and of 0.14
 * to another.
 */
export const threadMemory: Memory<ThreadMemory> = {
  name: 'thread-memory',
  shapedBy: ['threadDecay', 'threadThreshold'],
  empty: { slots: List(), made: 0 },
  take: async (memory, turn, tools) => {
    const vector = await vectorOf(tools, turn.message);
    const used = retrieved(memory, { vector, number: turn.number }, tools);
    const best = used[0];
    const insert = best === undefined || best.score < tauOf(tools);
    const text = await tools.condense({
      instructions:
        'You keep notes on one topic of a conversation. You get the notes so far and the newest turn. Write the notes anew: what matters of both, names, numbers and decisions kept, what has changed put right. Write only the notes, in at most five sentences.',
      texts: [...(await notesOf(used, insert, tools)), turnText(turn)],
      sentences: SENTENCES,
    });
    const made = {
      text,
      vector: await vectorOf(tools, text),
      retrievedAt: turn.number,
      madeOf: { turn: turn.nodeId, before: used.map(({ slot }) => slot.madeOf) },
    };
    let { slots } = memory;
    for (const { slot, at } of used) slots = slots.set(at, { ...slot, retrievedAt: turn.number });
    if (!insert) return { ...memory, slots: slots.set(best.at, { id: best.slot.id, ...made }) };
    const grown = slots.push({ id: `s${memory.made}`, ...made });
    return { slots: grown.size > MOST_SLOTS ? await folded(grown, tools) : grown, made: memory.made + 1 };
  },
  recall: async (memory, query, tools) => ({
    items: retrieved(memory, query, tools).map(({ slot, at, score }) => ({
      cell: slot.id,
      name: nameAt(at),
      text: slot.text,
      from: sourceTurns(slot.madeOf),
      score,
    })),
  }),
  cells: ({ slots }) =>
    Array.from(slots, ({ id, text, madeOf }, at) => ({
      id,
      parent: null,
      name: nameAt(at),
      text,
      from: sourceTurns(madeOf),
    })),
};

/** Returns the notes from the retrieved slots that go into the new text. */
const notesOf = async (used: readonly SlotScore[], insert: boolean, tools: MemoryTools): Promise<readonly string[]> => {
  const texts = used.map(({ slot }) => slot.text);
  if (!insert || texts.length === 0 || tools.ask !== undefined) return texts;
  // A trained compressor keeps only what the message needs from another thread. Plain sentences would outnumber the turn's
  // own, making the new slot resemble the old one instead of its thread.
  return [await tools.condense({ instructions: 'Join these notes in one sentence.', texts, sentences: 1 })];
};

/** Folds the slot unused for longest into the one most similar to it, which keeps its id and recency. */
const folded = async (slots: List<Slot>, tools: MemoryTools): Promise<List<Slot>> => {
  const resting = slots.minBy(({ retrievedAt }) => retrievedAt) as Slot;
  const others = slots.filter((slot) => slot !== resting);
  const host = nearest(others, resting.vector);
  if (host === null) return slots;
  const { id, retrievedAt, madeOf, text: before } = host.item;
  const text = await tools.condense({
    instructions:
      'You keep notes on a conversation. You get the notes on two of its topics. Join them: names, numbers and decisions kept. Write only the notes, in at most five sentences.',
    texts: [resting.text, before],
    sentences: SENTENCES,
  });
  const both = { turn: madeOf.turn, before: [resting.madeOf, ...madeOf.before] };
  return others.set(host.at, { id, text, vector: await vectorOf(tools, text), retrievedAt, madeOf: both });
};

const nameAt = (at: number): string => `slot ${at + 1}`;
