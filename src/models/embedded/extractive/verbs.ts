import { setOf } from '../../../engine/text/words.ts';
import verbs from './verbs.json';

/** Verbs that open a request ("Add …", "Book …"). */
export const REQUEST_VERBS = setOf(verbs.requests);

/** Past forms without -ed. */
const PAST = setOf(verbs.past);
/** Past forms that are spelt like the present. */
const LIKE_PRESENT = setOf(verbs.likePresent);
/** What tells of a habit, so that the verb before it is a present. */
const HABIT =
  /\b(?:every|each|always|usually|often|sometimes|mostly|daily|weekly|per|when(?:ever)?|an? (?:day|night|week|month|year))\b/i;
/** Verbs that look like past forms. */
const BASES_IN_ED = /^(?:(?:over)?(?:need|feed)|seed|weed|heed|speed|bleed|breed|proceed|succeed|exceed|embed|shred)$/;
const UNCHANGING = setOf(verbs.unchanging);

/** Turns a first-person present verb into the third person singular; past and modal verbs stay, unless it is known to be a base form. */
const conjugated = (verb: string, isBase: boolean): string => {
  const lower = verb.toLowerCase();
  if (lower === 'am' || lower === 'are') return 'is';
  if (lower === 'were') return 'was';
  if (lower === 'have') return 'has';
  if (lower === 'do' || lower === 'go') return `${lower}es`;
  if (lower === "don't") return "doesn't";
  if (lower === "haven't") return "hasn't";
  if (lower === "aren't") return "isn't";
  if (lower === "weren't") return "wasn't";
  const isPast = PAST.has(lower) || LIKE_PRESENT.has(lower) || (/ed$/.test(lower) && !BASES_IN_ED.test(lower));
  if (!isBase && (isPast || UNCHANGING.has(lower) || /n't$/.test(lower) || isThirdPerson(lower))) return verb;
  if (/[^aeiou]y$/.test(lower)) return `${verb.slice(0, -1)}ies`;
  return /(?:s|sh|ch|x|z)$/.test(lower) ? `${verb}es` : `${verb}s`;
};

/** "I wants to go": what is already as it should be. */
const isThirdPerson = (lower: string): boolean => /[^s]s$/.test(lower) && !/^(?:focus|bus|bias|canvas)$/.test(lower);

/**
 * Puts what follows a subject into the third person singular: "never eat fish" → "never eats fish". `isBase`: after does, where no
 * verb is a past form. null if no verb is found.
 */
export const thirdPerson = (predicate: string, isBase: boolean): string | null => {
  const words = predicate.split(' ');
  const at = words.findIndex((word) => !isAdverb(word));
  const verb = words[at]?.replace(/^\p{Lu}(?=\p{Ll})/u, (first) => first.toLowerCase());
  if (verb === undefined || NO_VERB.test(verb)) return null;
  if (!isBase && LIKE_PRESENT.has(verb.toLowerCase()) && HABIT.test(predicate)) return null;
  return [...words.slice(0, at), conjugated(verb, isBase), ...words.slice(at + 1)].join(' ');
};

/** Words after a subject that are certainly not its verb. */
const NO_VERB =
  /^(?:an?|the|my|our|this|that|it|he|she|not?|too|both|all|each|kind|sort|of|in|on|at|to|for|with|from|by|as|than|vs|maybe|perhaps|rather|then|myself|lay)$/i;

/** Whether a word can stand between a subject and its verb. */
const isAdverb = (word: string): boolean =>
  /^(?:also|just|really|only|even|ever|still|almost|seldom|once|first|soon|quite|already|never|always|often|usually|sometimes|currently|recently|now|actually|definitely|probably|\w{3,}ly)$/i.test(
    word,
  ) && !/^(?:apply|reply|rely|supply|comply|imply|multiply|fly|rally|tally|bully)$/i.test(word);

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
  [/\bme\b|(?<!\bthe )\bus\b/g, 'them'],
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
  if (/^we/i.test(clause) && isOfSeveral(rest)) return null;
  const verb = SHORT_VERBS[short.replace('’', "'").toLowerCase()];
  if (verb === 'would' && /^(?:like|love|prefer|rather)\b/i.test(rest)) {
    return aboutUser(
      rest
        .replace(/^(?:like|love)\b/i, 'wants')
        .replace(/^prefer\b/i, 'prefers')
        .replace(/^rather\b/i, 'would rather'),
    );
  }
  // “Looking for a job” began a sentence as it was written.
  if (verb !== undefined)
    return `${verb} ${aboutUser(rest.replace(/^(?:Looking|Hoping|Trying|Wondering|Thinking)\b/, (word) => word.toLowerCase()))}`;
  const wish = /^(.*?)would (?:like|love)\b(.*)$/i.exec(rest);
  if (wish !== null && (wish[1] ?? '').split(' ').every((word) => word === '' || isAdverb(word))) {
    return aboutUser(`wants${wish[2]}`);
  }
  const told = thirdPerson(rest, false);
  return told === null ? null : aboutUser(told);
};

/** Whether what follows “we” is true only of several people: “are students”, “met in 2010”, “have been together”. */
const isOfSeveral = (rest: string): boolean => {
  if (/\b(?:each other|one another|together|both|all of us|of us|apart)\b/i.test(rest)) return true;
  if (
    /^(?:all|each|two|three|four|five|six|meet|met|split|broke up|divorced|agree|disagree|argue|differ)\b/i.test(rest)
  )
    return true;
  if (/^\p{Lu}\w+s\b/u.test(rest)) return true;
  const noun = /^(?:are|were|['’]re) (?:(?:also|just|only|still|now|not|all) )*(.+)$/i.exec(rest)?.[1];
  if (noun === undefined) return false;
  const [is = ''] = noun.split(/ (?:in|on|at|from|with|of|for|to|by|about)\b/i);
  return (
    /^(?:an?|the|\d+|two|three|four|five|six|seven|eight|nine|ten)\b/i.test(is) ||
    (!/^\w+(?:ing|ed)\b|^(?:in|on|at|from|with|of|for|to|by|about|always|\w+less)\b/i.test(is) &&
      /\b(?:\w+[^suio\W]s|people|men|women|children)\b/i.test(is))
  );
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
  /^(?:please )?(?:now )?(?:(?:you are|you['’]re)(?! (?:invited|offered)\b)|you will be|act as|imagine (?:that )?you(?:['’]re| are)|pretend (?:that you are|to be)|suppose you(?:['’]re| are)|your (?:role|character|job) is|assume the role of|take on the role of|play the role of|i want you to act as|as an? (?:expert|professional|experienced|senior|seasoned)\b)/i;

const LET_US_CHANGE = "(?:let['’]s |let us )(?:switch|shift|change) (?:(?:the|our) )?(?:topics?|subjects?|gears)";
/**
 * Announces what comes behind its mark; “change the subject of the email” and “the order of the questions” say what to do, and
 * “another question about visas: how long does it take” names its matter.
 */
const CHANGE_OF_TOPIC = [
  LET_US_CHANGE,
  "(?:i want to |i['’]d like to )?(?:switch|shift|change) (?:(?:the|our) )?(?:topics?|subjects?|gears)|change of (?:topic|subject)",
  '(?:another|one more|an? (?:new|different)|new|different) question (?:about|on|for) [^.:!?]{1,60}(?=:(?!.*\\b(?:its?|this|that|these|those|there|ones?)\\b))',
  '(?:switching|shifting|changing) (?:(?:the|our) )?(?:topics?|subjects?|gears)',
  "(?:let['’]s |let us |i want to |i['’]d like to )?(?:insert|another|new|different|an? (?:new|different|another)|side|topic|return(?:ing)?|go(?:ing)? back)\\b(?:(?!\\b(?:of|in|for|about|on)\\b)[^.:!?]){0,40}\\b(?:topics?|subjects?|requirements?|questions?|insertion|shift|switch)",
].join('|');
/** These also end a sentence; “Change the subject. Too formal.” is about a letter. */
const OTHER_TOPIC = `${LET_US_CHANGE}|(?:an? )?(?:new|different) (?:topic|question)|another question`;
const NOW = '(?: (?:now|please|here|completely|entirely))?';

const LEAD_INS: readonly RegExp[] = [
  /^(?:hi|hello|hey|yo|greetings|good (?:morning|afternoon|evening))(?: (?:there|again|everyone|assistant))?\s*[,.!:–—-]+\s*/i,
  /^(?:thank you|thanks)(?! (?:e-?mail|note|letter|card|text|message|gift|speech|quotes?)s?\b)(?: (?:so|very) much| a lot| again)?(?:,? (?:but|and)|,? for [^,.!?]{1,60}?(?=\s*(?:[,.!:–—]|-\s))|(?!,? for\b))\s*[,.!:–—-]*\s+/i,
  /^(?:ok(?:ay)?|all ?right|well|sure|yes|yeah|yep|great|perfect|cool|awesome|nice|interesting|wait(?: a (?:minute|moment|second))?|hold on|actually|oh|ah|um+|hm+|right|fine|good|no|nope|sorry|anyway|listen|look|i see|got it|understood|sounds good|that['’]s (?:great|good|fine|perfect|helpful|interesting))\s*[,.!;:–—-]+\s*/i,
  /^(?:by the way|btw|also|like|finally|lastly|additionally|furthermore|moreover|besides|in addition|next|first(?:ly)?|second(?:ly)?|meanwhile|however|for now|just curious|out of curiosity|quick question|one more (?:thing|question)|another (?:thing|question)|(?:and now )?(?:for )?something (?:else|different)(?: entirely)?|(?:totally |completely )?unrelated(?:ly)?(?: (?:question|topic))?|on (?:another|a different|a side) (?:note|topic)|in that case|for instance|for example|in particular|specifically|similarly|as for [^,:]{1,40}|speaking of [^,:]{1,60}|changing (?:the )?(?:topic|subject)|i mean|you know|if possible|to be honest)\s*[,.:;–—-]+\s*/i,
  new RegExp(`^(?:(?:${CHANGE_OF_TOPIC})${NOW}\\s*(?:[:–—]+\\s*|-+\\s+)|(?:${OTHER_TOPIC})${NOW}[.!]+\\s+)`, 'i'),
  /^(?:hey|yo|so|and|but|now|then|also|btw|by the way|please|kindly|just|anyway|ok|okay|well|yes|yeah)\s+(?=\S+\s+\S)/i,
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

/** In UTF-16 units: no gesture is longer. */
const LONGEST_GESTURE = 200;

/** Returns what a sentence does that is nothing but gestures; null for any other sentence. */
export const gestureOf = (sentence: string): string | null => {
  if (sentence.length > LONGEST_GESTURE) return null;
  const parts = sentence
    .toLowerCase()
    .replace(/’/g, "'")
    .split(/[.,;:!?…\n]+/)
    .map((part) =>
      part
        .replace(/[^\p{L}\p{N}' ]/gu, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((part) => part !== '');
  if (parts.some((part) => /[^ a-z0-9']/.test(part))) return null;
  if (parts.length === 0 || !parts.every((part) => ONLY_GESTURES.test(part))) return null;
  const plain = parts.join(' | ');
  const gesture = GESTURES.find(([pattern]) => pattern.test(plain))?.[1] ?? null;
  if (gesture === 'needs nothing more' && (GOES_ON.test(plain) || IS_FOUND.test(plain) || !isClearlyNo(plain)))
    return UNCLEAR;
  return gesture === 'agrees' && /\?\s*$/.test(sentence) ? null : gesture;
};

/** What gestures do that say something only together with what was asked: they have no subject, and no words for it but their own. */
export const UNCLEAR = 'answers';

/** “I'm done, continue”: the next step is asked for. */
const GOES_ON = /(?:^| )(?:please do|go ahead|go on|continue)(?: |$)/;
/** “Yes, that's it!”: what was looked for. */
const IS_FOUND =
  /(?:^| )(?:yes|yeah|yep|yup)(?: \|)? that(?:'?s| is) it(?! (?:for|now|today|i need))|that(?:'?s| is) it(?: \|)? exactly/;

/** Whether gestures decline more: “no, that's all”, not “yes and no”, “no, it's fine”, “not really” or “I'm fine”. */
const isClearlyNo = (plain: string): boolean => {
  if (CLEAR_NO.test(plain)) return true;
  const rest = plain.replace(ALL_NOS, ' ');
  if (/(?:^| )(?:yes|yeah|yep|yup|sure)(?: |$)/.test(rest)) return false;
  if (/(?:^| )(?:thank|thanks|thx|cheers|bye|goodbye)(?: |$)|appreciate|see you/.test(plain)) return true;
  return !ANY_YES.test(rest) && !/not really|^i(?:'m| am) fine$/.test(plain);
};

/** A word of what is thanked for; others go on with something else: “thanks for the list add two more”. */
const THING =
  "(?!(?:i|i'm|im|i've|i'll|me|we|my|it's|its|but|now|then|also|can|could|would|will|should|how|what|why|when|where|which|who|if|is|are|do|does|please|pls|plz|let|let's|there|in|no|nothing|never|with|on|about|of|regarding|sounds|looks|works|seems|see you|have a|talk to)\\b)[a-z']+";
const NO_REQUEST = `(?!(?:${[...REQUEST_VERBS].join('|')})\\b)${THING}`;
/** At most what one thing takes: “for your quick help”, “for the recipe idea”, “for helping me with this”, “for the tip on ferries”. */
const THANKED_FOR = [
  '(?:all|the|your|this|that|everything|helping|being)',
  '(?: (?:all|of|the|your|this|that|me|us|so|very|really|such|two|three|great|good|quick|fast|kind|honest|useful|patient|amazing|wonderful|lovely|helpful|detailed))*',
  `(?: ${THING}(?: and (?:your |the )?(?:help|${NO_REQUEST}))?)?`,
  '(?: (?:help|ideas?|tips?|advice|info|information|answers?|explanation|suggestions?|list|recipe|today|again|so much|so far|very much|here|up))*',
  `(?: (?:with|on|about|of|regarding)(?: (?:the|this|that|these|all|everything|it|me|us))?(?: ${NO_REQUEST}){0,2})?`,
].join('');
/** What is thanked for is never divided anew: its words are also gestures, and there would be too many ways to tell them apart. */
const THANKS = `(?:many )?(?:thanks?|thank you|thx|cheers)(?: (?:so|very) much| a (?:lot|bunch|million)| again| for (?=(?<thing>${THANKED_FOR}))\\k<thing>)*`;
const YES =
  "(?:yes|yeah|yep|yup|sure|ok|okay|alright|correct|exactly|right|agreed|perfect|great|good|fine|cool|nice|awesome|absolutely|of course|please|please do|go ahead|go on|continue|(?:it |that |this )?(?:sounds|looks|works|seems)(?: (?:good|great|fine|perfect|perfectly|nice|ok|okay|for me|to me|lovely|right))*|(?:it|that|this)(?:'?s| is) (?:all |very |so )?(?:right|correct|fine|good|great|perfect|ok|okay|awesome|nice|helpful))";
const CLEAR =
  "(?:not now|no thanks|no thank you|never mind|nothing(?: else)?(?! (?:else )?(?:works|looks|seems|sounds|right|correct|good|great|fine|perfect|nice|cool|awesome)\\b)|(?:that(?:'?s| is| will be| would be)|it's) (?:all|it)(?! (?:very |so )?(?:right|correct|good|fine|great|perfect|ok|okay|awesome|nice|helpful)\\b)(?: (?:for )?(?:now|today|i need|i needed))*|i(?:'m| am) (?:all set|done)|i don't need anything(?: else)?)";
const NO = `(?:${CLEAR}|no|nope|nah|not really|i(?:'m| am) (?:good|fine))`;
const GREETING =
  '(?:hi|hello|hey|good (?:morning|afternoon|evening)|greetings)(?: (?:there|again|everyone|assistant))?';
const BYE =
  "(?:(?:good ?)?bye(?: bye)?|good ?night|see you(?: [a-z]+)?|for now|have a (?:nice|good|great|lovely) \\w+|(?:i'll )?talk to you later)";
const HELPFUL =
  "(?:you(?:'ve| have)? been (?:a |very |so |such a |really )*(?:\\w+ )?help(?:ful)?|i appreciate (?:it|that|your help))";
const ONLY_GESTURES = new RegExp(
  `^(?:(?:${NO}|${THANKS}|${HELPFUL}|${BYE}|${GREETING}|${YES}|and|but|then|so|well|assistant)(?: |$))+$`,
);
const CLEAR_NO = new RegExp(`(?:^| )${CLEAR}(?: |$)`);
const ALL_NOS = new RegExp(`(?<=^| )${NO}(?= |$)`, 'g');
const ANY_YES = new RegExp(`(?:^| )${YES}(?: |$)`);
/** What several gestures in one sentence amount to: the first match counts. */
const GESTURES: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`(?:^| )${NO}(?: |$)`), 'needs nothing more'],
  [new RegExp(`(?:^| )(?:${THANKS}|${HELPFUL})(?: |$)`), 'thanks the assistant'],
  [new RegExp(`(?:^| )${BYE}$`), 'says goodbye'],
  [new RegExp(`^${GREETING}$`), 'greets the assistant'],
  [new RegExp(`(?:^| )(?:${YES}|${GREETING})(?: |$)`), 'agrees'],
];
