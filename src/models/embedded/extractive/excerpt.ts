import { sentencesOf } from '../../../engine/text/sentences.ts';
import { contentWeights, isStopWord, overlap, wordCount } from '../../../engine/text/words.ts';

/** What a sentence is worth besides what its words say. */
export type Weigh = (sentence: string, at: number) => number;

/** Longer than any word that is read: a hash, a key, data. It is left out whole. Characters. */
const LONGEST_WORD = 60;
/** Content beyond this weight adds nothing: a long sentence is not a better one. */
const ENOUGH = 6;
/** Of a sentence that is cut, so much is left at least, in words: less says nothing. */
const LEAST = 4;
/** A further sentence is cut only where so much of it gets in. */
const LEAST_CUT = 7;
const GAP = '…';

/**
 * A text in its own words, at most `words` of them: whole where it fits, else the sentences that are worth most, in their
 * order, with … for what lies between. One that is too long itself ends with a clause. No word and no number is cut.
 */
export const excerptOf = (lines: readonly string[], words: number, weigh: Weigh): string => {
  const sentences = lines.flatMap(unitsOf).map(readable).filter(says);
  const all = joined(sentences);
  if (wordCount(all) <= words) return all;
  const whole = contentWeights(all);
  const worth = (sentence: string, at: number): number => {
    const content = [...contentWeights(sentence).values()].reduce((sum, weight) => sum + weight, 0);
    return (Math.min(content, ENOUGH) + 2 * overlap(whole, sentence) + 0.5) * weigh(sentence, at);
  };
  const ranked = sentences
    .map((sentence, at) => ({ at, sentence, worth: worth(sentence, at) }))
    .sort((a, b) => b.worth - a.worth || a.at - b.at);
  const [best] = ranked;
  if (best === undefined) return '';
  const kept = new Map([[best.at, shortened(best.sentence, words)]]);
  let room = words - wordCount(best.sentence);
  const least = (ranked[1]?.worth ?? 0) / 4;
  for (const { at, sentence, worth: own } of ranked.slice(1)) {
    if (own < least) break;
    const needs = wordCount(sentence);
    if (needs > room && room < LEAST_CUT) continue;
    kept.set(at, shortened(sentence, room));
    room -= Math.min(needs, room);
  }
  const order = [...kept.keys()].sort((a, b) => a - b);
  const parts = order.map((at, i) => {
    const gap = i > 0 && at > (order[i - 1] ?? 0) + 1 ? `${GAP} ` : '';
    return gap + (kept.get(at) ?? '');
  });
  return joined(parts).replace(/… …/g, GAP);
};

/** Sentences of a line; those of one quotation stay together. */
export const unitsOf = (line: string): string[] => {
  const units: string[] = [];
  for (const sentence of sentencesOf(line)) {
    const last = units.at(-1);
    if (last !== undefined && openMarks(last) !== '' && wordCount(last) < MOST_QUOTED) {
      units[units.length - 1] = joined([last, sentence]);
    } else units.push(sentence);
  }
  return units;
};

/** Words after which a quotation that is not closed is taken for none: a stray mark, or inches. */
const MOST_QUOTED = 120;

const joined = (sentences: readonly string[]): string =>
  sentences.reduce((text, sentence) => (text === '' || /[。！？]$/u.test(text) ? text : `${text} `) + sentence, '');

const says = (sentence: string): boolean => /[\p{L}\p{N}\p{Emoji_Presentation}…]/u.test(sentence);

/** Without what nobody reads word by word. */
const readable = (sentence: string): string =>
  sentence
    .split(' ')
    .map((word) => (word.length > LONGEST_WORD && !UNSPACED.test(word) ? GAP : word))
    .join(' ')
    .replace(/…(?: …)+/g, GAP);

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Where a sentence or a clause ends: never amid a number (“4,20”, “19:30”), which has no space there. */
const CLAUSE_END = /(?<=[.!?…])(?=\s)|[,;:](?=\s)|\s[–—-](?=\s)|(?<=[。！？])|[，；：、]/gu;

/**
 * At most `words` of a sentence: up to the last clause that fits, else up to a word that can stand last, and an ellipsis. A
 * quotation that is left is closed.
 */
const shortened = (sentence: string, words: number): string => {
  if (wordCount(sentence) <= words) return sentence;
  const clause = [...sentence.matchAll(CLAUSE_END)]
    .map(({ index }) => sentence.slice(0, index))
    .filter((part) => wordCount(part) <= words && wordCount(part) >= LEAST && !hasOpenBracket(part))
    .at(-1);
  if (clause !== undefined && wordCount(clause) >= words / 3) return endedEarly(clause);
  const kept: string[] = [];
  for (const { segment } of segmenter().segment(sentence)) {
    if (wordCount(kept.join('') + segment) > words) break;
    kept.push(segment);
  }
  // Not “the …”, nor “per 10 …”, which may be any number of anything.
  while (kept.length > 1 && !canStandLast(kept.at(-1) ?? '')) kept.pop();
  return endedEarly(kept.join(''));
};

const endedEarly = (part: string): string => `${part.trimEnd()} ${GAP}${openMarks(part)}`;

const canStandLast = (piece: string): boolean =>
  /\p{L}/u.test(piece) && !/\p{N}/u.test(piece) && !isStopWord(piece) && piece.length > 1;

const hasOpenBracket = (text: string): boolean => text.lastIndexOf('(') > text.lastIndexOf(')');

/** What closes the quotations that a text leaves open. */
const openMarks = (text: string): string => {
  let open = '';
  for (const mark of text.match(/(?<![\p{N}])"|[“”„«»「」]/gu) ?? []) {
    if (open !== '' && (open[0] === mark || (mark === '“' && open[0] === '”' && text.includes('„'))))
      open = open.slice(1);
    else if (CLOSES[mark] !== undefined) open = CLOSES[mark] + open;
  }
  return open;
};

const CLOSES: Readonly<Record<string, string>> = { '"': '"', '“': '”', '„': '“', '«': '»', '「': '」' };

let words: Intl.Segmenter | undefined;
/** Words as every script has them; white space and marks are pieces of their own. */
const segmenter = (): Intl.Segmenter => {
  words ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  return words;
};
