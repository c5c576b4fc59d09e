import { defaultParameters, type MemoryParameters } from '../../parameters.ts';
import type { Condensation, MemoryTools, MemoryTurn } from '../memory.ts';

/**
 * Models whose results can be worked out by hand: a text's vector counts how often each of the given letters occurs in it,
 * normalised; condensing concatenates the texts. Condensations are recorded.
 */
export const handTools = (letters: string, theta = 0.5, parameters: Partial<MemoryParameters> = {}) => {
  const condensed: Condensation[] = [];
  const tools: MemoryTools = {
    theta,
    parameters: { ...defaultParameters, ...parameters },
    embed: async (texts) => texts.map((text) => vectorOf(text, letters)),
    // One token per character.
    count: async (texts) => texts.map(({ length }) => length),
    condense: async (task) => {
      condensed.push(task);
      return task.texts.join('+');
    },
  };
  return { tools, condensed };
};

/** Has one more dimension than there are letters, for texts without any of them. */
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
