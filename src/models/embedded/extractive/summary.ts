import { wordCount } from '../../../engine/text/words.ts';
import { type PlainText, plainText } from '../../text/plain-text.ts';
import { excerptOf } from './excerpt.ts';
import { told } from './predicate.ts';
import { isQuestion } from './question.ts';
import { replyGist } from './reply-gist.ts';

/** Words of a whole digest, and of the message's part where the reply has one; the frame counts. */
const WORDS = 38;
const MESSAGE_WORDS = 20;
/** Characters of a message without a letter or a figure that are still quoted. */
const MOST_MARKS = 40;
/** Words that the reply may have at least. */
const REPLY_WORDS = 18;

/**
 * A turn in short, each part a whole sentence: what the user asks, says or decides, in the third person where that is sure to
 * be right and else in their own words, and what the assistant answered. Never longer than the turn told whole.
 */
export const summaryOf = ({ message, reply }: { message: string; reply: string }): string => {
  const plain = plainText(message);
  const asked = messageGist(plain, message, reply.trim() === '' ? WORDS : MESSAGE_WORDS);
  const answered = replyGist(reply, message, Math.max(REPLY_WORDS, WORDS - wordCount(asked)));
  return answered === '' ? asked : `${asked} ${answered}`;
};

const messageGist = (plain: PlainText, message: string, words: number): string => {
  const lines = plain.lines.map(({ text }) => text);
  const whole = lines.join(' ');
  const quoted = lines.length === 0 ? '' : quoting(excerptOf(lines, words, weighAsked));
  const inThirdPerson = told(whole);
  if (inThirdPerson !== null) {
    const sentence = ended(`The user ${inThirdPerson}`);
    if (wordCount(sentence) <= words && sentence.length <= quoted.length) return sentence;
  }
  if (quoted !== '') return quoted;
  const [code] = plain.code;
  if (code !== undefined)
    return `The user shares ${code.lines} ${code.lines === 1 ? 'line' : 'lines'} of ${code.language || 'code'}.`;
  const marks = message.trim();
  if (marks === '') return 'The user sends an empty message.';
  return quoting(marks.length > MOST_MARKS ? '…' : marks);
};

/** What is asked carries a turn more than what is told before it; figures and names say more than other words. */
const weighAsked = (sentence: string, at: number): number =>
  (asks(sentence) ? 1.5 : 1) * (/\p{N}/u.test(sentence) ? 1.3 : 1) * Math.max(0.5, 1 - at * 0.04);

/** With a mark, or in English with none, as people type. */
const asks = (text: string): boolean =>
  /[?？؟]["'”’»)]*(?:\s|$)/u.test(text) || (!/[.!]$/.test(text) && (isQuestion(text) || ASKING.test(text)));

const ASKING =
  /(?:^|[.,!]\s+)(?:(?:how|what|where|why|who|when|which)\b.*\b(?:i|we|you|it|he|she|they|the|a|my|that|this)\b|(?:do|does|did|is|are|can|could|should|would|will) (?:i|we|you|it|he|she|they|the|a|my|your|that|this|there|[a-z]+ [a-z]+ [a-z]+)\b|any \w+)/i;

const quoting = (text: string): string =>
  text === '' ? '' : ended(`The user ${asks(text) ? 'asks' : 'writes'}: “${text}”`);

/** With a full stop, where no quotation ends the sentence already. */
const ended = (sentence: string): string => {
  const plain = sentence.replace(/\s+/g, ' ').trim();
  return /(?:[.…]|[.…?!。！？؟][”"'’)»」]*”)$/u.test(plain) ? plain : `${plain.replace(/[?!,;:–—-]+$/, '')}.`;
};
