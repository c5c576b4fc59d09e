import { defaultParameters, type MemoryParameters } from '../../parameters.ts';
import type { Condensation, MemoryTools, MemoryTurn } from '../memory.ts';

/**
 * Models worked by hand: a text's vector has, for each of the letters given, how often it stands in the text, normalised;
 * texts are condensed to one after the other. What was condensed is noted.
 */
export const handTools = (letters: string, theta = 0.5, parameters: Partial<MemoryParameters> = {}) => {
  const condensed: Condensation[] = [];
  const tools: MemoryTools = {
    theta,
    parameters: { ...defaultParameters, ...parameters },
    embed: async (texts) => texts.map((text) => vectorOf(text, letters)),
    // A token a character.
    count: async (texts) => texts.map(({ length }) => length),
    condense: async (task) => {
      condensed.push(task);
      return task.texts.join('+');
    },
  };
  return { tools, condensed };
};

/** One more dimension than letters: for what has none of them. */
export const vectorOf = (text: string, letters: string): Float32Array => {
  const counts = [...letters].map((letter) => text.split(letter).length - 1);
  const vector = Float32Array.from([...counts, counts.every((n) => n === 0) ? 1 : 0]);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
};

/** A turn without a reply: its text is “User: ” and the message. */
export const saidAt = (number: number, message: string, at = 0): MemoryTurn => ({
  nodeId: `t${number}`,
  number,
  at,
  message,
  reply: '',
});
