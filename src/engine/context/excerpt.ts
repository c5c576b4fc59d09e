import { wordCount } from '../text/words.ts';

/** Part of a text, and how many words of it are missing. */
export interface Excerpt {
  readonly text: string;
  readonly wordsLeftOut: number;
}

/** What stands where words of a text were left out. */
export const leftOutMark = (words: number): string => `[… ${words} ${words === 1 ? 'word' : 'words'} left out …]`;

export interface Scored {
  readonly from: number;
  readonly to: number;
  readonly score: number;
}

/**
 * The passages of a long text that matter most, in order, each gap marked and counted: as many, best first, as make up `share` of
 * it; null where nothing would be saved. The first passage of a text says what it is and counts as no worse than the middling.
 */
export const excerptOf = (text: string, passages: readonly Scored[], share: number): Excerpt | null => {
  if (passages.length < 2) return null;
  const middling = passages.map(({ score }) => score).toSorted((a, b) => a - b)[passages.length >> 1] as number;
  const ranked = passages
    .map((one, at) => ({ one, score: at === 0 ? Math.max(one.score, middling) : one.score }))
    .sort((a, b) => b.score - a.score || a.one.from - b.one.from);
  const kept = new Set<Scored>();
  let length = 0;
  for (const { one } of ranked) {
    const size = one.to - one.from;
    if (kept.size > 0 && length + size > share * text.length) continue;
    kept.add(one);
    length += size;
  }
  if (kept.size === passages.length) return null;
  const pieces: string[] = [];
  let wordsLeftOut = 0;
  let gap = '';
  const mark = (): void => {
    const words = wordCount(gap);
    if (words > 0) pieces.push(leftOutMark(words));
    wordsLeftOut += words;
    gap = '';
  };
  for (const one of passages) {
    const own = text.slice(one.from, one.to);
    if (!kept.has(one)) {
      gap += own;
      continue;
    }
    mark();
    pieces.push(own.trim());
  }
  mark();
  return { text: pieces.join('\n'), wordsLeftOut };
};
