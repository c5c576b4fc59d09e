import { gestureOf } from './openers.ts';
import { isQuestion, toldQuestion } from './question.ts';
import { requestIn, toldRequest } from './request.ts';
import { aboutUser, afterSubject } from './third-person.ts';
import { hasVerb } from './verbs.ts';

export type ClauseKind = 'question' | 'request' | 'wish' | 'statement' | 'gesture';

const WISH =
  /^(?:i|we)(?:['’]d| would)? (?:really |also |just )*(?:want|need|like|love|prefer|plan|hope|intend|wish|decided|have decided|changed)\b|^(?:i|we)['’](?:ve|m|re) (?:decided|planning|looking|trying|going|thinking|changed)\b/i;
/** Words that open what comes before the main clause. */
const SUBORDINATE =
  '(?:if|when|since|because|as|given|considering|assuming|before|after|for|in|on|with|while|although|based on|instead of|besides|regarding|from|at|to|once|until|unless|due to|apart from|in addition to)';
const CONDITION = new RegExp(`^(${SUBORDINATE}\\b[^?,]*), (?:then )?(.+)$`, 'i');

export const hasCondition = (clause: string): boolean => CONDITION.test(clause);

export const kindOf = (clause: string): ClauseKind => {
  const main = CONDITION.exec(clause)?.[2] ?? clause;
  if (gestureOf(clause) !== null) return 'gesture';
  if (requestIn(main) !== null) return 'request';
  if (isQuestion(main)) return 'question';
  return WISH.test(main) ? 'wish' : 'statement';
};

/** A clause as what follows "The user": "How do I sort a list?" → "asks how to sort a list". */
export const predicateOf = (clause: string): string => {
  const gesture = gestureOf(clause);
  if (gesture !== null) return gesture;
  const conditional = CONDITION.exec(clause);
  if (conditional !== null) {
    const [, condition = '', main = ''] = conditional;
    const told = predicateOf(main);
    if (told.includes('“') && !told.startsWith('says ')) return told;
    if (!told.startsWith('says ')) return `${told}${told.includes(',') ? ',' : ''} ${aboutUser(lowerFirst(condition))}`;
  }
  return predicateOfMain(clause) ?? fallback(clause);
};

const predicateOfMain = (clause: string): string | null => {
  const request = requestIn(clause);
  if (request !== null) return toldRequest(request);
  if (isQuestion(clause)) return toldQuestion(clause);
  return afterSubject(clause.replace(/[.!\s]+$/, ''));
};

const fallback = (clause: string): string => {
  const plain = clause.replace(/[.!。！\s]+$/u, '');
  return hasVerb(plain) && /[a-z]/.test(plain) && !plain.includes('“')
    ? `says ${aboutUser(lowerFirst(plain))}`
    : `says “${plain}”`;
};

/** In lower case at the start, unless the first word is a name or an abbreviation as far as one can tell. */
const lowerFirst = (text: string): string =>
  /^(?:I\b|\p{Lu}[\p{Lu}\p{N}]|\p{Lu}\p{Ll}+ \p{Lu}\p{L})/u.test(text) || !COMMON_START.test(text)
    ? text
    : text.slice(0, 1).toLowerCase() + text.slice(1);

const COMMON_START =
  /^(?:the|a|an|this|that|these|those|my|our|your|his|her|its|their|it|they|he|she|there|if|when|since|because|as|given|considering|assuming|before|after|for|in|on|with|while|although|based|instead|besides|regarding|from|at|to|some|any|all|most|many|no|not|yes|each|both|one|two|three|what|how|why|which|where|who|is|are|can|do|does|you|we|here|sure|let|using|use|add|make|by|also|another|other|only|just|even|maybe|perhaps|people|something|everything|walking|running|eating)\b/i;
