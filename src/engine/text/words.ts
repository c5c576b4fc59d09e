import { latinDigits } from '../../domain/numbers.ts';
import { remembered } from '../tasks.ts';

/** One mark joins two parts, so `slow...what` are two words; a slash joins digits only: `24/7`, but not `pasta/pizza`. */
const WORD =
  /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:(?:['’._+#-]|(?<=\p{N})\/(?=\p{N}))[\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*[+#]*/gu;

/** Returns the words of a text as written, without surrounding punctuation. */
export const wordsOf = (text: string): string[] => withoutAddresses(text).match(WORD) ?? [];

/** A web address: its host, and its path. */
const ADDRESS = /\b(?:https?:\/\/(?:www\.)?|www\.)((?:[\w-]+\.)+\w+)(?::\d+)?(\/[^\s?#]*)?(?:[?#][!-~]*)?/gi;

/** Leaves what a web address says about a subject, the site's name and the path; the rest is the same in all of them. */
export const withoutAddresses = (text: string): string =>
  /:\/\/|www\./i.test(text)
    ? text.replace(ADDRESS, (_, host: string, path = '') => {
        const site = host.replace(/(?:\.com?|\.org|\.ac|\.gov)?\.\w+$/, '');
        return `${site} ${path.replace(/\//g, ' ')}`;
      })
    : text;

/** Replaces line breaks and runs of spaces with single spaces. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** A character of the widespread scripts that put no spaces between words. */
export const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const EACH_UNSPACED = new RegExp(UNSPACED, 'gu');
/** A character of any script that puts no spaces between words. */
export const ANY_UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Counts words as a person would. Characters of scripts without spaces count half a word each. */
export const wordCount = (text: string): number => (text.length < LONG ? countedWords(text) : countedOnce(text));

const LONG = 200;

/** The same for a text that is still growing, which nobody asks for again. */
export const countedWords = (text: string): number => {
  const unspaced = text.match(EACH_UNSPACED)?.length ?? 0;
  return text.split(/\s+/).filter((word) => word !== '').length + Math.floor(unspaced / 2);
};

/** For long texts: every message asks for the words of the same turns. */
const countedOnce = remembered(1000, countedWords);

export const isStopWord = (word: string): boolean => STOP_WORDS.has(word.toLowerCase().replace(/’/g, "'"));

/** Says an amount, not a subject; a year or a model's number does. */
export const SMALL_NUMBER = /^\p{Nd}{1,3}$/u;

/** How much a word says about the subject of a text: 0 for stop words, about 1 for a plain noun, 2 for a name or number. */
const wordWeight = (word: string): number => {
  if (isStopWord(word)) return 0;
  if (WEAK_WORDS.has(word.toLowerCase())) return 0.3;
  if (SMALL_NUMBER.test(word)) return 0.3;
  if (/\p{N}/u.test(word)) return 1.5;
  if (/\p{Ll}\p{Lu}|^\p{Lu}{2,}/u.test(word)) return 2;
  return word.length < 4 ? 0.7 : Math.min(1.5, 0.8 + word.length / 16);
};

/** Least weight of a word that counts as content; filler such as "nice" or "thing" weighs 0.3. */
export const CONTENT_WEIGHT = 0.5;

/** A single syllable that ends in one consonant, as `hop` and `plan`, whose `e` matters: `hope`, `plane`. */
const SHORT_SYLLABLE = /^[^aeiou]+[aeiouy][^aeiouywx]$/;

/**
 * Returns the form in which words are compared: lower case, without the most common English endings. After Porter
 * (1980), but only forms of one word become the same (not `general` and `generous`).
 */
export const stem = (word: string): string => {
  const singular = word
    .toLowerCase()
    .replace(/['’]s$/, '')
    .replace(/(?<=\w{2})i(?:es|ed)$/, 'y')
    .replace(/^([dlpt]i)ed$/, '$1e')
    .replace(/^([dlt])ying$/, '$1ie')
    .replace(/(?<=ss|^bus|\w{2}us)es$/, '')
    .replace(/^gases$/, 'gas')
    .replace(/(?<!^(?:new|len|gp|cs|sm|dn))(?<=[\p{L}\p{N}]{2}[^su]|^[^aeiou]{2}|^(?:men|gur|[cg]p|sk)u)s$/u, '')
    .replace(/(?<!^(?:jul|mar))(?<=\w{3})ie$/, 'y');
  // The end is looked for first: otherwise it takes quadratic time in a word of thousands of letters.
  const cut = singular.replace(/(?=(?:ing|ed)$)(?<=[aeiouy]\w*)(?<=\w{3})(?:ing|(?<!e)ed)$/, '');
  if (cut !== singular && (SHORT_SYLLABLE.test(cut) || /^(?:gl|que|cl|val|arg)u$/.test(cut))) return `${cut}e`;
  const bare = cut
    .replace(/(?<=\w{4})(?<!i)ly$/, '')
    .replace(/(?<=\w{2})([^aeiouls])\1$/, '$1')
    .replace(/(?<=[aeiouy][^aeiouy]+[aeiouy])ll$/, 'l');
  const root = bare.replace(/(?<=\w{3})e$/, '');
  return /[aeiouy][^aeiouy]/.test(root) && !SHORT_SYLLABLE.test(root) ? root : bare;
};

/** Weight of each content word of a text, by stem. */
export const contentWeights = (text: string): Map<string, number> => {
  const weights = new Map<string, number>();
  for (const word of wordsOf(text)) {
    const { root, weight } = readWord(word);
    if (weight > 0) weights.set(root, Math.max(weight, weights.get(root) ?? 0));
  }
  return weights;
};

/** Returns a word's stem and weight. Cached, since texts repeat words and stemming one takes ten times as long as looking it up. */
export const readWord = remembered(50_000, (word): { readonly root: string; readonly weight: number } => ({
  root: stem(latinDigits(word)),
  weight: wordWeight(word),
}));

/** Adds the stems of the words that carry the subject of a text to `words`, and returns it. */
export const contentWords = (text: string, words = new Set<string>()): Set<string> => {
  for (const word of wordsOf(text)) {
    const { root, weight } = readWord(word);
    if (weight >= CONTENT_WEIGHT) words.add(root);
  }
  return words;
};

/** Returns the words of a text that have these stems, as it writes them: a stem may be no word. */
export const asWritten = (stems: readonly string[], text: string): string[] => {
  const written = new Map(wordsOf(text).map((word) => [readWord(word).root, word]));
  return stems.map((root) => written.get(root) ?? root);
};

/** Returns the stems of the words of a text, each once. */
export const stemsOf = (text: string): readonly string[] => [
  ...new Set(wordsOf(text).map((word) => readWord(word).root)),
];

/** Returns the share of the weight of `wanted` that `text` contains, 0–1. */
export const overlap = (wanted: ReadonlyMap<string, number>, text: string): number => shareIn(wanted, stemsOf(text));

/** The same of a text whose stems are known. */
export const shareIn = (wanted: ReadonlyMap<string, number>, stems: readonly string[]): number => {
  if (!stems.some((one) => wanted.has(one))) return 0;
  const has = new Set(stems);
  let all = 0;
  let shared = 0;
  for (const [word, weight] of wanted) {
    all += weight;
    if (has.has(word)) shared += weight;
  }
  return all === 0 ? 0 : shared / all;
};

/** The words of a list separated by white space. */
export const setOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** English stop words: they carry no topic. */
export const STOP_WORDS = setOf(`
  a an the this that these those some any each every either neither no not none all both few many much more most
  other another such own same so too very just only also even still yet again ever never always often sometimes
  i me my mine myself we us our ours ourselves you your yours yourself he him his himself she her hers herself
  it its itself they them their theirs themselves one ones someone something anyone anything everyone everything
  who whom whose which what when where why how whether if then else than as throughout because since while although though
  unless until and or but nor for of in on at by to from with without within about above below over under between
  among against into onto through during before after up down out off across along around toward towards upon per via
  is am are was were be been being do does did done doing have has had having will would shall should can could
  may might must ought need dare
  i'm i've i'd i'll you're you've you'd you'll he's she's it's we're we've we'd we'll they're they've they'd they'll
  that's there's here's what's who's where's how's let's don't doesn't didn't isn't aren't wasn't weren't hasn't
  haven't hadn't won't wouldn't can't couldn't shouldn't mustn't ain't cannot gonna wanna gotta
  there here now s t d ll m re ve yes no ok okay well oh please thanks thank hello hi hey
  that'll that'd it'd it'll who'd who'll could've should've would've might've when's why's y'all
  dont doesnt didnt isnt arent wasnt werent hasnt havent hadnt wont wouldnt cant couldnt shouldnt mustnt
  im ive youre youve youll youd theyre theyve theyll theyd weve hes shes thats theres whats whos wheres hows lets
  yeah yep yup nah nope lol haha hmm hm um uh idk pls plz thx ty u ur btw tbh imo omg
`);

/** Words that say little about the subject of a turn: of talk itself, of wishing, of degree. */
export const WEAK_WORDS = setOf(`
  want wants wanted like liked would-like know think thought tell say said ask asked asking give get got make made
  go going take let use used using see look help try trying mean means start keep put come find found
  thing things way ways lot lots bit kind sort type types part time times point question questions answer idea ideas
  good better best great nice new really actually maybe perhaps probably basically quite pretty sure right
  first second next last later back different several certain possible important main little big able
  currently recently lately today moment already instead anyway
  explain describe provide write list show create generate suggest recommend discuss compare summarize mention
  example examples information details detail following based include including add added
  summary summaries advice overview rundown recommendation recommendations suggestion suggestions version versions
  draft format keyword keywords style response steps characteristics elements aspects key concise brief comprehensive
  detailed cool interesting attractive similar suitable specific particular relevant previous overall appropriate effective
  applicable ensuring incorporating exploring regarding features feature functionality
  difference differences faster easier cheaper bigger smaller less earlier later longer interested
  topic topics conversation user assistant reply message role word words sentence sentences
`);

/** What people type without its apostrophe. “Lets” is left before what can only follow the verb: “it lets you”. */
const UNMARKED: readonly (readonly [RegExp, string])[] = [
  [/\b((?:do|does|did|is|are|was|were|wo|ca|could|would|should|have|has|had|must|ai)n)t\b/g, "$1't"],
  [/\b(what|that|how|where|who|when|why|there|here)s\b/g, "$1's"],
  [/\blets\b(?! (?:you|me|us|him|her|it|them|people|users|anyone|everyone|the|an?|my|your|his|their)\b)/g, "let's"],
  [/\bim\b/g, "i'm"],
  [/\b(i|you|we|they)ve\b/g, "$1've"],
  [/\b(you|they)(re|ll|d)\b/g, "$1'$2"],
  [/\bid(?= (?:like|love|rather|prefer|say)\b)/g, "i'd"],
  [/\bill(?= (?:take|go with|use|try|pick)\b)/g, "i'll"],
];

/**
 * A message as cues are looked for in it: in lower case, on one line, with plain apostrophes, also where people leave
 * them out.
 */
export const plain = (message: string): string =>
  UNMARKED.reduce(
    (text, [written, meant]) => text.replace(written, meant),
    message.trim().toLowerCase().replace(/[‘’´]/g, "'").replace(/\s+/g, ' '),
  );
