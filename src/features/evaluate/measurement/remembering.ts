import type { Embed } from './contexts.ts';

/**
 * Embeds a text once, however often it is asked for: policies make the same of a dialogue whichever way its turns are placed. `before`:
 * what was embedded already.
 */
export const remembering = (embed: Embed, before: Iterable<readonly [string, Float32Array]> = []): Embed => {
  const known = new Map(before);
  return async (texts) => {
    const asked = [...new Set(texts)].filter((text) => !known.has(text));
    const made = asked.length === 0 ? [] : await embed(asked);
    for (const [i, text] of asked.entries()) known.set(text, made[i] as Float32Array);
    return texts.map((text) => known.get(text) as Float32Array);
  };
};
