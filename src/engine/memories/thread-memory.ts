import { List } from 'immutable';
import { cosine } from '../vectors/vector-math.ts';
import { type MadeOf, type Memory, type MemoryQuery, type MemoryTools, turnsOf, turnText } from './memory.ts';
import { nearest, vectorOf } from './similarity.ts';

/**
 * Slots at most. The source keeps its memory compact and says not how: here a slot too many is made room for by folding the
 * one that rested longest into the one most like it, so that nothing is dropped.
 */
const MOST_SLOTS = 64;
/** τ as a share of the embedder's θ, which is about single turns: notes on a thread are less like any one message. */
const TAU_OF_THETA = 0.5;
/** Sentences of a slot where no language model writes it. */
const SENTENCES = 5;

/** A topic thread. */
export interface Slot {
  readonly id: string;
  readonly text: string;
  readonly vector: Float32Array;
  /** Number of the turn for which it was last retrieved, or made. */
  readonly retrievedAt: number;
  readonly madeOf: MadeOf;
}

export interface ThreadMemory {
  readonly slots: List<Slot>;
  /** Slots made so far, for naming the next. */
  readonly made: number;
}

/** S(q, z) = cos(q, z) · exp(−α · Δt), Δt being the turns since the slot was last retrieved. */
export const slotScore = (slot: Slot, vector: Float32Array, number: number, alpha: number): number =>
  cosine(vector, slot.vector) * Math.exp(-alpha * (number - slot.retrievedAt));

const tauOf = ({ theta, parameters: { threadThreshold } }: MemoryTools): number =>
  threadThreshold ?? theta * TAU_OF_THETA;

interface SlotScore {
  readonly slot: Slot;
  readonly at: number;
  readonly score: number;
}

/** R_t: the slots that score above τ, highest first; if none does, the best one. Each other is only compared. */
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
 * Thread memory after C-DIC (arXiv 2606.12411): its memory rule without its compressor. There, slots are latent states
 * of a trained model; here a slot is revised text and its embedding. As there, what is written is made of all that was
 * retrieved and of the turn, also where it goes into a slot of its own.
 *
 * α and τ, whose values the source leaves to the reader, are parameters. As shipped a slot that rested for 196 turns, after
 * which the source's example is still recalled, keeps 0.82 of its score; and τ is half of the embedder's θ: over English
 * dialogues of our own a message has a median cosine of 0.28 to its own thread and of 0.14 to another.
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
      from: turnsOf(slot.madeOf),
      score,
    })),
  }),
  cells: ({ slots }) =>
    Array.from(slots, ({ id, text, madeOf }, at) => ({
      id,
      parent: null,
      name: nameAt(at),
      text,
      from: turnsOf(madeOf),
    })),
};

/** What of the retrieved slots goes into what is written. */
const notesOf = async (used: readonly SlotScore[], insert: boolean, tools: MemoryTools): Promise<readonly string[]> => {
  const texts = used.map(({ slot }) => slot.text);
  if (!insert || texts.length === 0 || tools.ask !== undefined) return texts;
  // A trained compressor keeps of another thread what the message asks of it. Sentences alone would outnumber the turn's, and
  // the new slot be like the old one, and not like its thread.
  return [await tools.condense({ instructions: 'Join these notes in one sentence.', texts, sentences: 1 })];
};

/** With the slot that rested longest folded into the one most like it, which keeps its name and its freshness. */
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
