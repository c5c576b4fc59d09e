import type { ToDigest } from '../../../engine/ports.ts';
import { wordsOf } from '../../../engine/text/words.ts';
import { plainText } from '../../text/plain-text.ts';
import { grammarOf, titleLanguage } from './function-words.ts';
import { gestureOf, withoutOpeners } from './openers.ts';
import { openingWords } from './opening-words.ts';
import { pastedIn } from './pasted.ts';
import { withoutGreetings } from './title-openers.ts';
import { capitalised, UNSPACED } from './title-words.ts';

/** Characters of a message that are read for its title. */
const READ = 4000;
/** No title is longer, whatever a message holds. */
const LONGEST = 60;

/**
 * Two to five words that name what a topic is about, without a full stop: the words that open it, cut where a phrase
 * ends. Of a paste, what it is. What the first turn leaves unsaid ("hi", "look at this") the second says.
 */
export const titleOf = ({ message, second }: ToDigest): string => {
  const first = titleOfMessage(message);
  if (second === undefined || first.says === 'all') return first.title;
  const next = titleOfMessage(second.message);
  return SAYS[next.says] > SAYS[first.says] ? next.title : first.title;
};

interface Titled {
  readonly title: string;
  /** `little`: what is pasted, and not what is wanted with it. */
  readonly says: keyof typeof SAYS;
}

const SAYS = { nothing: 0, little: 1, all: 2 } as const;

const titleOfMessage = (message: string): Titled => {
  const { said, name, leads } = pastedIn(message.slice(0, READ));
  const { lines } = plainText(said);
  const [first] = lines;
  const heading = first?.kind === 'heading' ? first.text : null;
  const whole = lines.map(({ text }) => text).join('\n');
  const language = titleLanguage(whole);
  const opening = heading ?? withoutGreetings(language === 'en' ? withoutRoles(whole) : whole);
  if (name !== null && (opening === '' || isPointing(opening, language) || (leads && name !== 'Pasted code')))
    return { title: name, says: 'little' };
  const title = opening === '' || isGesture(opening) ? null : openingWords(opening, language);
  if (title === null || !/[\p{L}\p{N}]/u.test(title)) return { title: ofNothing(message, whole), says: 'nothing' };
  if (name === null && isPointing(opening, language)) return { title: bounded(capitalised(title)), says: 'nothing' };
  const one = !/\s/.test(title) && !UNSPACED.test(title);
  return {
    title: bounded(one && language === 'en' && /^[\x20-\x7e]+$/.test(title) ? `About ${title}` : capitalised(title)),
    says: 'all',
  };
};

/** A part to play for the model says nothing of the topic; the rest of the message does. */
const withoutRoles = (text: string): string => {
  const [first = '', ...rest] = text.split(/(?<=[.!?])\s+|\n/);
  if (rest.length === 0 || !/^(?:you are|you['’]re|act as|imagine you|pretend|i want you to act)\b/i.test(first))
    return text;
  const bare = withoutOpeners(first);
  return [bare, ...rest].filter((part) => part !== '').join('\n');
};

const isGesture = (text: string): boolean => gestureOf(text.slice(0, 200)) !== null;

const POINTING = new Set(
  `this that these those it here there below above following code error output file thing something fix explain help look check why
  wrong work works working doesnt doesn't not what whats what's is any idea ideas mean means happening happens please pls do does
  did i get got keep keeps me my can could you u see review improve problem issue bug wtf thoughts about with for the a to how
  das ist was hier falsch fehler bedeutet warum geht nicht qué que es esto significa por error aqui aquí c'est quoi ça ce pourquoi`
    .trim()
    .split(/\s+/),
);

/** Words that only point at what is pasted or was said: "whats wrong here", "explain this". */
const isPointing = (text: string, language: string): boolean => {
  const words = wordsOf(text.toLowerCase().replace(/’/g, "'"));
  if (words.length > 9 || (UNSPACED.test(text) && text.length > 8)) return false;
  return (
    words.every((word) => POINTING.has(word) || (grammarOf(word, language) !== 'content' && words.length > 1)) &&
    words.some((word) => POINTING.has(word))
  );
};

const ofNothing = (message: string, plain: string): string => {
  const gesture = gestureOf(plain.slice(0, 200));
  if (gesture === 'greets the assistant') return 'A greeting';
  if (gesture === 'thanks the assistant') return 'A thank-you';
  const word = wordsOf(plain).find((candidate) => /\p{L}{2}/u.test(candidate));
  const said =
    withoutGreetings(plain) === '' && word !== undefined && gesture === null ? (plain.split('\n')[0] ?? '') : '';
  if (said !== '' && said.length <= 30) return capitalised(said.replace(/[\s.,!?:;…]+$/u, ''));
  return message.trim() === '' ? 'Empty message' : 'Short message';
};

const bounded = (title: string): string => {
  const line = title.replace(/\s+/g, ' ').trim();
  if (line.length <= LONGEST) return line;
  return `${line
    .slice(0, LONGEST - 1)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()}…`;
};
