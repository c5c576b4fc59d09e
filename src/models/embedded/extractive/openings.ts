import { ANY_UNSPACED, setOf } from '../../../engine/text/words.ts';
import {
  balanced,
  grammarOf,
  isInQuotation,
  isOpen,
  joinWords,
  stripped,
  type Word,
  withoutFrames,
  withoutUnspacedFrames,
  wordsIn,
} from './title-words.ts';

/** Maximum words of a title, or one more if that is the whole text; syllables in languages that write them apart. */
const MOST_WORDS = 5;
const MOST_SYLLABLES = 7;
/** Maximum characters of a title, so that long words do not break the layout. */
const MOST_CHARACTERS = 60;
/** How good a place to cut is: the higher, the better; below 0, not at all. */
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
/** Score of a title by number of words, added to that of its cut. */
const LENGTHS = [0, -0.6, -0.2, 0.1, 0.25, 0.3, 0.3, 0.3];
/** Penalty per step away from the original wording. */
const DEEPER = 0.02;
/** Penalty for beginning with "how do I" without reaching the end. */
const HALF_A_QUESTION = 0.4;
const LEADING_ARTICLE = 0.25;
const INSIDE_QUOTATION = 0.3;
/** Penalty for continuing into another clause. */
const ACROSS_CLAUSE = 0.18;
const ARTICLES_DROPPED = 0.12;
/** Penalty for dropping a quoted article. */
const MISQUOTED = 0.35;
/** Words searched for quoted articles: a title reaches no further, even with articles dropped between its words. */
const QUOTED_WITHIN = 2 * MOST_SYLLABLES;
const ACROSS_PAUSE = 0.22;
const ACROSS_STOP = 0.3;
const TOO_EMPTY = 0.5;

const PARTICLES = setOf('up off out down away back apart over through around along about together again');
const ADVERBS = new Set(
  'today tonight tomorrow yesterday now again twice once every last next this each only just still always never already daily everywhere anymore please pls plz'.split(
    ' ',
  ),
);
const ARTICLES = new Set(['the', 'a', 'an']);
/** Verbs that say nothing without what follows. */
const LIGHT_VERBS = setOf('get be become have make let put take give want need');
const NUMBERS = /^(?:\p{N}+|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty)$/u;
const OBJECTS = new Set(['me', 'him', 'them', 'it', 'you', 'u']);
/** Words that begin another clause, in the languages whose results we could read. */
const CLAUSES = new Set(
  'but because bc so if when while where after before since until aber weil wenn obwohl dass maar omdat als mais parce quand pero porque cuando mas quando ma perché men fordi eftersom ale bo gdy jak но потому если когда але якщо'.split(
    ' ',
  ),
);

/** Returns the opening words of a text, cut at the end of a phrase; null if there are none to show. */
export const openingWords = (text: string, language: string): string | null =>
  ANY_UNSPACED.test(text) ? openingCharacters(text, language) : openingOfSpaced(text, language);

const openingOfSpaced = (text: string, language: string): string | null => {
  const best = bestOpening(text, language);
  if (best !== null) return best;
  // Only function words within the length of a title: start at the first content word.
  const rest = text.split(/\s+/);
  const from = rest.findIndex((word) => grammarFor(word, language) === 'content' && /[\p{L}\p{N}]/u.test(word));
  return bestOpening(rest.slice(Math.max(0, from)).join(' '), language) ?? bestOpening(text, '');
};

const bestOpening = (text: string, language: string): string | null => {
  const most = language === 'vi' ? MOST_SYLLABLES : MOST_WORDS;
  let best: { title: string; score: number } | null = null;
  const starts = withoutFrames(text, language);
  starts.forEach((start, depth) => {
    for (const { said, cost } of variantsOf(wordsIn(start), language)) {
      const cut = bestCut(said, most, depth > 0 || cost === 0, language);
      if (cut === null) continue;
      // A short sentence needs no cutting, however it begins.
      const begins =
        cut.whole && depth === 0
          ? -0.1
          : depth === 0 && starts.length > 1 && said.length > 0 && isQuestioning(start)
            ? HALF_A_QUESTION
            : depth * DEEPER;
      const article = language === 'en' && /^(?:[Tt]he\s(?!\p{Lu})|[Aa]n?\s)/u.test(cut.title) ? LEADING_ARTICLE : 0;
      const score = cut.score - begins - article - cost;
      if (best === null || score > best.score + 1e-9) best = { title: cut.title, score };
    }
  });
  return (best as { title: string } | null)?.title ?? null;
};

const isQuestioning = (text: string): boolean =>
  /^(?:how|wh|is|are|was|were|do|does|did|can|could|will|would|should|has|have|i|we|there)\w*\b/i.test(text);

/** Returns the words as they are, without unquoted articles, and without any articles, each with its cost. */
const variantsOf = (words: readonly Word[], language: string): { said: readonly Word[]; cost: number }[] => {
  const asTheyCame = { said: words, cost: 0 };
  if (language !== 'en') return [asTheyCame];
  const bare = words.filter(isNoInnerArticle);
  const unquoted = words.filter(
    (word, at) => isNoInnerArticle(word, at, words) || (at < QUOTED_WITHIN && isInQuotation(words.slice(0, at))),
  );
  return [
    asTheyCame,
    { said: unquoted, cost: ARTICLES_DROPPED },
    ...(unquoted.length === bare.length ? [] : [{ said: bare, cost: ARTICLES_DROPPED + MISQUOTED }]),
  ];
};

/** "Three days a week": there it is not an article. */
const isNoInnerArticle = ({ text }: Word, at: number, words: readonly Word[]): boolean =>
  at === 0 || !ARTICLES.has(text) || /^(?:hour|day|night|week|month|year)$/.test(words[at + 1]?.text ?? '');

const bestCut = (
  said: readonly Word[],
  most: number,
  mayEndBeyond: boolean,
  language: string,
): { title: string; score: number; whole: boolean } | null => {
  let best: { title: string; score: number; whole: boolean } | null = null;
  let across = 0;
  let contents = 0;
  for (const [at, word] of said.entries()) {
    const count = at + 1;
    if (count > most && !(mayEndBeyond && isOneMore(said, most))) break;
    const grammar = grammarFor(word.text, language);
    const next = said[at + 1];
    if (grammar === 'content') contents += /^\p{N}/u.test(word.text) ? 0.6 : 1;
    const isObject = language === 'en' && OBJECTS.has(word.text);
    // "Out of", "over 8 hours": a preposition there.
    const leadsOn =
      language === 'en' &&
      PARTICLES.has(stripped(word.text)) &&
      word.after === 'none' &&
      next !== undefined &&
      (/^(?:of|the|an?)$/.test(stripped(next.text)) || grammarFor(next.text, language) === 'content');
    // Also for misdetected languages: "en", "de", "i".
    const isTiny =
      language !== 'en' &&
      /^[a-z]{1,2}$/.test(word.text) &&
      next !== undefined &&
      word.after === 'none' &&
      !/\p{N}$/u.test(said[at - 1]?.text ?? '');
    // "My daughter's", "Dr.": the noun or name comes next.
    const isHalfAName =
      language === 'en' &&
      word.after === 'none' &&
      next !== undefined &&
      /\p{L}['’]s$|^(?:dr|mrs?|ms|prof|st)\.?$/iu.test(word.text);
    // "My fan get | so loud", "a plan for three | days".
    const isBegun =
      language === 'en' &&
      word.after === 'none' &&
      next !== undefined &&
      ((count > 1 && LIGHT_VERBS.has(stripped(word.text))) ||
        (NUMBERS.test(word.text) && grammarFor(next.text, language) === 'content'));
    const isQuoted = /["”»']$/.test(word.text) && !isInQuotation(said.slice(0, count));
    const mayEnd =
      (grammar === 'content' && !leadsOn && !isTiny && !isHalfAName && !isBegun) ||
      isObject ||
      isQuoted ||
      (next === undefined && contents >= 1);
    const title = mayEnd ? joinWords(said.slice(0, count)) : null;
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

/** Whether the text ends one word beyond the usual maximum; an object, as in "… to me", does not count. */
const isOneMore = (said: readonly Word[], most: number): boolean =>
  said.length === most + 1 && !OBJECTS.has(stripped(said[most]?.text ?? ''));

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
  // "35 overdraft | fee", "the first | dog": a phrase that may go on.
  if (before !== undefined && /^\p{N}/u.test(before.text)) return CUT.object;
  return before !== undefined && grammarOf(stripped(before.text), language) === 'leans' ? CUT.begun : CUT.content;
};

/** Maximum for scripts without spaces, in full-width characters; a slightly longer clause is not cut. */
const MOST_WIDE = 12;
const MOST_WIDE_CLAUSE = 14;

/** Width in full-width characters; characters as narrow as a letter count half. */
const width = (text: string): number => {
  let sum = 0;
  for (const character of text.normalize('NFC')) {
    if (/\p{M}/u.test(character)) continue;
    sum +=
      ANY_UNSPACED.test(character) && !/\p{Script=Thai}/u.test(character)
        ? 1
        : /\p{Script=Thai}/u.test(character)
          ? 0.75
          : 0.5;
  }
  return sum;
};

const LAST_NEVER: Readonly<Record<string, RegExp>> = {
  zh: /^(?:的|了|着|过|地|得|和|与|跟|是|在|有|把|被|给|对|向|从|到|就|都|也|还|又|不|没|没有|会|要|能|可以|可|以前|一|个|这|那|我|你|他|她|它|们|我们|吗|呢|啊|吧|所以|因为|如果|但是|而|或|或者|及|为|为了|于|怎么|什么|几|多少|請|请|該|该|嗎|個|這|沒|給|為|會|老是|时不时|用|让|想|上|里|太|很|最|更|只|才|按|由|哪个|多|再)$/u,
  ja: /^(?:は|が|を|に|で|と|も|へ|や|の|か|から|まで|より|って|て|し|ので|のに|けど|な|だ|です|ます|が、|この|その|あの|という|ば|たら|たい|ん|お|ご|れ|せ|い|こと|ため|よう|する|し|さ|た|ず)$/u,
  th: /^(?:ที่|และ|หรือ|ของ|ใน|กับ|ให้|ได้|จะ|ไป|มา|แต่|ก็|เป็น|คือ|ว่า|จาก|ถึง|เมื่อ|ไม่|ปี|ละ)$/u,
};

/** Returns the first clause of a text in a script without spaces, cut after a whole word if it is too long. */
const openingCharacters = (text: string, language: string): string | null => {
  const bare = withoutUnspacedFrames(text.trim());
  const clauses = bare
    .split(
      /[。！？!?；;\n…]+|[，,、：:]+\s*|(?<=[^\p{Script=Latin}\p{N}\s])[\s　]+(?=[^\p{Script=Latin}\p{N}\s])|\.(?=\s|$)/u,
    )
    .map((clause) => clause.trim())
    .filter((clause) => /[\p{L}\p{N}]/u.test(clause));
  let clause = clauses[0];
  if (clause === undefined) return null;
  const second = clauses[1];
  if (width(clause) <= 3 && second !== undefined) {
    const gap = language === 'th' ? ' ' : language === 'ja' ? '、' : '，';
    const both = `${clause}${gap}${second}`;
    clause =
      width(both) <= MOST_WIDE_CLAUSE
        ? both
        : `${clause}${gap}${cutAtWord(second, language, MOST_WIDE - width(clause) - 1)}`;
  }
  return balanced(width(clause) <= MOST_WIDE_CLAUSE ? clause : cutAtWord(clause, language, MOST_WIDE));
};

const cutAtWord = (clause: string, language: string, most: number): string => {
  const parts = [...new Intl.Segmenter(language, { granularity: 'word' }).segment(clause)].map(
    ({ segment }) => segment,
  );
  let taken = 0;
  let at = 0;
  for (const part of parts) {
    taken += width(part);
    if (taken > most && at > 0) break;
    at += 1;
    if (taken > most) break;
  }
  // Japanese marks the end of a phrase with a particle: the last one is a better place than any word.
  if (language === 'ja' && at < parts.length) {
    const particle = parts
      .slice(0, at + 1)
      .findLastIndex((part) => /^(?:は|が|を|に|で|と|も|って|から|まで|へ|の)$/u.test(part));
    if (particle >= 2 && width(parts.slice(0, particle).join('')) >= 4) at = particle;
  }
  // Not inside a quotation or a title, if enough comes before it.
  const opens = parts.slice(0, at).findLastIndex((part) => /[「『《“‘（(]/u.test(part));
  const closes = parts.slice(0, at).findLastIndex((part) => /[」』》”’）)]/u.test(part));
  if (opens > closes && width(parts.slice(0, opens).join('')) >= 4) at = opens;
  const never = LAST_NEVER[language];
  while (at > 1 && (never?.test(parts[at - 1] ?? '') || !/[\p{L}\p{N}」』》”’"')）]/u.test(parts[at - 1] ?? '')))
    at -= 1;
  const cut = parts.slice(0, at).join('').trim();
  return width(cut) <= most * 2 ? cut : [...cut].slice(0, most).join('');
};
