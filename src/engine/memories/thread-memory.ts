import { List } from 'immutable';
import { cosine } from '../cosine.ts';
import { type MadeOf, turnsOf } from './made-of.ts';
import { type Memory, turnText } from './memory.ts';
import { vectorOf } from './nearness.ts';

/** α: how fast a slot fades that is not retrieved. The paper gives no value; at 0.01 it halves in seventy turns. */
const DECAY = 0.01;
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
}

/** S(q, z) = cos(q, z) · exp(−α · Δt), Δt being the turns since the slot was last retrieved. */
export const slotScore = (slot: Slot, vector: Float32Array, number: number): number =>
  cosine(vector, slot.vector) * Math.exp(-DECAY * (number - slot.retrievedAt));

interface Retrieved {
  readonly slot: Slot;
  readonly at: number;
  readonly score: number;
}

/** The slots that score above τ, highest first; if none does, the best one. Each other is only compared. */
const retrieved = ({ slots }: ThreadMemory, vector: Float32Array, number: number, tau: number): Retrieved[] => {
  const above: Retrieved[] = [];
  let best: Retrieved | null = null;
  let at = 0;
  for (const slot of slots) {
    const score = slotScore(slot, vector, number);
    if (score > tau) above.push({ slot, at, score });
    if (best === null || score > best.score) best = { slot, at, score };
    at++;
  }
  if (above.length > 0) return above.sort((a, b) => b.score - a.score);
  return best === null ? [] : [best];
};

/**
 * Thread memory after C-DIC (arXiv 2606.12411): its memory rule without its compressor. There, slots are latent states
 * of a trained model; here a slot is revised text and its embedding. τ, whose value the paper leaves to the reader, is
 * the embedder's own threshold.
 */
export const threadMemory: Memory<ThreadMemory> = {
  name: 'thread-memory',
  empty: { slots: List() },
  take: async (memory, turn, tools) => {
    const vector = await vectorOf(tools, turn.message);
    const used = retrieved(memory, vector, turn.number, tools.theta);
    const best = used[0];
    const insert = best === undefined || best.score < tools.theta;
    const text = await tools.condense({
      instructions:
        'You keep notes on one topic of a conversation. You get the notes so far and the newest turn. Write the notes anew: what matters of both, names, numbers and decisions kept, what has changed put right. Write only the notes, in at most five sentences.',
      texts: insert ? [turnText(turn)] : [...used.map(({ slot }) => slot.text), turnText(turn)],
      sentences: SENTENCES,
    });
    const made = { text, vector: await vectorOf(tools, text), retrievedAt: turn.number };
    let { slots } = memory;
    for (const { slot, at } of used) slots = slots.set(at, { ...slot, retrievedAt: turn.number });
    if (insert) {
      return { slots: slots.push({ id: `s${slots.size}`, ...made, madeOf: { turn: turn.nodeId, before: [] } }) };
    }
    const madeOf = { turn: turn.nodeId, before: used.map(({ slot }) => slot.madeOf) };
    return { slots: slots.set(best.at, { id: best.slot.id, ...made, madeOf }) };
  },
  recall: async (memory, { vector, number }, { theta }) => ({
    items: retrieved(memory, vector, number, theta).map(({ slot, at, score }) => ({
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

const nameAt = (at: number): string => `slot ${at + 1}`;
