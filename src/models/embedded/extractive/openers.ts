/** A sentence that gives the model a part to play: it says little of what the turn is about. */
const ROLE =
  /^(?:please )?(?:now )?(?:you are|you['’]re|you will be|act as|imagine (?:that )?you(?:['’]re| are)|pretend (?:that you are|to be)|suppose you(?:['’]re| are)|your (?:role|character|job) is|assume the role of|take on the role of|play the role of|i want you to act as|as an? (?:expert|professional|experienced|senior|seasoned)\b)/i;

const LEAD_INS: readonly RegExp[] = [
  /^(?:hi|hello|hey|yo|greetings|good (?:morning|afternoon|evening))(?: (?:there|again|everyone|assistant))?\s*[,.!:–—-]+\s*/i,
  /^(?:thank you|thanks?)(?: (?:so|very) much| a lot| again)?(?:,? (?:but|and|for [^,.!?]{1,60}))?\s*[,.!:–—-]*\s+/i,
  /^(?:ok(?:ay)?|all ?right|well|sure|yes|yeah|yep|great|perfect|cool|awesome|nice|interesting|wait(?: a (?:minute|moment|second))?|hold on|actually|oh|ah|um+|hm+|right|fine|good|no|nope|sorry|anyway|listen|look|i see|got it|understood|sounds good|that['’]s (?:great|good|fine|perfect|helpful|interesting))\s*[,.!;:–—-]+\s*/i,
  /^(?:by the way|btw|also|like|finally|lastly|additionally|furthermore|moreover|besides|in addition|next|first(?:ly)?|second(?:ly)?|meanwhile|however|for now|just curious|out of curiosity|quick question|one more (?:thing|question)|another (?:thing|question)|on (?:another|a different|a side) (?:note|topic)|in that case|for instance|for example|in particular|specifically|similarly|as for [^,:]{1,40}|speaking of [^,:]{1,60}|changing (?:the )?(?:topic|subject)|i mean|you know|if possible|to be honest)\s*[,.:;–—-]+\s*/i,
  /^(?:let['’]s |let us |i want to |i['’]d like to )?(?:switch|shift|change|changing|switching|shifting|insert|another|new|different|a new|a different|side|topic|return|go(?:ing)? back)\b[^.:!?]{0,40}\b(?:topics?|subjects?|gears|requirements?|questions?|insertion|shift|switch)\b[^.:!?]{0,25}[.:!?–—-]+\s*/i,
  /^(?:hey|yo|so|and|but|now|then|also|please|kindly|just|anyway|ok|okay|well|yes|yeah)\s+(?=\S+\s+\S)/i,
];

/** A sentence without its role prefix, greeting and lead-in; empty if that is all it is. */
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

/** What a short sentence does that says nothing else. */
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
/** What several gestures in one sentence come to: the first found counts. */
const GESTURES: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`(?:^| )${NO}(?: |$)`), 'needs nothing more'],
  [new RegExp(`(?:^| )(?:${THANKS}|${HELPFUL})(?: |$)`), 'thanks the assistant'],
  [new RegExp(`(?:^| )${BYE}$`), 'says goodbye'],
  [new RegExp(`^${GREETING}$`), 'greets the assistant'],
];
