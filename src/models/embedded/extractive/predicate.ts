import { sentencesOf } from '../../../engine/text/sentences.ts';
import { isStopWord, wordsOf } from '../../../engine/text/words.ts';
import { aboutUser, afterSubject, conjugated, gestureOf, isVerbForm, REQUEST_VERBS, withoutOpeners } from './verbs.ts';

/** “If we travel in May, what should we pack?” */
const CONDITION = /^(if\b[^?,]*), (?:then )?(.+)$/i;

/**
 * Rewrites a message as what follows “The user”: “How do I sort a list?” → “asks how to sort a list”. null if that is not certain
 * to be right: the message is then quoted. English only, one sentence, of a form that the rules know.
 */
export const asPredicate = (message: string): string | null => {
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
 * Words that the rules would get wrong: other people (“they” would be both), the assistant, reported speech, and words that join
 * two clauses, of which only the first is rewritten.
 */
const isUnsure = (clause: string): boolean =>
  /[“”"«»„:;()…/]|,\s|\s[–—-]\s|\b(?:they|them|their|theirs|themselves|someone|you|your|yours|u|ur|said|says|told|and|but|so|because|then|lol|tho|btw|rn)\b|n['’]t i\b|\b(?:aint|thats|whats|theyre|youre|hes|shes|theres|wheres)\b|['’](?:re|d)\b/i.test(
    clause.replace(/^i['’]d (?:like|love|prefer)/i, ''),
  );

/** Whether a text has enough English function words, and no letter foreign to English. */
const isEnglish = (text: string): boolean => {
  const words = wordsOf(text);
  return (
    !/[^\x20-\x7e‘’–—…€£°]/u.test(text) && words.length >= 2 && words.filter(isStopWord).length >= words.length * 0.2
  );
};

const QUESTION =
  /^(?:what|which|where|when|why|who|whom|whose|how|is|are|was|were|am|do|does|did|can|could|would|will|should|shall|may|might|has|have|had|any)\b/i;

export const isQuestion = (clause: string): boolean =>
  /\?["'”’)]*$/.test(clause) ||
  (QUESTION.test(clause) &&
    !/^(?:when|while|what|which|whose|have|do|may)\b(?!.*\b(?:should|can|do|does|is|are)\b (?:i|we|you|it|the)\b)/i.test(
      clause,
    ));

type Rule = readonly [pattern: RegExp, tell: (...parts: string[]) => string | null];

const few = (text: string, most: number): boolean => text.split(' ').length <= most;
const WH = '((?:what|which|where|when|why|who|whom|whose|how)(?: (?!and )[^ ,?]+){0,5}?)';

/** From a direct question (without its question mark) to what follows "The user"; the first that fits is used. */
const RULES: readonly Rule[] = [
  [/^(?:what|how) about (.+)$/i, (x) => `asks about ${x}`],
  [
    /^how (?:(?:do|can|could|should|would|might) (?:i|we|you|one|people)|to) (?:best )?(?!know so|feel|think)(.+)$/i,
    (x) => `asks how to ${x}`,
  ],
  [/^why not (.+)$/i, (x) => `asks why not ${x}`],
  [/^what if (.+)$/i, (x) => `asks what if ${x}`],
  [/^any (.+)$/i, (x) => `asks for ${x}`],
  [/^do you (?:think|believe|reckon) (?:that )?(.+)$/i, (x) => `asks whether ${x}`],
  [/^do you (?:happen to )?know ((?:how|what|where|when|why|who|which|if|whether)\b.+)$/i, (x) => `asks ${x}`],
  [/^do you (?:have|know(?: of)?) (?:any |some )?(.+)$/i, (x) => `asks for ${x}`],
  [/^(?:can|could|may|might) (?:i|we) (?:please )?(?:have|get|see) (.+)$/i, (x) => `asks for ${x}`],
  [
    /^(is|are|was|were) (there|it|they|he|she|that|this)\b (.+)$/i,
    (be, it, x) => `asks whether ${it.toLowerCase()} ${be.toLowerCase()} ${x.replace(/^any /, '')}`,
  ],
  [/^am (?:i|we) (.+)$/i, (x) => `asks whether they are ${x}`],
  [
    /^(can|could|should|will|would|must|might|may|have|did) (?:i|we) (.+)$/i,
    (aux, x) =>
      aux.toLowerCase() === 'did' ? `asks whether they did ${x}` : `asks whether they ${aux.toLowerCase()} ${x}`,
  ],
  [/^do (?:i|we) (.+)$/i, (x) => `asks whether they ${x}`],
  [
    /^(can|could|should|will|would|must|might|may|has|had) (it|they|he|she|there|this|that) (.+)$/i,
    (aux, it, x) => `asks whether ${it.toLowerCase()} ${aux.toLowerCase()} ${x}`,
  ],
  [
    /^does (it|he|she|this|that) (\S+)(.*)$/i,
    (it, verb, x) => `asks whether ${it.toLowerCase()} ${conjugated(verb)}${x}`,
  ],
  [
    new RegExp(`^${WH} should (?:i|we|one|you) (.+)$`, 'i'),
    (wh, x) => (/^why/i.test(wh) ? `asks why they should ${x}` : `asks ${wh} to ${x}`),
  ],
  [
    new RegExp(`^${WH} (can|could|will|would|must|might|have|had) (?:i|we) (.+)$`, 'i'),
    (wh, aux, x) => `asks ${wh} they ${aux.toLowerCase()} ${x}`,
  ],
  [new RegExp(`^${WH} (?:am i|are we) (.+)$`, 'i'), (wh, x) => `asks ${wh} they are ${x}`],
  [new RegExp(`^${WH} do (?:i|we) ((?:have|need) to .+)$`, 'i'), (wh, x) => `asks ${wh} they ${x}`],
  [
    new RegExp(`^${WH} do you (recommend|suggest|think|advise|prefer|know)\\b(.*)$`, 'i'),
    (wh, verb, x) => `asks ${wh} the assistant ${verb.toLowerCase()}s${x}`,
  ],
  [
    new RegExp(`^${WH} would you (recommend|suggest|advise|choose)\\b(.*)$`, 'i'),
    (wh, verb, x) => `asks ${wh} the assistant would ${verb.toLowerCase()}${x}`,
  ],
  [
    new RegExp(`^${WH} does (it|he|she) (\\S+)(.*)$`, 'i'),
    (wh, it, verb, x) => `asks ${wh} ${it} ${conjugated(verb)}${x}`,
  ],
  [
    new RegExp(`^${WH} (is|are|was|were|can|could|will|would|should|has|had) (it|they|he|she|there)\\b(.*)$`, 'i'),
    (wh, aux, it, x) => `asks ${wh} ${it} ${aux.toLowerCase()}${x}`,
  ],
  [
    /^((?:which|who|what)(?: [^ ,?]+){0,4}? (?:is|are|was|were) (?:more|most|better|best|cheaper|worse|worst|less|\w+er)\b.*)$/i,
    (x) => `asks ${x}`,
  ],
  [
    /^((?:which|what|who)(?: [^ ,?]+){0,3}? (?:happens|happened|causes|caused|makes|made|invented|discovered|wrote|works|comes|goes|helps|fits|suits|won|affects?|has|have|contributes?|counts|determines|influences?)\b.*)$/i,
    (x) => `asks ${x}`,
  ],
  [
    /^((?:which|what|who|how (?:much|many))(?: [^ ,?]+){0,4}? (?:would|will|should|can|could|might|may|must) (?:be|help|work|cause|fit|suit|affect|happen|improve|make|need)\b.*)$/i,
    (x) => `asks ${x}`,
  ],
  [/^(what)(?: is|['’]s| are) (.+?) like$/i, (_what, x) => `asks what ${x} is like`],
  [
    /^what(?: is|['’]s| are| were| was)(?: currently| typically| usually)? (?:some of )?((?:the (?:\w+ )?(?:best|most|top|cheapest|easiest|fastest|safest|right|ideal|recommended)|some|an? (?:good|great|easy|simple|cheap|healthy)|good|your (?:recommendations?|suggestions?))\b.+)$/i,
    (x) => `asks for ${x.replace(/^your /i, '')}`,
  ],
  [
    /^what(?: is|['’]s| are| were| was) (.+)$/i,
    (x) => (/\b(?:doing|going|happening|wrong)$/.test(x) ? null : `asks about ${x}`),
  ],
  [
    /^(where|when|how|what time) (is|are) ((?:the|my|our|this|that|these) \S+(?: \S+)?) (\w+ing|located|held|open)\b(.*)$/i,
    (wh, be, x, doing, rest) => `asks ${wh} ${x} ${be} ${doing}${rest}`,
  ],
  [
    /^(who|where|when)(?: (is|are|was|were)|['’](s)) (.+)$/i,
    (wh, be, short, x) => (few(x, 5) ? `asks ${wh} ${x} ${short === 's' ? 'is' : be}` : null),
  ],
  [
    /^(how (?:much|many|long|far|old|big|tall|expensive|safe|accurate|important|hard|difficult|effective|good|bad)) (is|are|was|were) (.+)$/i,
    (wh, be, x) => (few(x, 5) ? `asks ${wh} ${x} ${be}` : null),
  ],
  [/^how (is|are|was|were) ((?:the|my|our|your) \S+(?: \S+)?)$/i, (be, x) => `asks how ${x} ${be}`],
];

/** Rewrites a question as what follows "The user"; null if no rule can do so faithfully. */
const toldQuestion = (clause: string): string | null => {
  const question = clause.replace(/[?!.\s"”]+$/, '');
  for (const [pattern, tell] of RULES) {
    const match = pattern.exec(question);
    const predicate = match === null ? null : tell(...match.slice(1).map((part) => part ?? ''));
    if (predicate !== null)
      return aboutUser(
        predicate.replace(/^asks (\p{Lu})(?=\p{Ll})/u, (_all, first: string) => `asks ${first.toLowerCase()}`),
      );
  }
  const order = isAboutSubject(question)
    ? question.slice(0, 1).toLowerCase() + aboutUser(question.slice(1))
    : uninverted(question);
  return order === null ? null : `asks ${order}`;
};

/** "Which bus goes there": the question word is the subject, so the order is already that of a statement. */
const isAboutSubject = (question: string): boolean =>
  /^(?:what|which|who) \w+/i.test(question) &&
  !/\b(?:do|does|did|is|are|was|were|can|could|will|would|shall|should|may|might|must|has|have|had)\b|['’]/i.test(
    question.split(' ').slice(0, 7).join(' '),
  );

const INVERTED =
  /^(?:((?:what|which|where|when|why|who|whom|how)(?: (?!and )[^ ,?]+){0,3}?) )?(do|does|can|could|will|would|should|might|must|is|are|was|were) (.+)$/i;
/** Maximum words of a question's subject. */
const LONGEST_SUBJECT = 5;
const STATE =
  /^(?:\w{3,}(?:ed|ing|able|ible)|known|made|built|done|good|bad|safe|better|worth|important|necessary|different|true|open|free|enough|used|so|too|really)$/i;

/**
 * "How does Redis implement queues" → "how Redis implements queues": puts a question whose subject follows its auxiliary into the
 * order of a statement. null if the end of the subject cannot be found.
 */
const uninverted = (question: string): string | null => {
  const match = INVERTED.exec(question);
  if (match === null) return null;
  const [, wh = 'whether', written = '', rest = ''] = match;
  const aux = written.toLowerCase();
  const words = rest.split(' ');
  const asks = /^(?:is|are|was|were)$/.test(aux)
    ? (word: string) => STATE.test(word)
    : (word: string) => word === 'be' || word === 'have' || REQUEST_VERBS.has(word) || isVerbForm(word);
  // A listed verb may also be a noun at the very start of the subject ("the plan").
  const at = words.findIndex(
    (word, i) => i > 0 && !/^(?:the|a|an|my|our|this|that|of|to|in|for)$/i.test(words[i - 1] ?? '') && asks(word),
  );
  if (at === -1 || at > LONGEST_SUBJECT) return null;
  // “What do I ask her” means what they should ask, not what they do ask.
  if (/^(?:I|we)$/i.test(words[0] ?? '')) return null;
  const subject = aboutUser(words.slice(0, at).join(' '));
  const verb = words[at] ?? '';
  const after = words.slice(at + 1).join(' ');
  const predicate = aux === 'do' ? verb : aux === 'does' ? conjugated(verb) : `${aux} ${verb}`;
  return [wh.slice(0, 1).toLowerCase() + wh.slice(1), subject, predicate, aboutUser(after)].join(' ').trim();
};

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

/** What a request asks for, in the imperative; null if the clause is not a request. */
const requestIn = (clause: string): string | null => {
  const plain = clause
    .replace(/^(?:please|kindly|just|also|then|now|first|next|instead,?)\s+/i, '')
    .replace(/,? please(?=[.?!]*$)/i, '');
  const asked = ASKED.exec(plain)?.[1];
  if (asked !== undefined) return asked.replace(/[?.!\s]+$/, '');
  const first = /^[A-Za-z]+/.exec(plain)?.[0].toLowerCase() ?? '';
  if (/^(?:let['’]s|let us|don['’]t|do not)\s/i.test(plain)) return plain.replace(/[.!?\s]+$/, '');
  return REQUEST_VERBS.has(first) && !isNoun(plain) ? plain.replace(/[.!?\s]+$/, '') : null;
};

/** "Training for a marathon is hard", "Plan B is better": the first word is not an imperative here. */
const isNoun = (plain: string): boolean => /^\w+ (?:is|are|was|were|has|of|[A-Z])\b/.test(plain);

/** Rewrites an imperative as what follows "The user". */
const toldRequest = (request: string): string => {
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

const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/\bwanna\b/gi, 'want to'],
  [/\bgonna\b/gi, 'going to'],
  [/\bgotta\b/gi, 'have to'],
  [/\bgimme\b/gi, 'give me'],
  [/\b(?:lemme|let me) know\b/gi, 'tell me'],
  [/\blemme\b/gi, 'let me'],
  [/\bu\b/g, 'you'],
  [/\bur\b/g, 'your'],
  [/\b(?:pls|plz)\b/gi, 'please'],
  [/\b(?:cuz|coz)\b/gi, 'because'],
  [/\b[Ii]m\b/g, "I'm"],
  [/\bive\b/g, "I've"],
  [/\b(do|does|did|is|are|was|were|ca|wo|would|should|could|have|has)nt\b/gi, "$1n't"],
  [/\b(that|what|where|how|it)s (?=(?:a|the|all|it|great|good|fine|perfect|my|your|up)\b)/gi, "$1's "],
  [/\bi\b(?!\.)/g, 'I'],
  [/\bwould (?:now|also|really|just|still|very much) (?=(?:like|love)\b)/gi, 'would '],
  // Omitted subjects.
  [/^(?:just )?(?=(?:need|want|would like|(?:don't|do not) (?:want|need|like|know|have|think|care))\b)/i, 'I '],
  [/^(?:just )?(?=(?:looking for|hoping|trying|wondering|thinking)\b)/i, "I'm "],
];

/** Normalises chat spellings for the rules: "wanna" → "want to". */
const formalised = (sentence: string): string =>
  SPELLINGS.reduce((so, [pattern, to]) => so.replace(pattern, to), sentence);
