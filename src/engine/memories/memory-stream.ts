import type { NodeId } from '../../domain/forest.ts';
import { cosine } from '../cosine.ts';
import { type Memory, type MemoryTools, turnText } from './memory.ts';

/** What recency keeps of itself for each turn that a memory is not recalled (the paper: each hour). */
const RECENCY = 0.995;
const MOST_RECALLED = 6;

/** An entry of the stream. */
export interface Observation {
  readonly id: string;
  readonly text: string;
  readonly vector: Float32Array;
  readonly turn: NodeId;
  /** 1 for the mundane to 10 for what must not be forgotten. */
  readonly importance: number;
  /** Number of the turn for which it was last recalled, or of its own. */
  readonly recalledAt: number;
}

export interface MemoryStream {
  readonly observations: readonly Observation[];
}

/** Recency, importance and relevance, each scaled to 0–1 over the stream, with equal weights; the highest first. */
export const rated = (observations: readonly Observation[], vector: Float32Array, number: number) => {
  const recency = scaled(observations.map(({ recalledAt }) => RECENCY ** (number - recalledAt)));
  const importance = scaled(observations.map((observation) => observation.importance));
  const relevance = scaled(observations.map((observation) => cosine(vector, observation.vector)));
  return observations
    .map((observation, i) => ({
      observation,
      score: (recency[i] as number) + (importance[i] as number) + (relevance[i] as number),
    }))
    .sort((a, b) => b.score - a.score);
};

/** Where all are equal none stands out: 0. */
const scaled = (values: readonly number[]): number[] => {
  const low = Math.min(...values);
  const range = Math.max(...values) - low;
  return values.map((value) => (range === 0 ? 0 : (value - low) / range));
};

/**
 * MemoryStream: the retrieval of generative agents (Park et al. 2023), with turns for hours. Their reflections and plans
 * are left out: they are about agents that act, and what is compared here is what is found again.
 */
export const memoryStream: Memory<MemoryStream> = {
  name: 'memory-stream',
  empty: { observations: [] },
  take: async ({ observations }, turn, tools) => {
    const text = turnText(turn);
    const [asked, vector] = (await tools.embed([turn.message, text])) as [Float32Array, Float32Array];
    const used = new Set(
      rated(observations, asked, turn.number)
        .slice(0, MOST_RECALLED)
        .map(({ observation }) => observation.id),
    );
    const touched = observations.map((one) => (used.has(one.id) ? { ...one, recalledAt: turn.number } : one));
    const importance = await importanceOf(text, tools);
    return {
      observations: [
        ...touched,
        { id: `o${observations.length}`, text, vector, turn: turn.nodeId, importance, recalledAt: turn.number },
      ],
    };
  },
  recall: async ({ observations }, { vector, number }) => ({
    items: rated(observations, vector, number)
      .slice(0, MOST_RECALLED)
      .map(({ observation: { id, text, turn }, score }) => ({
        cell: id,
        text,
        from: [turn],
        score,
        whole: true as const,
      })),
  }),
  cells: ({ observations }) =>
    observations.map(({ id, text, turn, importance }) => ({
      id,
      parent: null,
      name: `importance ${importance}`,
      text,
      from: [turn],
    })),
};

const importanceOf = async (text: string, { ask }: MemoryTools): Promise<number> => {
  const answer = await ask?.(
    'On a scale of 1 (mundane, as small talk) to 10 (must not be forgotten, as a decision or a name), rate how important it is to remember this part of a conversation. Answer with the number alone.',
    text,
  );
  const stated = Number.parseInt(/\d+/.exec(answer ?? '')?.[0] ?? '', 10);
  return stated >= 1 && stated <= 10 ? stated : importanceByWords(text);
};

/** Where no language model rates: names, numbers, and words of deciding and of remembering. */
export const importanceByWords = (text: string): number => {
  const names = text.match(/(?<=[\p{Ll},;] )\p{Lu}\p{Ll}+/gu)?.length ?? 0;
  const numbers = text.match(/\d+/g)?.length ?? 0;
  const binding = text.match(/\b(must|never|always|remember|decided?|allergic|deadline|budget|prefer|my name)\b/gi);
  return Math.min(10, 1 + Math.min(3, names) + Math.min(3, numbers) + 2 * Math.min(2, binding?.length ?? 0));
};
