import { wordsOf } from '../../engine/text/words.ts';

/*
 * Who is mentioned: "he" and "she" carry no topic, but a topic that mentions nobody cannot say who they are.
 */

/** Mentions in a text, as bits: the pronouns, and words for a man, a woman, or somebody who may be either. */
export type PersonMentions = number;
const HE = 1;
const SHE = 2;
const MAN = 4;
const WOMAN = 8;
const SOMEONE = 16;
const WHO = 32;

const WORDS: readonly (readonly [PersonMentions, string])[] = [
  [HE, "he him his himself he's he'd he'll"],
  [SHE, "she her hers herself she's she'd she'll"],
  [
    MAN,
    `dad daddy papa father stepdad stepfather grandpa grandfather granddad grandad husband hubby boyfriend fiance son stepson grandson
    brother bro uncle nephew man men guy guys dude boy boys lad gentleman landlord widower king prince sir mr groom actor waiter`,
  ],
  [
    WOMAN,
    `mom mommy mum mummy mother stepmom stepmum stepmother grandma grandmother granny gran nana mam mama wife girlfriend fiancee daughter stepdaughter
    granddaughter sister sis aunt auntie niece woman women girl girls lady landlady widow queen princess mrs miss bride actress waitress`,
  ],
  [WHO, 'who whose whom'],
  [
    SOMEONE,
    `boss manager supervisor colleague coworker employee client customer friend mate buddy neighbour neighbor partner spouse ex date crush
    roommate flatmate housemate tenant cousin relative parent grandparent sibling twin in-law kid child baby newborn toddler teen teenager student
    pupil teacher professor tutor coach trainer doctor dr gp nurse dentist therapist vet physio midwife lawyer accountant plumber electrician
    builder mechanic hairdresser guest host patient person somebody someone player author writer singer composer
    director editor conductor driver chef president minister candidate bully baker butcher guide
    dog puppy pup cat kitten kitty pet rabbit hamster horse pony parrot bird canary budgie hen`,
  ],
];
const PERSONS: ReadonlyMap<string, PersonMentions> = new Map(
  WORDS.flatMap(([bit, words]) => words.split(/\s+/).map((word): [string, PersonMentions] => [word, bit])),
);

/** Persons only if they are somebody’s: “my gf”, “his bf”, “her nan”, but not “gf bread” or “the value is nan”. */
const POSSESSED: ReadonlyMap<string, PersonMentions> = new Map([
  ['bf', MAN],
  ['gf', WOMAN],
  ['nan', WOMAN],
]);
const POSSESSIVE = /^(?:my|your|his|her|our|their|new|ex)$/;
/** “A king size bed” mentions no king. */
const SIZED = /^(?:king|queen)$/;
const SIZE = /^(?:size|sized|bed|beds|mattress|duvet|sheets)$/;

/** Returns the persons in a text that is English or translated to it word by word. */
export const personsIn = (text: string): PersonMentions => {
  const words = wordsOf(text.toLowerCase().replaceAll('’', "'"));
  // Milliseconds are written `ms`.
  let found = /\bMs\b(?=\.? \p{Lu})/u.test(text) ? WOMAN : 0;
  for (const [at, word] of words.entries()) {
    if (SIZED.test(word) && SIZE.test(words[at + 1] ?? '')) continue;
    const bare = word.endsWith('s') ? word.replace(/'?s$/, '') : word;
    found |= PERSONS.get(word) ?? PERSONS.get(bare) ?? 0;
    if (POSSESSIVE.test(words[at - 1] ?? '')) found |= POSSESSED.get(bare) ?? 0;
  }
  return found;
};

/** Returns the pronoun of a message that the message itself does not resolve. */
export const openPronouns = (message: PersonMentions): PersonMentions => {
  if ((message & SOMEONE) !== 0) return 0;
  return (message & (MAN | HE)) === HE ? HE : (message & (WOMAN | SHE)) === SHE ? SHE : 0;
};

/**
 * How well texts can resolve a pronoun: 3 if they contain it too, 2 with a word for a man or a woman, 1 with one for somebody, −1
 * if they mention nobody who may be meant; 0 without a pronoun.
 */
export const antecedent = (pronouns: PersonMentions, persons: PersonMentions): number => {
  if (pronouns === 0) return 0;
  const [same, gender] = pronouns === HE ? [HE, MAN] : [SHE, WOMAN];
  if ((persons & same) !== 0) return 3;
  if ((persons & gender) !== 0) return 2;
  return (persons & (SOMEONE | WHO)) === 0 ? -1 : 1;
};
