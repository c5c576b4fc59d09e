import { contentWeights, overlap, wordCount } from '../../../engine/text/words.ts';
import type { PlainText } from '../text/plain-text.ts';
import { sentencesOf } from '../text/sentences.ts';
import { formalised } from './formalised.ts';
import { gestureOf, withoutOpeners } from './openers.ts';
import { type ClauseKind, hasCondition, kindOf } from './predicate.ts';
import { hasVerb } from './verbs.ts';

export interface Clause {
  readonly text: string;
  readonly kind: ClauseKind;
  /** How much it carries of the turn; comparable within one message. */
  readonly score: number;
}

/** Where a sentence holds two: "I'm in Oslo, can you find a hotel?" */
const SEAM =
  /(?:\sand\s+(?=(?:how (?:do|can|should)|what (?:is|are)|where (?:is|are)|when (?:should|is)|how much|which (?:is|are|one))\b)|(?:[,;:]|\s[–—-]|\.)\s+(?:(?:and|but|so)\s+)?(?=(?:(?:can|could|would|will) you|please|what(?:['’]s)?|how (?:do|can|should|would|to|about|much|many|long)|why|which (?:one|of|is)|should (?:i|we)|do you|is (?:it|there|that)|are there|let['’]s|i (?:want|need|would|now)|i['’]d)\b))/i;
/** What asks or decides carries a turn more than what tells. */
const KIND: Readonly<Record<ClauseKind, number>> = {
  request: 1.35,
  question: 1.3,
  wish: 1.3,
  statement: 1,
  gesture: 0.05,
};
/** Wishes about the form of the answer carry little beside what it is to be about. */
const FORM =
  /\b(?:your (?:response|answer|reply)|the (?:response|answer)|keywords?|template|tone|format|(?:\d+|two|three|four|five) (?:words?|sentences?|paragraphs?|characters)|bullet points?|markdown|json format|limit yourself|step by step)\b|^(?:please |kindly )?(?:ensure|make sure|limit|stick to)\b/i;
/** Content beyond this weight adds nothing: a long clause is not a better one. */
const ENOUGH = 7;

/** Clauses of a message that carry it, in their order; role prefixes, greetings and filler are gone. */
export const clausesOf = ({ lines }: PlainText): Clause[] => {
  const whole = lines.map(({ text }) => text).join(' ');
  const weights = contentWeights(whole);
  const sentences = lines.flatMap(({ text, kind }) => sentencesOf(text).map((sentence) => ({ sentence, kind })));
  return sentences.flatMap(({ sentence, kind: lineKind }, at) =>
    bare(sentence).flatMap((text) => {
      if (!/[\p{L}\p{N}]/u.test(text)) return [];
      const kind = kindOf(text);
      const content = [...contentWeights(text).values()].reduce((sum, weight) => sum + weight, 0);
      // Pasted material follows the request that is about it.
      const place = lineKind === 'prose' ? Math.max(0.6, 1 - Math.floor(at / 6) * 0.15) : 0.5;
      const size = wordCount(text) > 45 ? 0.8 : 1;
      const fragment = kind === 'statement' && wordCount(text) < 4 && !hasVerb(text) ? 0.4 : 1;
      const form = FORM.test(text) ? 0.55 : 1;
      const score =
        (Math.min(content, ENOUGH) + 2 * overlap(weights, text) + 0.3) * KIND[kind] * place * size * form * fragment;
      return [{ text, kind, score }];
    }),
  );
};

/** A sentence's clauses without openers; a sentence that is but a gesture stays whole. */
const bare = (sentence: string): string[] => {
  const formal = formalised(sentence);
  return gestureOf(formal) === null ? splitAtSeam(withoutOpeners(formal)) : [formal];
};

const splitAtSeam = (sentence: string): string[] => {
  const seam = SEAM.exec(sentence);
  if (seam === null || hasCondition(sentence)) return [sentence];
  const before = sentence.slice(0, seam.index);
  if (wordCount(before) < 3) return [sentence.slice(seam.index + seam[0].length)];
  return [before, sentence.slice(seam.index + seam[0].length)];
};

/** The best clause, and a second beside it where it adds something and both fit into `words`; in their order. */
export const keyClauses = (clauses: readonly Clause[], words: number): Clause[] => {
  const byScore = [...clauses].sort((a, b) => b.score - a.score);
  const [first] = byScore;
  if (first === undefined) return [];
  const room = words - wordCount(first.text);
  const second = byScore
    .slice(1)
    .find(
      ({ text, kind, score }) =>
        kind !== 'gesture' &&
        score > first.score * 0.35 &&
        wordCount(text) <= room &&
        overlap(contentWeights(text), first.text) < 0.6,
    );
  return second === undefined ? [first] : clauses.filter((clause) => clause === first || clause === second);
};
