import { cosine } from '../vectors/cosine.ts';
import { meanVector } from './nearness.ts';

/** A sentence as it stands: up to its closing mark, or a line. */
const SENTENCE = /[^.!?\n]+(?:[.!?]+(?=\s|$)|\n|$)|[.!?]+/g;
/** Nearer to a sentence that is kept already, and it only says the same. */
const SAME = 0.92;

/**
 * Several texts as one, where no language model writes: the sentences nearest to the mean of all (the centroid of
 * extractive summarising, Radev et al. 2004), none twice, in the order in which they stand.
 */
export const condenseByCentroid = async (
  texts: readonly string[],
  most: number,
  embed: (texts: readonly string[]) => Promise<readonly Float32Array[]>,
): Promise<string> => {
  const sentences = texts.flatMap(sentencesOf);
  if (sentences.length <= most) return sentences.join(' ');
  const vectors = await embed(sentences);
  const centre = meanVector(vectors);
  const ranked = sentences
    .map((_, at) => ({ at, score: cosine(centre, vectors[at] as Float32Array) }))
    .sort((a, b) => b.score - a.score || a.at - b.at);
  const kept: number[] = [];
  for (const { at } of ranked) {
    if (kept.length === most) break;
    const vector = vectors[at] as Float32Array;
    if (kept.every((other) => cosine(vector, vectors[other] as Float32Array) < SAME)) kept.push(at);
  }
  return kept
    .sort((a, b) => a - b)
    .map((at) => sentences[at])
    .join(' ');
};

/** Without who said them. */
export const sentencesOf = (text: string): string[] =>
  (text.match(SENTENCE) ?? [])
    .map((sentence) => sentence.replace(/^\s*(?:User|Assistant):\s*/, '').trim())
    .filter((sentence) => /\p{L}|\p{N}/u.test(sentence));
