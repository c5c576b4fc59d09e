/*
 * Discourse cues: words by which an English speaker signals what a message does to the conversation, whatever it is
 * about (Grosz & Sidner 1986 call them cue phrases). A cue is evidence, never a rule: its worth is measured, not
 * written here.
 */

import { plain } from '../text/words.ts';

/**
 * The question mark of a text that ends by asking, and what may stand behind it: more marks, closing ones and those of
 * Markdown, emoji, thanks.
 */
export const ENDS_ASKING =
  /[?？؟](?:[?？؟!.…,:;\s*_~`"'”’»()\]^\-\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]|\u200d|\ufe0f|\b(?:(?:many )?thanks?|thank you|thx|ty|cheers|please|pls|plz)(?: (?:so much|very much|a lot|in advance))?\b){0,40}$/iu;

/** “Don't forget” and “I always forget” take nothing back. */
const FORGET = String.raw`(?<!(?:n't|\b(?:not|never|always|to|i|i'll|we|will|might)) )forget`;
/** Not “a drop”, “eye drop”, “drop-down”, “drop off”. */
const DROP = String.raw`(?<!\b(?:an?|the|eye|ear|cough) )drop`;
const NOT_A_DROP = String.raw`(?!-| (?:down|box|off|out)\b)`;
/** Not “climate change”, “light switch”. */
const CHANGE = String.raw`(?<!\b(?:climate|oil|small|loose|light|nintendo) )(?:chang|switch)`;
/** Not “my lower back”. */
const LOWER = String.raw`lower(?! (?:back|abdomen|belly|body|leg|jaw|case)\b)`;
/** “Not any more”, but not “any more ideas?”. */
const ANY_MORE = String.raw`anymore|any more(?<=\b(?:not|never|no one|nobody|\w+n't) (?:[\w']+ ){0,5}any more)`;
/** Not “scrap metal”. */
const NOT_MATERIAL = String.raw`(?! (?:metal|paper|wood|fabric|iron|yard)\b)`;
/** Behind a word that answers: “good, …”, “good idea”, “no it isn't”, and not “good pasta”, “no bake cheesecake”, “Noël”. */
const AS_ANSWER = String.raw`(?=\s*(?:$|[^\w\s\u00c0-\u024f-]|-\s)| (?:idea|point|choice|one|question|answer|advice|tip|suggestion|job|work|stuff|news|thanks?|thx|thank you|to (?:know|hear)|so|but|and|now|then|also|i|i'\w+|that|that's|this|these|it|it's|let|let's|what|what's|which|how|how's|why|when|where|who|can|could|would|should|will|do|does|is|are|we|you|they|he|she|not|just|only|need|don't|please|make|use|keep|the|my|with me|by me|problem|worries)\b)`;

/** “As you said earlier”, “the earlier plan”, not “an earlier train”, “a bit earlier”. */
export const EARLIER = String.raw`(?<!\b(?:an?|any|up|bed|much|even|bit|little|far|hours?|days?|weeks?|months?|years?|minutes?|get|go|leave|start|arrive) )earlier\b(?! (?:flight|train|bus|date|time|slot|start|appointment|than|today|this (?:week|month|year))\b)`;

const PATTERNS = {
  returns: new RegExp(
    String.raw`\b(?:(?:get|go|going|come|coming|turn|turning|return|returning|circle|circling|switch|jump|move) back\b(?! (?:pain|ache|home|at|from|in|together)\b)(?: to)?|back to\b|return(?:ing)? to\b|(?:re)?visit(?:ing)? (?:our|the|my)\b|as for\b|as we (?:discussed|said)|(?:you|we|i) (?:mentioned|discussed|talked about|spoke of|planned|said)\b|${EARLIER}|previous(?:ly)?\b|(?:continu|resum)(?:e|ing) (?:with|planning|the|our)\b|where were we\b|still on\b|once more\b|again\b)`,
  ),
  regards:
    /^(?:(?:ok(?:ay)?|so|now|well|and),? )?(?:regarding|concerning|about(?! (?:\d|(?:an?|half an?) (?:\w+ )?(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|miles?|kilomet(?:er|re)s?|inch|foot|met(?:er|re)|yard|cups?|teaspoons?|tablespoons?|pounds?|kilos?|grams?|lit(?:er|re)s?|gallons?|dozen|third|quarter|couple|hundred|thousand|million)\b|(?:half|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety|once|twice|the same)\b))|as (?:for|to)|with regard to|when it comes to|in terms of|on the topic of)\b/,
  opens:
    /\b(?:by the way|btw|incidentally|(?:an)?other (?:question|topic|subject|thing|matter)|(?:different|new|unrelated|separate) (?:question|topic|subject|matter)|(?:chang|switch|shift)\w* (?:the )?(?:topics?|subjects?)|different (?:topic|subject)|off[- ]topic|on a(?:n?other| side| different| separate|n unrelated| completely different) note(?! pad)|side question|out of curiosity|just curious|(?:quick|random|unrelated|separate) question|unrelated(?:ly)?|i(?:'m| am) also (?:looking|trying|planning|thinking)|(?:^(?:(?:ok(?:ay)?|so|now|and|but|well|thanks?|thank you)[,.!]* )*|\babout |\bask(?: you)? )something (?:(?:completely|entirely|totally) )?else|i was wondering(?! if you (?:could|can|would|might)\b)|i also (?:need|want) (?:to|help))\b/,
  associates:
    /\bspeaking of\b|\bthat reminds me\b|(?<!\b(?:do|did|can|could|should|would|must|shall|may|if|when|before|after) )\bi(?:'ve)? (?:just )?(?:heard|read)\b/,
  revises: new RegExp(
    String.raw`\b(?:instead|rather than|on second thoughts?|(?:${CHANGE}|replac|swap|adjust|rais|reduc|${LOWER}|increas|decreas|reset|revert|undo|modif)(?:e|es|ed|ing|ify|y|t)?\b|actually|no longer|${ANY_MORE}|remov(?:e[sd]?|ing)\b|${DROP}(?:ped|ping)?\b${NOT_A_DROP}|delet(?:e[sd]?|ing)\b|cancel(?:l?ed|s)?\b|(?<!\bnoise[- ])cancell?ing\b|get rid of|${FORGET} (?:it|about|the|that)|never ?mind|nvm\b|scrap(?:ped)?\b${NOT_MATERIAL}|scratch that\b(?! itch)|skip the|(?:i|we)(?:'ve| have)? (?:changed|reconsider|decided)|reconsider\w*|changed? (?:my|our) minds?|too (?:much|complicated|hard|expensive|difficult|long|cold|far|many)|bring (?:\w+ ){0,3}back\b|add (?:\w+ ){0,3}back in\b|keep the \w+ then|stop using|let's (?:not|try)|don't (?:want|need|like)|do not (?:want|need|like)|won't|would rather|i'd rather|better (?:to )?(?:switch|cancel)|redundant)`,
  ),
  alternative:
    /\b(?:instead|alternativ\w+|what if|another (?:option|way|approach|version|alternative)|other options?|a different (?!topic|subject|question|matter)\w+|let's not|rather than|set(?:ting)? aside|other than|change back|revert)\b/,
  reconsiders: new RegExp(
    String.raw`\b(?:after all|on second thoughts?|(?:stay|stick|go) with the\b.*\bthen\b|let's not\b|let us not\b|(?:is|are|was|were|sounds?|seems?) too (?:much|far|long|expensive|complicated|hard|difficult|cold|many)|changed? (?:my|our) minds?|${FORGET} (?:about )?the)\b`,
  ),
  drops: new RegExp(
    String.raw`\b(?:no (?:need|longer|more)|(?:do not|don't|won't|doesn't|not) (?:need|want|use|include|do|bother)|${FORGET}|cancel|scrap${NOT_MATERIAL}|scratch that(?! itch)|${DROP}${NOT_A_DROP}|exclude|remove|get rid of|skip|never ?mind|nvm|ditch|leave out|without)\b|^no\b${AS_ANSWER}|^no (?:[\w-]+ ){1,3}(?:please|pls|plz|thanks?|though|at all|in (?:it|mine)|for (?:me|us))\b`,
  ),
  restores:
    /\b(?:(?:keep|stick (?:with|to)|stay with|go(?:ing)? (?:back )?(?:with|to)|back to|bring back|restore|return to) the\b|after all\b|as (?:it|they) (?:was|were) before|as before\b|original(?:ly)?\b|still want\b|the (?:first|previous|earlier|old) (?:one|version|plan|idea|option)\b|undo\b|revert\b)/,
  'wraps up':
    /\b(?:final(?:ised|ized)?(?! (?:exam|exams|year|season|round)\b)|finally|complete(?! (?:beginner|novice|newbie|noob|stranger|idiot)s?\b)|full(?![ -](?:time|moon|size|body|name|of)\b)|entire|whole(?! (?:milk|wheat|grain|grains|foods?|life|day|night|time|week|family|body|chicken)\b)|overall|current(?! (?:job|employer|salary|boss|landlord|address|weight|age|phone|car|events)\b)|summar\w+|recap|so far|everything|all (?:the|of the|current|implemented)|put (?:it|this|that) (?:all )?together|altogether)\b/,
  'goes on':
    /^(?:(?:ok(?:ay)?|well|great|good|nice|cool|sure|yes|yeah|thanks?)[,.!]* )?(?:and|also|then|so|but|or|what about|how about|what else|anything else|in addition|besides|next(?! (?:week|weekend|month|year|time|spring|summer|autumn|fall|winter|semester|term|door|\w+day)\b)|now(?! that\b)|continue|go on|tell me more|more|first(?! (?:time|aid|date|class|grade|day|floor|of all)\b)|second(?![ -](?:hand|time|world|grade|floor)\b)|finally|lastly|(?:please )?add|(?:please )?include)\b/,
  accepts: new RegExp(
    String.raw`^(?:(?:yes|yeah|yep|nope|ok|okay|sure|thanks?|thank you|that(?:'s| is| sounds| works)|sounds|i see|understood|got it|alright|wow|definitely|exactly)\b|(?:no|great|good|nice|perfect|cool|interesting|awesome|right|fine)\b${AS_ANSWER})`,
  ),
  'refers back':
    /\b(?:it(?! (?:takes?|costs?) to\b)|its|they|them|their|this|that(?! (?:i|you|we|he|she|they|my|our|the|an?)\b)|these|those|he|she|him|her|one|ones|(?<!\b(?:is|are|was|were|will|if) )there(?!(?:'s| is| are| was| were| will)\b)|then|both|either|neither|the (?:first|second|third|last|other|former|latter|same|above))\b/,
  'asks in general':
    /^(?:(?:hey|hi|so|well|ok(?:ay)?|and|also|anyway)[,.!]* )?(?:in [a-z ]+, )?(?:what(?:'s| is| are| was| were| exactly)\b|what (?:does|do|did)\b|how(?:'s| (?:do|does|did|can|could|is|are|to|much|many|effective))\b|why\b|who\b|when(?:'s| (?:did|was|is))\b|where(?:'s| (?:is|are|does))\b|which\b|can you (?:briefly )?(?:explain|tell)|could you (?:briefly )?(?:explain|tell)|explain\b|describe\b|define\b|is it true|is there|are there|do(?:es)? (?:the|a|an)\b)|\b(?:the (?:key |main |important |essential )?differences? between|pros and cons|advantages and disadvantages|advantages of|best practices?|compare[sd]? to|what exactly|is (?:this|that|it) true)\b/,
  'asks for knowledge':
    /\b(?:differences? between|pros and cons|advantages|disadvantages|best (?:practices?|ways?)|how (?:do|can|should|would|might) (?:i|you|we|one|people)\b|how (?:do|does|did|is|are|has|have) [\w-]+|why (?:do|does|did|is|are|was|were|should)\b|what(?:'s| is| are| causes?| makes?)\b(?! (?:their|its|your|my|our|that|this|it|the (?:price|phone|address|cost|time|rating|name|number|date|total)))|explain\b|key (?:points|considerations|factors|metrics)|(?:security|ethical) (?:considerations|measures|practices)|is it (?:true|safe|possible)|typical|challenges|requirements|compare)\b/,
  'asks about itself':
    /\b(?:your favou?rite|do you (?:prefer|like|enjoy|have|think|believe|know|ever)|have you ever|what do you (?:think|like|do)|are you (?:a|into)|how are you)\b/,
  'weighs a choice':
    /\b(?:should (?:i|we)\b|which (?:one|is better|would be better|do you recommend|should)\b|better for (?:my|our|this|the)\b|suit(?:s|able)? (?:for )?(?:me|us|my|our|this|the)\b|(?:for|in|of|with|about|to) (?:my|our|us|this)\b|recommend|any (?:suggestions?|ideas?|recommendations?)|necessary)\b/,
  instructs:
    /^(?:(?:ok(?:ay)?|so|now|then|also|and|first|next|finally|wait|instead|understood|great|good)[,.]* )?(?:please |can you |could you |i'd like you to |i want you to |let's |let us )?(?:please )?(?:add|implement|include|integrate|create|build|make|write|design|develop|plan|set|modify|change|replace|remove|reduce|raise|increase|adjust|update|keep|use|switch|incorporate|allocate|extend|improve|optimi[sz]e|provide|give|show|list|generate|convert|move|insert|focus|put|turn|refactor|fix|stop|start|allow|ensure|find|book|get|help|recommend|suggest|arrange|schedule)\b/,
  decides:
    /\b(?:i(?:'ve| have)? (?:decided|chosen)|i(?:'ll| will)\b|let's\b|i(?:'d| would) (?:like|prefer|still|rather|better)|(?<!\b(?:do|did|does|would|should|could|might|will|can|must) )(?:i (?:want|need|prefer|choose|hope|plan)|we (?:want|need|hope))\b|we (?:have decided|will)\b|we're (?:going|switching)|i'm (?:going|switching)|my (?:goals?|budget)\b|(?:sounds?|looks?) (?:good|great|nice))/,
  seeks:
    /\b(?:find|search(?:ing)?|look(?:ing)? (?:for|up)|book|reserve|reservation|buy|purchase|(?<!\b(?:in|what|which|the|my|your|our|this|that|any|right|same|alphabetical|chronological) )order|i(?:'m| am) interested in|is there|are there|any other)\b/,
  adds: /\b(?:also|too(?=\s*(?:$|[^\w\s-])| (?:please|pls|plz|thanks?|thx|but|and|or)\b)|as well|another(?! (?:question|topic|subject|matter|note|thing)\b)|(?<!something )else|in addition|additional(?:ly)?|besides)\b/,
  'names the work':
    /\b(?:the|my|our|this|your) (?:[\w-]+ ){0,3}(?:plan|script|code|project|app|application|program|function|functionality|budget|schedule|itinerary|trip|design|list|report|system|solution|recipe|menu|draft|essay|story|text|feature|version|page|site|api|model|tool|game)s?\b/,
  'sets a task':
    /\b(?:write|create|build|make (?:me )?an? (?!reservation)|develop|design|plan|draft|implement|prepare|compose)\b/,
  'assigns a role':
    /\b(?:your (?:role|character) is|you are an?\b|act as|suppose you are|imagine you(?:'re| are)|pretend)\b/,
  'tells of oneself': /\b(?:i'm|i am|i've|i have|i was|my)\b/,
  asks: ENDS_ASKING,
  numbers: /\p{Nd}/u,
} as const satisfies Record<string, RegExp>;

export type Cue = keyof typeof PATTERNS;
export const CUES = Object.keys(PATTERNS) as Cue[];

/** Returns the cues in a message, each with the words that matched, in lower case. */
export const cuesOf = (message: string): ReadonlyMap<Cue, string> => {
  if (message !== last?.message) last = { message, cues: read(message) };
  return last.cues;
};
// Cached: every question about a message asks for its cues.
let last: { readonly message: string; readonly cues: ReadonlyMap<Cue, string> } | null = null;

const read = (message: string): ReadonlyMap<Cue, string> => {
  const text = plain(message);
  const found = new Map<Cue, string>();
  for (const cue of CUES) {
    const words = PATTERNS[cue].exec(text)?.[0];
    if (words !== undefined) found.set(cue, words.trim());
  }
  return found;
};

/** Whether a message takes back or changes something said before, so that a turn's parent may be forked. */
export const revises = (message: string): boolean => PATTERNS.revises.test(plain(message).replace(OTHERS_REFUSE, ''));
/** “My cat won't eat”, unlike “we won't need it” and “that won't do”. The cue has it too: deciders are fitted to it as it is. */
const OTHERS_REFUSE = /(?<!\b(?:i|we|it|that|this|those|these) )won't/g;

const WHOLLY =
  '(?:(?:completely|entirely|totally|quite|very|whole|slightly|somewhat|kinda|kind of|sort of|a bit|a little) )?';
/** “Let's talk about”, “can we switch to”, “now for”. */
const TO_IT =
  "(?:(?:let's|let us|can we|could we|shall we|i want to|i'd like to) (?:talk about|chat about|discuss|move on to|switch to|go on to) |moving on to |for |on to |on |to )?";
const OTHER_THING = new RegExp(`^${TO_IT}something ${WHOLLY}(?:else|different)$`);
/** “Can we talk about something else? …”, “now for something different. …”: unlike “Something else? …”, no answer to a suggestion. */
const SPOKEN_OF = /\b(?:about|discuss|for|on|to) something\b/;
/** What is added to what goes on is no other topic: “one other thing”, “another question”. */
const OTHER_TOPIC = new RegExp(
  `^${TO_IT}(?:an? |the |one )?${WHOLLY}(?:(?:(?:an)?other|different|new|next|unrelated|separate) (?:topic|matter)|(?:an)?other subject|(?:different|unrelated|separate|random) (?:question|thing|subject)|new question|unrelated(?: to (?:this|that))?|off[- ]topic(?: question)?|(?:topic|subject) change|change of (?:topic|subject)|(?:let's |let us |let me |can we |could we |i want to |i'd like to )?(?:change|switch) (?:(?:the )?topics?|subjects?)|(?:let's |let us |let me |can we |could we )(?:change|switch) (?:the )?(?:subjects?|gears)|(?:chang|switch)ing (?:the )?(?:topics?|subjects?|gears))(?: (?:please|pls|plz|here|now))?$`,
);
const NEXT_TOPIC = /\b(?:another|next) (?:topic|matter)\b/;
const POLITELY = /\b(?:please|pls|plz|thanks?|thank you|thx)\b/g;
const ON_ANOTHER_NOTE = new RegExp(`^on (?:another|an? ${WHOLLY}(?:different|new|unrelated|separate)) note$`);
/** In a letter that is being written, what stands behind it in capitals or marks is its subject line. */
const NEW_SUBJECT = /^(?:(?:the|a) )?new subject$/;
const SUBJECT_LINE = /^\s*["'“”„«\p{Lu}]/u;
/** Needs no mark behind it: “off topic but how do you boil eggs”. */
const OTHER_BUT = new RegExp(
  `^(?:(?:i know )?(?:this|it|that)(?:'s| is) )?(?:an? )?${WHOLLY}(?:(?:(?:different|new) topic|(?:different|unrelated|separate|random) question|change of (?:topic|subject)|off[- ]topic|not related|nothing to do with (?:this|that)),? but\\b|(?:unrelated|random)(?: to (?:this|that))?,? but (?:what|which|how|why|when|where|who|do|does|did|is|are|was|were|have|has|can|could|should|would|will|any|you|i|my)\\b)`,
);
const BEFORE_IT =
  /^[^\p{L}\p{N}]*(?:(?:ok(?:ay)?|so|now|and|also|but|for|well|right|good|great|cool|perfect|nice|awesome|alright|anyways?|thanks?(?: you)?|thx|ty|oh|ah|hey|hi|hello|hmm+|sorry|lol|haha|yes|yeah|yep|no|nope|actually|wait|incidentally|by the way|btw)[^\p{L}\p{N}']+)+|^[^\p{L}\p{N}]+/u;

/** Separates the announcement from what it is about; a part of its own when a message is split. */
const ANNOUNCED = /([:：–—\n]|\s-\s|[.!?](?=\s)|[。！？।؟۔])/u;
const SENTENCE_END = /[.!?。！？।؟۔]/u;
/** How many leading parts of a message may hold the announcement. */
const FIRST_PARTS = 3;
/** In UTF-16 units. */
const LONGEST_ANNOUNCEMENT = 120;

/**
 * Whether a message says explicitly that it is about something else, before saying what: “different topic: …”,
 * “something else – …”. “Something else, cheaper” and “Something else? I've seen that one.” do not: that is another of the same. Nor
 * does “next topic” alone, which goes on with a course. `read` renders non-English text in English.
 */
export const announcesOther = (message: string, read: (text: string) => string): boolean => {
  const said = (text: string) => plain(read(text)).replace(BEFORE_IT, '');
  if (OTHER_BUT.test(said(message.slice(0, LONGEST_ANNOUNCEMENT)))) return true;
  // Every other piece is a mark.
  const pieces = message.split(ANNOUNCED, 2 * FIRST_PARTS + 1);
  return pieces.slice(0, 2 * FIRST_PARTS).some((part, at) => {
    if (at % 2 === 1) return false;
    const [mark = '', ...rest] = pieces.slice(at + 1);
    const [behind] = rest;
    const whole = said(part);
    if (behind !== undefined && OTHER_THING.test(whole))
      return !SENTENCE_END.test(mark) || SPOKEN_OF.test(plain(read(part)));
    if (NEW_SUBJECT.test(whole)) return behind === undefined || !SUBJECT_LINE.test(behind) || ENDS_ASKING.test(message);
    // A comma is enough if a topic is named as such: “ok, different topic, …”.
    const clauses = part.split(/[,，、،]/u);
    return [1, 2].some((count) => {
      const clause = said(clauses.slice(0, count).join(' '));
      const isOther = OTHER_TOPIC.test(clause) || ON_ANOTHER_NOTE.test(clause);
      return isOther && !(NEXT_TOPIC.test(clause) && saysNothing([...clauses.slice(count), ...rest].join(' ')));
    });
  });
};

const saysNothing = (text: string): boolean => !/\p{L}/u.test(plain(text).replace(POLITELY, ''));
