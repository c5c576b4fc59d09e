import { sentencesOf } from '../../../text/sentences.ts';
import { CONTENT_WEIGHT, readWord, wordCount, wordsOf } from '../../../text/words.ts';
import { type Excerpt, leftOutMark } from './excerpt.ts';

/** A reply in fewer words than this is sent whole or not at all: its digest would be as long. */
const WORTH_CUTTING = 24;
/** What the opening sentence counts for beside the others: it says what the answer is. */
const OPENING = 1.5;
/** Sentences are worth their words' worth to this power of their length: 1 would take only the shortest. */
const LENGTH = 0.8;

interface Unit {
  readonly text: string;
  /** It begins a line: a list item, a heading, a paragraph. */
  readonly opensLine: boolean;
  readonly words: number;
  readonly stems: ReadonlyMap<string, number>;
}

/**
 * The sentences and list items of a text that name most of what it names, until `share` of its words is reached; null where nothing
 * would be saved. What is left out is marked where it stood and counted at the end. Code is left out whole.
 */
export const digestOf = (text: string, share: number): Excerpt | null => {
  const key = `${share} ${text}`;
  const known = made.get(key);
  if (known !== undefined) return known;
  if (made.size >= MOST_KEPT) made.clear();
  const digest = digested(text, share);
  made.set(key, digest);
  return digest;
};

/** The same replies are digested again whenever a context is composed. */
const made = new Map<string, Excerpt | null>();
const MOST_KEPT = 2000;

const digested = (text: string, share: number): Excerpt | null => {
  const all = wordCount(text);
  if (all < WORTH_CUTTING) return null;
  const units = unitsOf(text);
  const kept = new Set<Unit>();
  const said = new Set<string>();
  let words = 0;
  const most = Math.max(1, all * share);
  const often = new Map<string, number>();
  for (const { stems } of units) for (const stem of stems.keys()) often.set(stem, (often.get(stem) ?? 0) + 1);
  while (words < most) {
    let best: Unit | null = null;
    let bestScore = 0;
    for (const unit of units) {
      if (kept.has(unit) || (kept.size > 0 && words + unit.words > most * 1.3)) continue;
      let worth = 0;
      for (const [stem, weight] of unit.stems) {
        if (!said.has(stem)) worth += weight * (1 + Math.log(often.get(stem) ?? 1));
      }
      const score = ((unit === units[0] ? OPENING : 1) * worth) / unit.words ** LENGTH;
      if (score > bestScore) [best, bestScore] = [unit, score];
    }
    if (best === null) break;
    kept.add(best);
    words += best.words;
    for (const stem of best.stems.keys()) said.add(stem);
  }
  const wordsLeftOut = all - words;
  if (kept.size === 0 || wordsLeftOut < WORTH_CUTTING / 2) return null;
  return { text: `${joined(units, kept)} ${leftOutMark(wordsLeftOut)}`, wordsLeftOut };
};

const FENCE = /^\s*(?:```|~~~)/;

const unitsOf = (text: string): Unit[] => {
  const units: Unit[] = [];
  let code = false;
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) {
      code = !code;
      continue;
    }
    if (code) continue;
    for (const [at, sentence] of sentencesOf(line).entries()) {
      const stems = new Map<string, number>();
      for (const word of wordsOf(sentence)) {
        const { root, weight } = readWord(word);
        if (weight >= CONTENT_WEIGHT) stems.set(root, weight);
      }
      units.push({ text: sentence, opensLine: at === 0, words: Math.max(1, wordCount(sentence)), stems });
    }
  }
  return units;
};

const joined = (units: readonly Unit[], kept: ReadonlySet<Unit>): string => {
  let text = '';
  let gap = false;
  for (const unit of units) {
    if (!kept.has(unit)) {
      gap = true;
      continue;
    }
    const between = text === '' ? '' : gap ? ' … ' : unit.opensLine ? '\n' : ' ';
    text += between + unit.text;
    gap = false;
  }
  return text;
};
