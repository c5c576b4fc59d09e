import { aboutUser } from './third-person.ts';
import { REQUEST_VERBS } from './verbs.ts';

/** "Explain X" asks for "an explanation of X". */
const NOUNS: Readonly<Record<string, string>> = {
  explain: 'an explanation of',
  describe: 'a description of',
  summarize: 'a summary of',
  summarise: 'a summary of',
  compare: 'a comparison of',
  translate: 'a translation of',
  analyze: 'an analysis of',
  analyse: 'an analysis of',
  review: 'a review of',
  outline: 'an outline of',
  define: 'a definition of',
  evaluate: 'an evaluation of',
  discuss: 'a discussion of',
  clarify: 'a clarification of',
  rewrite: 'a rewrite of',
  list: 'a list of',
};
/** "Give me X", "Write X" ask for X. */
const FOR =
  /^(?:write|give|provide|generate|create|recommend|suggest|show|find|share|send|draft|offer|compose|get|fetch|produce|prepare|propose|present|tell)$/;
const INDIRECT = /^(?:how|what|why|where|when|who|which|whether|if)\b/i;

const ASKED =
  /^(?:(?:can|could|would|will) you|i (?:want|need|would like|['’]d like) you to|i['’]d like you to|would you mind)\s+(?:please |kindly |also |just |then )*(.+)$/i;

/** What a request asks to be done, in the imperative; null if the clause is no request. */
export const requestIn = (clause: string): string | null => {
  const plain = clause
    .replace(/^(?:please|kindly|just|also|then|now|first|next|instead,?)\s+/i, '')
    .replace(/,? please(?=[.?!]*$)/i, '');
  const asked = ASKED.exec(plain)?.[1];
  if (asked !== undefined) return asked.replace(/[?.!\s]+$/, '');
  const first = /^[A-Za-z]+/.exec(plain)?.[0].toLowerCase() ?? '';
  if (/^(?:let['’]s|let us|don['’]t|do not)\s/i.test(plain)) return plain.replace(/[.!?\s]+$/, '');
  return REQUEST_VERBS.has(first) && !isNoun(plain) ? plain.replace(/[.!?\s]+$/, '') : null;
};

/** "Training for a marathon is hard", "Plan B is better": the first word is no imperative here. */
const isNoun = (plain: string): boolean => /^\w+ (?:is|are|was|were|has|of|[A-Z])\b/.test(plain);

/** An imperative as what follows "The user". */
export const toldRequest = (request: string): string => {
  const { verb, object } = parts(request);
  const inner = aboutUser(object.replace(/ for (?:me|us)$/i, ''));
  if (verb === "let's" || verb === 'let’s') return `wants to ${inner}`;
  if (verb === "don't" || verb === 'don’t') return `asks the assistant not to ${inner}`;
  if (verb === 'do' && object.startsWith('not ')) return `asks the assistant not to ${inner.slice(4)}`;
  if (verb === 'help') {
    const task = object.replace(/^(?:me|us)\s+/i, '').replace(/^to\s+/i, '');
    if (REQUEST_VERBS.has(task.split(' ')[0]?.toLowerCase() ?? '')) return toldRequest(task);
    return `asks for help ${/^(?:with|in|on|me|us)\b/i.test(task) ? '' : 'to '}${aboutUser(task)}`;
  }
  const target = object.replace(/ for (?:me|us)$/i, '').replace(/^(?:to me|for me|for us|(?:me|us)(?: with)?)\s+/i, '');
  const wanted = aboutUser(target);
  if (
    /^(?:tell|show|explain|describe|clarify|discuss|outline|summari[sz]e|teach|say|suggest|recommend|check|find|see)$/.test(
      verb,
    ) &&
    INDIRECT.test(target.replace(/^out\s+/, ''))
  ) {
    return `asks ${wanted.replace(/^out\s+/, '')}`;
  }
  if (/^(?:tell|elaborate|expand|talk|teach|inform|remind)$/.test(verb)) {
    const about = /^(?:(?:more|something|everything) )?(?:about|on|of)\s+(.+)$/i.exec(wanted);
    if (about !== null && verb !== 'remind')
      return `asks ${/^more/i.test(wanted) || /elaborate|expand/.test(verb) ? 'for more on' : 'about'} ${about[1]}`;
  }
  if (NOUNS[verb] !== undefined && /^(?:more|further)\b/i.test(target))
    return `asks for more detail${wanted.replace(/^\S+/, '')}`;
  if (NOUNS[verb] !== undefined && target !== '' && !/^(?:in|with|to|as|by|but|and|so|only|again)\b/i.test(target))
    return `asks for ${NOUNS[verb]} ${wanted}`;
  if (FOR.test(verb) && target !== '' && !/^(?:it|them|this|that|in|with|to|as|by|if|rid|out|up)\b/i.test(target))
    return `asks for ${wanted}`;
  return `asks the assistant to ${verb} ${inner}`.trim();
};

const parts = (request: string): { verb: string; object: string } => {
  const [first = '', ...rest] = request.split(' ');
  const whole = rest.join(' ');
  return first.toLowerCase() === 'let'
    ? { verb: "let's", object: whole.replace(/^us\s+/, '') }
    : { verb: first.toLowerCase(), object: whole };
};
