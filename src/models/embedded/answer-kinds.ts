import { ENDS_ASKING } from '../../engine/place/cues.ts';
import { plain } from '../../engine/text/words.ts';

/*
 * Tells whether a message answers a question the assistant asked: a number for how many, "yes but only mondays" for whether. Texts
 * are English, or translated to it word by word.
 */

/** Kinds of answers, as bits: what a question asks for, or what a message gives. */
export type AnswerKinds = number;
const AMOUNT = 1;
const POLAR = 2;
const OTHER = 4;
/** A message that is itself a question gives no answer. */
const ASKS = 8;

const ASKS_AMOUNT =
  /\b(?:how (?:many|much|long|old|far|big|large|often|high|low|deep|wide|tall|heavy|hot|cold|fast|late|early|soon)|what (?:size|temperature|time|year|age|weight|height|length|budget|date|percentage|number|dose|price)|when|budget|number of)\b/;
const ASKS_POLAR =
  /^(?:(?:and|or|so|but|also|if so|if not|first|then),? )*(?:do|does|did|is|are|was|were|have|has|had|can|could|will|would|should|may|any)\b|,? (?:do|does|did|is|are|was|were|have|has|can|could|would) (?:you|it|they|he|she|there|the|this|that|your)\b| or not\b/;
const ASKS_WHICH = /\b(?:what|which|who|whose|where|when|why|how)\b/;
const GIVES_AMOUNT =
  /\p{Nd}|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|half|twice|once|hundred|thousand|couple|few|hours?|minutes?|days?|weeks?|months?|years?|today|yesterday|tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|sunday|morning|evening)\b/u;
const GIVES_POLAR =
  /^(?:yes|yeah|yep|yup|no|nope|nah|not|only|just|sure|maybe|mostly|sometimes|never|always|both|neither|none|i do|i did|i am|i have|it (?:is|does|did|has)|they (?:are|do)|think so|probably|definitely|ok(?:ay)?|don'?t|doesn'?t|didn'?t|haven'?t|isn'?t)\b/;
/** “When i bend it” and “where the neck meets the shoulder” answer, though a question may begin like that. */
const QUESTION =
  /^(?:(?:and|so|but|ok(?:ay)?|then|also),? )*(?:what|which|who|whose|why|how|(?:when|where)(?! (?:i|it|he|she|they|we|you|my|the|\w+ing)\b)|is|are|was|do|does|did|can|could|should|would|will|have (?:you|they)|any (?:ideas?|suggestions?|recommendations?|tips?|advice|thoughts))\b/;

/** What the question at the end of a reply asks for; 0 if it does not end with one. `read` renders the question in English. */
export const kindsAsked = (reply: string, read: (text: string) => string = (text) => text): AnswerKinds => {
  const end = reply.search(ENDS_ASKING);
  if (end < 0) return 0;
  const sentence = (reply.slice(0, end).split(BETWEEN_SENTENCES).at(-1) ?? '').replace(/^[^\p{L}\p{N}]+/u, '');
  // “Do you want the short version: five lines?” asks before its colon, “One more thing: how many?” behind it.
  const [first = '', ...others] = sentence.split(/:\s+/).map((part) => plain(read(part)));
  const question = ASKS_POLAR.test(first) || ASKS_AMOUNT.test(first) ? first : (others.at(-1) ?? first);
  if (ASKS_AMOUNT.test(question)) return AMOUNT;
  return ASKS_POLAR.test(question) && !ASKS_WHICH.test(question) ? POLAR : OTHER;
};
const BETWEEN_SENTENCES = /[.!?؟](?=[\s*_"'”’»)\]])|[。！？।\n]/u;

export const kindsAnswered = (message: string): AnswerKinds => {
  const text = plain(message);
  if (ENDS_ASKING.test(text) || QUESTION.test(text)) return ASKS;
  return (GIVES_AMOUNT.test(text) ? AMOUNT : 0) | (GIVES_POLAR.test(text) ? POLAR : 0) || OTHER;
};

/**
 * How well a message answers a question: 3 if it gives what was asked for, 2 if it may, 1 if it gives something else; −1 if it is
 * itself a question, 0 if nothing was asked.
 */
export const answerFit = (asked: AnswerKinds, given: AnswerKinds): number => {
  if (asked === 0) return 0;
  if (given === ASKS) return -1;
  if ((asked & given & (AMOUNT | POLAR)) !== 0) return 3;
  if (asked === OTHER) return given === OTHER ? 2 : 1;
  return given === OTHER && (asked & POLAR) !== 0 ? 2 : 1;
};
