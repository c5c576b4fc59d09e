import { wordCount } from '../../../engine/text/words.ts';
import { type PlainText, plainText } from '../text/plain-text.ts';
import { clausesOf, keyClauses } from './key-clauses.ts';
import { isForeign } from './language.ts';
import { predicateOf } from './predicate.ts';
import { replyGist } from './reply-gist.ts';
import { shortened } from './shorten.ts';

/** Words of a whole summary, and of the message's part where the reply has one. */
const WORDS = 30;
const MESSAGE_WORDS = 17;

/** One sentence in the third person: what the user asks, says or decides, and what the reply answers. */
export const summaryOf = ({ message, reply }: { message: string; reply: string }): string => {
  const plain = plainText(message);
  const most = reply.trim() === '' ? WORDS : MESSAGE_WORDS;
  const asked = `The user ${messageGist(plain, message, most)}`;
  const answered = replyGist(reply, message, Math.max(12, WORDS - wordCount(asked)));
  return ended(answered === '' ? asked : `${asked}; ${answered}`);
};

const messageGist = (plain: PlainText, message: string, words: number): string => {
  const clauses = clausesOf(plain);
  if (clauses.length === 0) return gistOfRest(plain, message);
  if (isForeign(plain.lines.map(({ text }) => text).join(' '))) {
    return `writes “${shortened(clauses[0]?.text.replace(/[.。]$/u, '') ?? '', words)}”`;
  }
  const told = keyClauses(clauses, words).map(({ text }) => predicateOf(text));
  const [first = '', second] = told;
  if (second === undefined || wordCount(first) + wordCount(second) > words + 2) {
    const best = clauses.reduce((a, b) => (b.score > a.score ? b : a));
    return shortened(predicateOf(best.text), words);
  }
  return joined(first, second);
};

/** "asks how to X" and "asks for Y" → "asks how to X and for Y". */
const joined = (first: string, second: string): string => {
  const verb = /^(?:asks|wants|says)(?= )/.exec(first)?.[0];
  const alike = first.includes('“') === second.includes('“');
  const shared = verb !== undefined && second.startsWith(`${verb} `) && alike;
  return `${first} and ${shared ? second.slice(verb.length + 1) : second}`;
};

const gistOfRest = ({ lines, code }: PlainText, message: string): string => {
  if (code.length > 0) {
    const [{ language, lines: count }] = code as [{ language: string; lines: number }];
    return `shares ${count} ${count === 1 ? 'line' : 'lines'} of ${language || 'code'}`;
  }
  const rest = lines.map(({ text }) => text).join(' ') || message.trim();
  return rest === '' ? 'sends an empty message' : `says “${shortened(rest, 12)}”`;
};

const ended = (sentence: string): string => {
  const plain = sentence
    .replace(/\s+/g, ' ')
    .replace(/\s+([,;.])/g, '$1')
    .trim();
  return /(?:[.…]|[.…?!]”)$/.test(plain) ? plain : `${plain.replace(/[?!,;:–—-]+$/, '')}.`;
};
