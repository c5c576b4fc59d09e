import { grammarOf } from './function-words.ts';
import { openingCharacters } from './opening-characters.ts';
import { withoutFrames } from './title-openers.ts';
import { isInQuotation, isOpen, joined, stripped, UNSPACED, type Word, wordsIn } from './title-words.ts';

/** Most words of a title; syllables where a language writes them apart. */
const MOST_WORDS = 5;
const MOST_SYLLABLES = 7;
/** Most characters of a title, so that no long word breaks what shows it. */
const MOST_CHARACTERS = 60;
/** How good a place to cut is, 0–1. */
const CUT = {
  end: 1,
  pause: 0.9,
  phrase: 0.7,
  adverb: 0.5,
  content: 0.35,
  particle: 0.28,
  begun: 0.25,
  object: 0.15,
  unit: -0.2,
} as const;
/** What a title of so many words is worth beside its cut. */
const LENGTHS = [0, -0.6, -0.2, 0.1, 0.25, 0.3, 0.3, 0.3];
/** What each step away from the words as they came costs. */
const DEEPER = 0.02;
/** What it costs to begin with "how do I" and not to come to the end of it. */
const HALF_A_QUESTION = 0.4;
const LEADING_ARTICLE = 0.25;
const INSIDE_QUOTATION = 0.3;
/** What it costs to go on into another clause. */
const ACROSS_CLAUSE = 0.18;
const ARTICLES_DROPPED = 0.12;
const ACROSS_PAUSE = 0.22;
const ACROSS_STOP = 0.3;
const TOO_EMPTY = 0.5;

const PARTICLES = new Set('up off out down away back apart over through around along about together again'.split(' '));
const ADVERBS = new Set(
  'today tonight tomorrow yesterday now again twice once every last next this each only just still always never already daily everywhere anymore please pls plz'.split(
    ' ',
  ),
);
const ARTICLES = new Set(['the', 'a', 'an']);
const OBJECTS = new Set(['me', 'him', 'them', 'it', 'you', 'u']);
/** They begin another clause, in the languages that we could read tries of. */
const CLAUSES = new Set(
  'but because bc so if when while where after before since until aber weil wenn obwohl dass maar omdat als mais parce quand pero porque cuando mas quando ma perché men fordi eftersom ale bo gdy jak но потому если когда але якщо'.split(
    ' ',
  ),
);

/** The opening words of a text, cut where a phrase ends; null where it has none to show. */
export const openingWords = (text: string, language: string): string | null =>
  UNSPACED.test(text) ? openingCharacters(text, language) : openingOfSpaced(text, language);

const openingOfSpaced = (text: string, language: string): string | null => {
  const best = bestOpening(text, language);
  if (best !== null) return best;
  // Nothing but words of grammar as far as a title goes: what they lead to.
  const rest = text.split(/\s+/);
  const from = rest.findIndex((word) => grammarFor(word, language) === 'content' && /[\p{L}\p{N}]/u.test(word));
  return bestOpening(rest.slice(Math.max(0, from)).join(' '), language) ?? bestOpening(text, '');
};

const bestOpening = (text: string, language: string): string | null => {
  const most = language === 'vi' ? MOST_SYLLABLES : MOST_WORDS;
  let best: { title: string; score: number } | null = null;
  const starts = withoutFrames(text, language);
  starts.forEach((start, depth) => {
    for (const dropped of language === 'en' ? [false, true] : [false]) {
      const said = dropped ? wordsIn(start).filter(isNoInnerArticle) : wordsIn(start);
      const cut = bestCut(said, most, language);
      if (cut === null) continue;
      // The whole of a short sentence needs no cutting, whatever begins it.
      const begins =
        cut.whole && depth === 0
          ? -0.1
          : depth === 0 && starts.length > 1 && said.length > 0 && isQuestioning(start)
            ? HALF_A_QUESTION
            : depth * DEEPER;
      const article = language === 'en' && /^(?:[Tt]he\s(?!\p{Lu})|[Aa]n?\s)/u.test(cut.title) ? LEADING_ARTICLE : 0;
      const score = cut.score - begins - article - (dropped ? ARTICLES_DROPPED : 0);
      if (best === null || score > best.score + 1e-9) best = { title: cut.title, score };
    }
  });
  return (best as { title: string } | null)?.title ?? null;
};

const isQuestioning = (text: string): boolean =>
  /^(?:how|wh|is|are|was|were|do|does|did|can|could|will|would|should|has|have|i|we|there)\w*\b/i.test(text);

const isNoInnerArticle = ({ text }: Word, at: number): boolean => at === 0 || !ARTICLES.has(text);

const bestCut = (
  said: readonly Word[],
  most: number,
  language: string,
): { title: string; score: number; whole: boolean } | null => {
  let best: { title: string; score: number; whole: boolean } | null = null;
  let across = 0;
  let contents = 0;
  for (const [at, word] of said.entries()) {
    const count = at + 1;
    if (count > most) break;
    const grammar = grammarFor(word.text, language);
    const next = said[at + 1];
    if (grammar === 'content') contents += /^\p{N}/u.test(word.text) ? 0.6 : 1;
    const isObject = language === 'en' && OBJECTS.has(word.text);
    // "Out of", "over 8 hours": there it is a preposition.
    const leadsOn =
      language === 'en' &&
      PARTICLES.has(stripped(word.text)) &&
      word.after === 'none' &&
      next !== undefined &&
      (/^(?:of|the|an?)$/.test(stripped(next.text)) || grammarFor(next.text, language) === 'content');
    // Of a language that was taken for another, too: "en", "de", "i".
    const isTiny =
      language !== 'en' &&
      /^[a-z]{1,2}$/.test(word.text) &&
      next !== undefined &&
      word.after === 'none' &&
      !/\p{N}$/u.test(said[at - 1]?.text ?? '');
    const isQuoted = /["”»']$/.test(word.text) && !isInQuotation(said.slice(0, count));
    const mayEnd =
      (grammar === 'content' && !leadsOn && !isTiny) || isObject || isQuoted || (next === undefined && contents >= 1);
    const title = mayEnd ? joined(said.slice(0, count)) : null;
    if (title !== null && !isOpen(said.slice(0, count))) {
      if (title.length <= MOST_CHARACTERS || best === null) {
        const score =
          placeOf(word, said[at - 1], next, language) +
          (LENGTHS[Math.min(count, LENGTHS.length - 1)] ?? 0) -
          across -
          (isInQuotation(said.slice(0, count)) ? INSIDE_QUOTATION : 0) -
          (contents < 1.5 && !(contents >= 1 && count >= 4) ? TOO_EMPTY * (contents < 1 ? 1.5 : 0.4) : 0) -
          (grammarFor(said[0]?.text ?? '', language) === 'opens' && next !== undefined && count < 4 ? 0.3 : 0);
        if (best === null || score > best.score) best = { title, score, whole: next === undefined };
      }
    }
    if (next !== undefined && contents >= 1 && CLAUSES.has(stripped(next.text))) across += ACROSS_CLAUSE;
    if (word.after === 'stop') across += ACROSS_STOP + (contents >= 2 ? 0.4 : 0);
    else if (word.after !== 'none') across += ACROSS_PAUSE + (contents >= 2 && count > 2 ? 0.2 : 0);
  }
  return best;
};

const grammarFor = (word: string, language: string) => {
  const bare = stripped(word);
  return language === 'en' && PARTICLES.has(bare) ? 'content' : grammarOf(bare, language);
};

const placeOf = ({ text, after }: Word, before: Word | undefined, next: Word | undefined, language: string): number => {
  if (next === undefined) return CUT.end;
  if (after !== 'none') return after === 'stop' ? CUT.end : CUT.pause;
  const follower = stripped(next.text);
  if (language === 'en') {
    if (OBJECTS.has(follower)) return CUT.object;
    if (PARTICLES.has(follower)) return CUT.particle;
    if (ADVERBS.has(follower)) return CUT.adverb;
  }
  if (/^[([]/.test(next.text)) return CUT.phrase;
  if (/^["“'‘«„]/.test(next.text)) return CUT.object;
  const grammar = grammarOf(follower, language);
  if (grammar === 'opens') return CUT.phrase;
  if (/^[\p{N}.,/]+$/u.test(text)) return CUT.unit;
  if (grammar === 'leans') return CUT.object;
  // "35 overdraft | fee", "the first | dog": a phrase that may have only begun.
  if (before !== undefined && /^\p{N}/u.test(before.text)) return CUT.object;
  return before !== undefined && grammarOf(stripped(before.text), language) === 'leans' ? CUT.begun : CUT.content;
};
