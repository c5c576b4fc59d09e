import { randomFrom } from '../../src/domain/numbers.ts';
import type { Embedder, Summariser, TokenCounter } from '../../src/engine/ports.ts';

const DIMENSIONS = 512;
/** Same as the embedded embedder's. */
const THETA = 0.45;

/** Returns a word's direction: always the same for the same word, and nearly orthogonal to every other word's. */
const directionOf = (word: string): Float32Array => {
  const seed = [...word].reduce((hash, letter) => Math.imul(hash, 31) + letter.charCodeAt(0), 7);
  const random = randomFrom(seed);
  return Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5);
};

/** Models that take next to no time: a text's vector is the sum of its words', a token is a word. */
export const madeUpModels = () => {
  const directions = new Map<string, Float32Array>();
  const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const spent = { ms: 0 };
  const embedOne = (text: string): Float32Array => {
    const sum = new Float32Array(DIMENSIONS);
    for (const word of wordsOf(text)) {
      const direction = directions.get(word) ?? directionOf(word);
      // Words specific to one turn are numerous and rarely recur.
      if (!word.startsWith('n')) directions.set(word, direction);
      for (let i = 0; i < DIMENSIONS; i++) sum[i] = (sum[i] as number) + (direction[i] as number);
    }
    const length = Math.hypot(...sum) || 1;
    return sum.map((value) => value / length);
  };
  const timed = <T>(work: () => T): T => {
    const begun = performance.now();
    const made = work();
    spent.ms += performance.now() - begun;
    return made;
  };
  const embed: Embedder = {
    name: 'made up',
    dimensions: DIMENSIONS,
    theta: THETA,
    embed: async (texts) => timed(() => texts.map(embedOne)),
  };
  const tokens: TokenCounter = {
    name: 'words',
    count: async (texts) => timed(() => texts.map((text) => wordsOf(text).length)),
  };
  const summarise: Summariser = {
    name: 'none',
    summarise: async ({ message }) => message,
    title: async ({ message }) => message.slice(0, 20),
  };
  return { embed, tokens, summarise, spent };
};
