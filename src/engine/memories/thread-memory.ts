import type { NodeId } from '../../domain/forest.ts';
import { cosine } from '../cosine.ts';
import { type Memory, type MemoryTurn, turnText } from './memory.ts';
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
  readonly from: readonly NodeId[];
}

export interface ThreadMemory {
  readonly slots: readonly Slot[];
  readonly made: number;
}

/** S(q, z) = cos(q, z) · exp(−α · Δt), Δt being the turns since the slot was last retrieved. */
export const slotScore = (slot: Slot, vector: Float32Array, number: number): number =>
  cosine(vector, slot.vector) * Math.exp(-DECAY * (number - slot.retrievedAt));

/** The slots that score above τ, highest first; if none does, the best one. */
const retrieved = ({ slots }: ThreadMemory, vector: Float32Array, number: number, tau: number) => {
  const ranked = slots
    .map((slot) => ({ slot, score: slotScore(slot, vector, number) }))
    .sort((a, b) => b.score - a.score);
  const above = ranked.filter(({ score }) => score > tau);
  return above.length > 0 ? above : ranked.slice(0, 1);
};

/**
 * Thread memory after C-DIC (arXiv 2606.12411): its memory rule without its compressor. There, slots are latent states
 * of a trained model; here a slot is revised text and its embedding. τ, whose value the paper leaves to the reader, is
 * the embedder's own threshold.
 */
export const threadMemory: Memory<ThreadMemory> = {
  name: 'thread-memory',
  empty: { slots: [], made: 0 },
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
    const made = await vectorOf(tools, text);
    const read = new Set(used.map(({ slot }) => slot.id));
    const slots = memory.slots.map((slot) => (read.has(slot.id) ? { ...slot, retrievedAt: turn.number } : slot));
    if (insert) return { slots: [...slots, newSlot(memory.made, text, made, turn)], made: memory.made + 1 };
    const from = [...new Set([...used.flatMap(({ slot }) => slot.from), turn.nodeId])];
    const revise = (slot: Slot): Slot => (slot.id === best.slot.id ? { ...slot, text, vector: made, from } : slot);
    return { ...memory, slots: slots.map(revise) };
  },
  recall: async (memory, { vector, number }, { theta }) => ({
    items: retrieved(memory, vector, number, theta).map(({ slot, score }) => ({
      cell: slot.id,
      text: slot.text,
      from: slot.from,
      score,
    })),
  }),
  cells: ({ slots }) =>
    slots.map(({ id, text, from }, at) => ({ id, parent: null, name: `slot ${at + 1}`, text, from })),
};

const newSlot = (made: number, text: string, vector: Float32Array, { nodeId, number }: MemoryTurn): Slot => ({
  id: `s${made}`,
  text,
  vector,
  retrievedAt: number,
  from: [nodeId],
});
