import { sentencesOf } from '../../../engine/text/sentences.ts';
import { isStopWord, wordsOf } from '../../../engine/text/words.ts';
import { formalised } from './formalised.ts';
import { gestureOf, withoutOpeners } from './openers.ts';
import { isQuestion, toldQuestion } from './question.ts';
import { requestIn, toldRequest } from './request.ts';
import { aboutUser, afterSubject } from './third-person.ts';

/** “If we travel in May, what should we pack?” */
const CONDITION = /^(if\b[^?,]*), (?:then )?(.+)$/i;

/**
 * A message as what follows “The user”: “How do I sort a list?” → “asks how to sort a list”. null where it cannot be
 * turned with certainty: it is quoted then. English alone, one sentence, of a form that the rules know.
 */
export const told = (message: string): string | null => {
  const formal = formalised(message);
  const gesture = gestureOf(formal);
  if (gesture !== null) return gesture;
  const bare = withoutOpeners(formal);
  if (bare === '' || sentencesOf(bare).length !== 1 || !isEnglish(bare)) return null;
  const conditional = CONDITION.exec(bare);
  if (conditional === null) return sure(bare);
  const [, condition = '', main = ''] = conditional;
  const asked = isQuestion(main) || requestIn(main) !== null ? sure(main) : null;
  if (asked === null || isUnsure(condition)) return null;
  return `${asked} ${aboutUser(condition.slice(0, 1).toLowerCase() + condition.slice(1))}`;
};

const sure = (clause: string): string | null => {
  const request = requestIn(clause);
  const about = (request ?? clause).replace(/^(?:do|can|could|would|will) you\b/i, '');
  if (isUnsure(about)) return null;
  if (request !== null) return toldRequest(request);
  if (isQuestion(clause)) return toldQuestion(clause);
  return afterSubject(clause.replace(/[.!\s]+$/, ''));
};

/**
 * Words that the rules would get wrong: of people beside the user (“they” would be both), of the assistant, of what was said,
 * and what joins two clauses, of which only the first is turned.
 */
const isUnsure = (clause: string): boolean =>
  /[“”"«»„:;()…/]|,\s|\s[–—-]\s|\b(?:they|them|their|theirs|themselves|someone|you|your|yours|u|ur|said|says|told|and|but|so|because|then|lol|tho|btw|rn)\b|n['’]t i\b|\b(?:aint|thats|whats|theyre|youre|hes|shes|theres|wheres)\b|['’](?:re|d)\b/i.test(
    clause.replace(/^i['’]d (?:like|love|prefer)/i, ''),
  );

/** Enough words of grammar of English, and no letter that it has not. */
const isEnglish = (text: string): boolean => {
  const words = wordsOf(text);
  return (
    !/[^\x20-\x7e‘’–—…€£°]/u.test(text) && words.length >= 2 && words.filter(isStopWord).length >= words.length * 0.2
  );
};
