import { List } from 'immutable';
import type { NodeId } from '../../domain/forest.ts';
import { latinDigits } from '../../domain/numbers.ts';
import { cosine } from '../vectors/vector-math.ts';
import { type Memory, type MemoryTools, turnText } from './memory.ts';
import { highest } from './similarity.ts';

/** Decay factor of recency for each turn that a memory is not recalled (the paper: each hour). */
const RECENCY = 0.995;
/** k; the paper says only that as much is sent as fits. */
const MOST_RECALLED = 6;

/** An entry of the stream. */
export interface Observation {
  readonly id: string;
  readonly text: string;
  readonly vector: Float32Array;
  readonly turn: NodeId;
  /** From 1 (mundane) to 10 (must not be forgotten). */
  readonly importance: number;
  /** Number of the turn it was last recalled for, or of its own turn. */
  readonly recalledAt: number;
}

export interface MemoryStream {
  readonly observations: List<Observation>;
}

/**
 * Rates observations by recency, importance and relevance, each scaled to 0–1 over the stream, with equal weights;
 * returns the top `most` in descending order, each with its index in the stream.
 */
export const rated = (
  stream: Iterable<Observation>,
  vector: Float32Array,
  number: number,
  most = Number.POSITIVE_INFINITY,
): { readonly observation: Observation; readonly at: number; readonly score: number }[] => {
  const observations = [...stream];
  const recency = scaled(observations.map(({ recalledAt }) => RECENCY ** (number - recalledAt)));
  const importance = scaled(observations.map((observation) => observation.importance));
  const relevance = scaled(observations.map((observation) => cosine(vector, observation.vector)));
  const scoreAt = (at: number) => (recency[at] as number) + (importance[at] as number) + (relevance[at] as number);
  return highest(observations.keys(), scoreAt, most).map(({ item: at, score }) => ({
    observation: observations[at] as Observation,
    at,
    score,
  }));
};

/** All zeros if the values are equal. */
const scaled = (values: readonly number[]): number[] => {
  // Not by spreading, since the number of arguments per call is limited.
  const low = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const range = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY) - low;
  return values.map((value) => (range === 0 ? 0 : (value - low) / range));
};

/**
 * MemoryStream: the retrieval of generative agents (Park et al. 2023), with turns in place of hours. Their
 * reflections and plans are left out: those concern agents that act, and only retrieval is compared here.
 */
export const memoryStream: Memory<MemoryStream> = {
  name: 'memory-stream',
  // Recalling an observation makes it recent again.
  shapedBy: ['memoryK'],
  empty: { observations: List() },
  take: async (stream, turn, tools) => {
    const text = turnText(turn);
    const [asked, vector] = (await tools.embed([turn.message, text])) as [Float32Array, Float32Array];
    let { observations } = stream;
    for (const { observation, at } of rated(observations, asked, turn.number, mostOf(tools))) {
      observations = observations.set(at, { ...observation, recalledAt: turn.number });
    }
    const importance = await importanceOf(text, tools);
    const id = `o${observations.size}`;
    return {
      observations: observations.push({ id, text, vector, turn: turn.nodeId, importance, recalledAt: turn.number }),
    };
  },
  recall: async ({ observations }, { vector, number }, tools) => ({
    items: rated(observations, vector, number, mostOf(tools)).map(({ observation, score }) => ({
      cell: observation.id,
      name: nameOf(observation),
      text: observation.text,
      from: [observation.turn],
      score,
      whole: true as const,
    })),
  }),
  cells: ({ observations }) =>
    Array.from(observations, (observation) => ({
      id: observation.id,
      parent: null,
      name: nameOf(observation),
      text: observation.text,
      from: [observation.turn],
    })),
};

const mostOf = ({ parameters: { memoryK } }: MemoryTools): number => memoryK ?? MOST_RECALLED;

const nameOf = ({ importance }: Observation): string => `importance ${importance}`;

const importanceOf = async (text: string, { ask }: MemoryTools): Promise<number> => {
  const answer = await ask?.(
    'On a scale of 1 (mundane, as small talk) to 10 (must not be forgotten, as a decision or a name), rate how important it is to remember this part of a conversation. Answer with the number alone.',
    text,
  );
  const stated = Number.parseInt(/\d+/.exec(latinDigits(answer ?? ''))?.[0] ?? '', 10);
  return stated >= 1 && stated <= 10 ? stated : importanceByWords(text);
};

/** Rates importance without a language model: by names, numbers, and words of deciding and remembering. */
export const importanceByWords = (text: string): number => {
  const names = text.match(/(?<=[\p{Ll},;] )\p{Lu}\p{Ll}+/gu)?.length ?? 0;
  const numbers = text.match(/\p{Nd}+/gu)?.length ?? 0;
  const binding = text.match(/\b(must|never|always|remember|decided?|allergic|deadline|budget|prefer|my name)\b/gi);
  return Math.min(10, 1 + Math.min(3, names) + Math.min(3, numbers) + 2 * Math.min(2, binding?.length ?? 0));
};
