import { setOf } from '../../../engine/text/words.ts';
import verbs from './verbs.json';

/** Verbs that open a request ("Add …", "Book …"). */
export const REQUEST_VERBS = setOf(verbs.requests);

/** Past forms without -ed. */
const PAST = setOf(verbs.past);
const UNCHANGING = setOf(verbs.unchanging);

/** Turns a first-person present verb into the third person singular; past and modal verbs stay. */
export const conjugated = (verb: string): string => {
  const lower = verb.toLowerCase();
  if (lower === 'am' || lower === 'are') return 'is';
  if (lower === 'were') return 'was';
  if (lower === 'have') return 'has';
  if (lower === 'do' || lower === 'go') return `${lower}es`;
  if (lower === "don't") return "doesn't";
  if (lower === "haven't") return "hasn't";
  if (lower === "aren't") return "isn't";
  if (lower === "weren't") return "wasn't";
  if (UNCHANGING.has(lower) || PAST.has(lower) || (/(?:ed|n't|ly)$/.test(lower) && !/eed$/.test(lower))) return verb;
  if (/[^aeiou]y$/.test(lower)) return `${verb.slice(0, -1)}ies`;
  return /(?:s|sh|ch|x|z)$/.test(lower) ? `${verb}es` : `${verb}s`;
};

/** Whether a word can stand between a subject and its verb. */
const isAdverb = (word: string): boolean =>
  /^(?:also|just|really|only|still|already|never|always|often|usually|sometimes|currently|recently|now|actually|definitely|probably|\w{3,}ly)$/i.test(
    word,
  ) && !/^(?:apply|reply|rely|supply|comply|multiply|fly)$/i.test(word);

const VERB_FORMS = setOf(verbs.forms);

/** Whether a word is a verb form not found in noun phrases, as far as a list can tell. */
export const isVerbForm = (word: string): boolean => VERB_FORMS.has(word);

const USER: readonly (readonly [RegExp, string])[] = [
  [/\bI['’]m\b|\bI am\b|\bwe['’]re\b/gi, 'they are'],
  [/\bI was\b/gi, 'they were'],
  [/\b(?:I|we)['’]ve\b/gi, 'they have'],
  [/\b(?:I|we)['’]ll\b/gi, 'they will'],
  [/\b(?:I|we)['’]d\b/gi, 'they would'],
  [/\bI\b(?!['’./])|\bwe\b/g, 'they'],
  [/\bme\b|\bus\b/g, 'them'],
  [/\bmyself\b|\bourselves\b/gi, 'themselves'],
  [/\bmine\b|\bours\b/gi, 'theirs'],
  [/\bmy\b|\bour\b/gi, 'their'],
  [/\byou['’]ve\b/gi, 'the assistant has'],
  [/\byou['’]re\b|\byou are\b/gi, 'the assistant is'],
  [
    /\byou (know|have|think|say|want|need|see|use|make|find|recommend|suggest|mean|like|mention|provide)\b/gi,
    'the assistant $1s',
  ],
  [/\bthe assistant haves\b/g, 'the assistant has'],
  [/\byou\b/gi, 'the assistant'],
  [/\byour own\b/gi, "one's own"],
  [/\byour\b/gi, 'the'],
];

const replaced = (text: string, pairs: readonly (readonly [RegExp, string])[]): string =>
  pairs.reduce((so, [pattern, to]) => so.replace(pattern, to), text);

/** Rewrites what a user wrote to be about them: I → they, my → their. */
export const aboutUser = (clause: string): string => replaced(clause, USER);

/** "I never eat fish" → "never eats fish", said about the user; null if it does not begin with I or we. */
export const afterSubject = (clause: string): string | null => {
  const match = /^(?:I|we)(?:\b|(?=['’]))\s*(['’](?:m|ve|ll|d|re)\b)?\s*(.*)$/is.exec(clause);
  if (match === null || !/^(?:I|we)(?:['’]|\s)/i.test(clause)) return null;
  const [, short = '', rest = ''] = match;
  const verb = SHORT_VERBS[short.replace('’', "'").toLowerCase()];
  if (verb === 'would' && /^(?:like|love|prefer|rather)\b/i.test(rest)) {
    return aboutUser(
      rest
        .replace(/^(?:like|love)\b/i, 'wants')
        .replace(/^prefer\b/i, 'prefers')
        .replace(/^rather\b/i, 'would rather'),
    );
  }
  if (verb !== undefined) return `${verb} ${aboutUser(rest)}`;
  const words = rest.split(' ');
  const at = words.findIndex((word) => !isAdverb(word));
  if (at === -1) return null;
  if (/^would$/i.test(words[at] ?? '') && /^(?:like|love)$/i.test(words[at + 1] ?? '')) {
    return aboutUser(['wants', ...words.slice(at + 2)].join(' '));
  }
  return [...words.slice(0, at), conjugated(words[at] ?? ''), aboutUser(words.slice(at + 1).join(' '))].join(' ');
};

const SHORT_VERBS: Readonly<Record<string, string>> = {
  "'m": 'is',
  "'re": 'is',
  "'ve": 'has',
  "'ll": 'will',
  "'d": 'would',
};

/** A sentence that gives the model a role: it says little about the subject of the turn. */
const ROLE =
  /^(?:please )?(?:now )?(?:you are|you['’]re|you will be|act as|imagine (?:that )?you(?:['’]re| are)|pretend (?:that you are|to be)|suppose you(?:['’]re| are)|your (?:role|character|job) is|assume the role of|take on the role of|play the role of|i want you to act as|as an? (?:expert|professional|experienced|senior|seasoned)\b)/i;

const LEAD_INS: readonly RegExp[] = [
  /^(?:hi|hello|hey|yo|greetings|good (?:morning|afternoon|evening))(?: (?:there|again|everyone|assistant))?\s*[,.!:–—-]+\s*/i,
  /^(?:thank you|thanks?)(?: (?:so|very) much| a lot| again)?(?:,? (?:but|and|for [^,.!?]{1,60}))?\s*[,.!:–—-]*\s+/i,
  /^(?:ok(?:ay)?|all ?right|well|sure|yes|yeah|yep|great|perfect|cool|awesome|nice|interesting|wait(?: a (?:minute|moment|second))?|hold on|actually|oh|ah|um+|hm+|right|fine|good|no|nope|sorry|anyway|listen|look|i see|got it|understood|sounds good|that['’]s (?:great|good|fine|perfect|helpful|interesting))\s*[,.!;:–—-]+\s*/i,
  /^(?:by the way|btw|also|like|finally|lastly|additionally|furthermore|moreover|besides|in addition|next|first(?:ly)?|second(?:ly)?|meanwhile|however|for now|just curious|out of curiosity|quick question|one more (?:thing|question)|another (?:thing|question)|(?:and now )?(?:for )?something (?:else|different)(?: entirely)?|(?:totally |completely )?unrelated(?:ly)?(?: (?:question|topic))?|on (?:another|a different|a side) (?:note|topic)|in that case|for instance|for example|in particular|specifically|similarly|as for [^,:]{1,40}|speaking of [^,:]{1,60}|changing (?:the )?(?:topic|subject)|i mean|you know|if possible|to be honest)\s*[,.:;–—-]+\s*/i,
  /^(?:let['’]s |let us |i want to |i['’]d like to )?(?:switch|shift|change|changing|switching|shifting|insert|another|new|different|a new|a different|side|topic|return|go(?:ing)? back)\b[^.:!?]{0,40}\b(?:topics?|subjects?|gears|requirements?|questions?|insertion|shift|switch)\b[^.:!?]{0,25}[.:!?–—-]+\s*/i,
  /^(?:hey|yo|so|and|but|now|then|also|please|kindly|just|anyway|ok|okay|well|yes|yeah)\s+(?=\S+\s+\S)/i,
];

/** Strips the role, greeting and lead-in from a sentence; empty if nothing else is left. */
export const withoutOpeners = (sentence: string): string => {
  let rest = sentence.trim();
  for (let before = ''; before !== rest; ) {
    before = rest;
    for (const pattern of LEAD_INS) rest = rest.replace(pattern, '');
    if (ROLE.test(rest)) rest = afterRole(rest);
  }
  return rest;
};

/** "You are a chef, suggest a soup." → "suggest a soup." */
const afterRole = (sentence: string): string => {
  const goesOn =
    /[,;:.]\s+(?:and\s+)?(?:(?:now|please|then)\s+)*(?=(?:please|i\b|we\b|my\b|help|give|write|create|explain|tell|make|can\b|could\b|what|how|why|which|where|suggest|recommend|plan|design|provide|generate|analy[sz]e|list|answer|your task)\b)/i.exec(
      sentence,
    );
  return goesOn === null ? '' : sentence.slice(goesOn.index + goesOn[0].length);
};

/** Returns what a sentence does that is nothing but gestures; null for any other sentence. */
export const gestureOf = (sentence: string): string | null => {
  const plain = sentence
    .toLowerCase()
    .replace(/’/g, "'")
    .replace(/[^\p{L}\p{N}' ]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (/[^ a-z0-9']/.test(plain)) return null;
  if (!ONLY_GESTURES.test(plain)) return null;
  return GESTURES.find(([pattern]) => pattern.test(plain))?.[1] ?? 'agrees';
};

const THANKS =
  "(?:many )?(?:thanks?|thank you|thx|cheers)(?: (?:so|very) much| a (?:lot|bunch|million)| again| for (?:all |the |your |this |that |everything|helping|being)[a-z' ]*)*";
const YES =
  "(?:yes|yeah|yep|yup|sure|ok|okay|alright|correct|exactly|right|agreed|perfect|great|good|fine|cool|nice|awesome|absolutely|of course|please|please do|go ahead|go on|continue|(?:it |that |this )?(?:sounds|looks|works|seems)(?: (?:good|great|fine|perfect|perfectly|nice|ok|okay|for me|to me|lovely|right))*|(?:it|that|this)(?:'?s| is) (?:all |very |so )?(?:right|correct|fine|good|great|perfect|ok|okay|awesome|nice|helpful))";
const NO =
  "(?:no|nope|nah|not really|not now|no thanks|no thank you|never mind|nothing(?: else)?|(?:that(?:'?s| is| will be| would be)|it's) (?:all|it)(?: (?:for )?(?:now|today|i need|i needed))*|i(?:'m| am) (?:good|fine|all set|done)|i don't need anything(?: else)?)";
const GREETING =
  '(?:hi|hello|hey|good (?:morning|afternoon|evening)|greetings)(?: (?:there|again|everyone|assistant))?';
const BYE =
  "(?:(?:good ?)?bye(?: bye)?|good ?night|see you(?: [a-z]+)?|for now|have a (?:nice|good|great|lovely) \\w+|(?:i'll )?talk to you later)";
const HELPFUL =
  "(?:you(?:'ve| have)? been (?:a |very |so |such a |really )*(?:\\w+ )?help(?:ful)?|i appreciate (?:it|that|your help))";
const ONLY_GESTURES = new RegExp(
  `^(?:(?:${NO}|${THANKS}|${HELPFUL}|${BYE}|${GREETING}|${YES}|and|but|then|so|well|assistant)(?: |$))+$`,
);
/** What several gestures in one sentence amount to: the first match counts. */
const GESTURES: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`(?:^| )${NO}(?: |$)`), 'needs nothing more'],
  [new RegExp(`(?:^| )(?:${THANKS}|${HELPFUL})(?: |$)`), 'thanks the assistant'],
  [new RegExp(`(?:^| )${BYE}$`), 'says goodbye'],
  [new RegExp(`^${GREETING}$`), 'greets the assistant'],
];
