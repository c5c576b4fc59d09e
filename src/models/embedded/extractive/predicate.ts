import { sentencesOf } from '../../../engine/text/sentences.ts';
import { isStopWord, setOf, wordsOf } from '../../../engine/text/words.ts';
import { grammarOf, titleLanguage } from './title-words.ts';
import {
  aboutUser,
  afterSubject,
  gestureOf,
  isVerbForm,
  REQUEST_VERBS,
  thirdPerson,
  UNCLEAR,
  withoutOpeners,
} from './verbs.ts';

/** “If we travel in May, what should we pack?” */
const CONDITION = /^(if\b[^?,]*), (?:then )?(.+)$/i;

/**
 * Rewrites a message as what follows “The user”: “How do I sort a list?” → “asks how to sort a list”. null if that is not certain
 * to be right: the message is then quoted. English only, one sentence, of a form that the rules know.
 */
export const asPredicate = (message: string): string | null => {
  const formal = formalised(message);
  const gesture = gestureOf(formal);
  if (gesture !== null) return gesture === UNCLEAR ? null : gesture;
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
  const statement = clause.replace(/(?:,? please)?[.!\s]*$/i, '');
  return RUN_ON.test(statement) ? null : afterSubject(statement);
};

/** Two sentences without a mark between them, or a last word that is none of the statement. */
const RUN_ON =
  /^(?:\S+ ){3,}(?:(?:do (?:i|we)|(?:does|did|is|are|can|could|should|would|will) (?:i|we|it|he|she|this|that|there|the|my))\b|what['’]s\b|what (?:do|does|is|are|should|can)\b|(?:it|that)['’]s\b|its (?:an?|the|my|not|so|all|only|just|too|very)\b)|\bplease\b|\bi (?:guess|think|suppose|reckon|mean|hope)$/i;

/**
 * Words that the rules would get wrong: other people (“they” would be both), the assistant, reported speech, and words that join
 * two clauses, of which only the first is rewritten.
 */
const isUnsure = (clause: string): boolean => {
  const about = clause.replace(/^i['’]d (?:like|love|prefer)/i, '');
  return (
    /[“”"«»„:;()…/]|(?:^|\s)['‘](?!\d)\w|,\s|\s[–—-]\s|\b(?:they|them|their|theirs|themselves|someone|you|your|yours|yourself|u|ur|said|says|told|and|but|so|because|bc|then|lol|tho|btw|rn)\b|n['’]t i\b|\b(?:aint|thats|whats|theyre|youre|hes|shes|theres|wheres)\b|['’](?:re|d)\b/i.test(
      about,
    ) ||
    NOT_THE_USER.test(about) ||
    NAMED_FOR_ONE.test(about)
  );
};

/** “World War I”, “us dollars”, “a coal mine”, “how to say I miss home”: not the person who writes. */
const NOT_THE_USER = new RegExp(
  [
    String.raw`\bI(?:-|['’]?$)|\b(?:part|type|chapter|level|stage|exit|grade|article|section|title|scene|phase) I\b(?!['’]| (?:also |really |just |never |always )?(?:am|was|have|had|has|can|could|should|would|will|do|did|don't|didn't|want|need|use|like|love|live|work|know|think|mean|read|wr\w+|cho\w+|saw|see|got|get|took|made|make|bought|buy|\w+ed)\b)|\b(?:is|are|an?|the|of|with|does|letter|war|volume|vol|act|appendix|tier|schedule|calculus|algebra|elizabeth|charles|james|henry|francis|napoleon|nicholas|richard|edward|george|william) I\b`,
    String.raw`\b(?:say|saying|words?|phrase|pronoun) (?:I|my|we|me|us|our|mine)\b|\b(?:use|translate|spell) (?:I|we|me)\b`,
    String.raw`(?:^who\b.{0,40}\b(?:wrote|sang|sings?|directed)|^(?!write\b).{0,40}\b(?:lyrics|chords|cast of)\b(?! for\b)).{0,80}\b(?:I|my(?! (?:favou?rite|own)\b)|me|we|us|our)\b`,
    String.raw`\b(?:an?|in|to|between|under|per) us\b|\bfrom us(?= \w)|\bus (?:and|or|to) (?:uk|canada|mexico|china|japan|india|europe|australia)\b`,
    String.raw`(?<!\b(?:gives?|gave|tells?|told|shows?|helps?|lets?|sends?|gets?|makes?|teach|find|brings?|takes?|saves?|recommend|suggest|offers?|leaves?|pays?|from|for|of|join|remind|book|buy|asks?|costs?|wants?|keeps?) )\bus (?!(?:to|and|in|for|with|on|at|about|all|both|the|an?|this|that|when|if|today|tonight|tomorrow|now)\b)\w`,
    String.raw`(?<=\b(?:(?:an?|the|this|that|every|each|near|nearest) (?:[\w-]+ ){0,2}|(?:i|we|you|to|can|could|people) ))(?<!\b(?:is|are|was|were|of|like|not|than|as|with|for) )\bmine\b|\bmine(?= (?:safety|workers?|shafts?|fields?|site|bitcoin|gold|coal|craft)\b)`,
  ].join('|'),
  'i',
);
/** What is named for somebody else's “my”: “My Fair Lady”. */
const NAMED_FOR_ONE = /\S (?:My|Our|Me|We|Us|Mine)\b/;

/** Whether a text has enough English function words, and no letter foreign to English. */
const isEnglish = (text: string): boolean => {
  const words = wordsOf(text);
  return (
    !/[^\x20-\x7e‘’–—…€£°]/u.test(text) &&
    words.length >= 2 &&
    words.filter(isStopWord).length >= words.length * 0.2 &&
    !FOREIGN_OPENING.test(text) &&
    !isForeign(text, words)
  );
};

/**
 * “I” is also an Italian article, before a plural in -i, and a Scandinavian “in”; “we” and “help” are Dutch, too, where “we” goes with
 * a verb in -en. Of a few words, they would be enough English.
 */
const FOREIGN_OPENING =
  /^(?:I (?:(?!(?:ski|taxi)\b)\w+i|dag|kveld|aften|morgen|morgon|natt?|sommer|sommar|vinter)|(?:we|help me) (?!(?:(?:re)?open|even|often|listen|happen|garden|fasten|hasten|christen|(?:bright|broad|cheap|dark|damp|deep|fatt|flatt|fresh|fright|hard|height|length|less|light|loos|moist|quick|rip|rough|sadd|sharp|short|slack|soft|stiff|straight|strength|sweet|thick|threat|tight|tough|weak|whit|wid|wors)en)\b)\w+(?:en|aan))\b/i;

/** English nouns and verbs that are function words of another language. */
const HOMOGRAPHS = setOf('bare bin car die door man men mine plus pour war want');

/** Whether a text is likely another language, and has more function words of that one alone than words of English alone. */
const isForeign = (text: string, words: readonly string[]): boolean => {
  const language = titleLanguage(text);
  if (language === 'en') return false;
  const isOfEnglish = (word: string): boolean =>
    isStopWord(word) || grammarOf(word, 'en') !== 'content' || HOMOGRAPHS.has(word.toLowerCase());
  const isOfOther = (word: string): boolean => grammarOf(word, language) !== 'content';
  const own = words.slice(1).filter((word) => {
    const plain = word.toLowerCase();
    return !isOfOther(plain) && (isOfEnglish(plain) || REQUEST_VERBS.has(plain) || isVerbForm(plain));
  });
  return words.filter((word) => isOfOther(word) && !isOfEnglish(word)).length > own.length;
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
/** What begins a noun phrase. */
const DETERMINER = '(?:the|an?|my|our|this|that|these|those|his|her|its|some|each|every|one|another|\\d[\\d.,]*)';
const PREPOSITION =
  '(?:for|about|to|with|of|at|in|on|from|by|like|up|into|without|during|since|after|before|behind|under|over|than)';
/** Words of a question's subject, none of them an auxiliary. */
const FILLER =
  '(?: (?!(?:do|does|did|is|are|was|were|can|could|would|will|should|shall|may|might|must|ought|has|have|had)\\b)[^ ,?]+)';
const NOUNS_IN_ING =
  '(?:meeting|wedding|building|opening|closing|parking|evening|morning|briefing|training|hearing|booking|viewing|painting|ending|king|ring|thing|spring|setting|reading|wing|string|clothing|ceiling|landing|crossing|screening|fitting|meaning|recording|beginning|learning|computing|marketing|housing|something|anything|nothing|everything)';
/** What one can ask for with “any”; “any crocs in it” asks whether there are. */
const ASKABLE =
  '((?:(?:good|better|nice|cheap|easy|simple|quick|healthy|other|more|specific|useful|great) )*(?:tips|tricks|hints|ideas|suggestions|recommendations|recs|advice|thoughts|opinions|examples|alternatives|options|resources|help|feedback|information|info)(?! (?:appreciated|welcome|needed))|(?:good|nice|cheap|easy|simple|quick|healthy|great|decent) [^ ]+s)';
const WH = '((?:what|which|where|when|why|who|whom|whose|how)(?: (?!and )[^ ,?]+){0,5}?)';

/**
 * “How could I forget my birthday”, “how do I look in this dress” ask for no way to do it; “how do I look like a pro” does. “How they
 * could …” may be told instead.
 */
const NO_WAY_SOUGHT =
  'how could (?:i|we) (?:ever |possibly |just )*(?:be|believe|betray|fail|fall|forget|forgive|hurt|ignore|let|lose|miss|not|overlook|trust)\\b|how do (?:i|we) (?:come across|compare|look|seem|smell|sound)(?: (?:in|on|with|without|today|tonight|now|here|to (?:you|others|people))\\b|$)';

/** From a direct question (without its question mark) to what follows "The user"; the first that fits is used. */
const RULES: readonly Rule[] = [
  [/^(?:what|how) about (.+)$/i, (x) => `asks about ${x}`],
  [
    new RegExp(
      `^(?!${NO_WAY_SOUGHT})how (?:(?:do|can|could|should|would|might) (?:i|we|you|one)|to) (?:best )?(?!know so|feel|think|have)(.+)$`,
      'i',
    ),
    (x) => `asks how to ${x}`,
  ],
  [/^why not (.+)$/i, (x) => `asks why not ${x}`],
  [/^what if (.+)$/i, (x) => `asks what if ${x}`],
  [
    new RegExp(`^(?:do you (?:have|know(?: of)?) )?(?:any|some) ${ASKABLE}\\b(.*)$`, 'i'),
    (x, rest) => `asks for ${x}${rest}`,
  ],
  [
    /^do you (?:think|believe|reckon) (?:that )?((?:I|we|it|he|she|there|the|this|that|my|our|an?) .+)$/i,
    (x) => `asks whether ${x}`,
  ],
  [/^do you (?:happen to )?know ((?:how|what|where|when|why|who|which|if|whether)\b.+)$/i, (x) => `asks ${x}`],
  [
    /^(?:can|could|may|might) (?:i|we) (?:please )?(?:have|get|see) ((?:an?|the|some|more|another) (?:\w+ )?(?:list|summary|overview|recipe|examples?|explanation|table|version|translation|hint|plan|tips|ideas|suggestions|details?|information)\b.*)$/i,
    (x) => `asks for ${x}`,
  ],
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
  [/^does (it|he|she|this|that) (.+)$/i, (it, x) => toldWith(`asks whether ${it.toLowerCase()}`, x)],
  [
    new RegExp(`^${WH} should (?:i|we|one|you) (.+)$`, 'i'),
    (wh, x) => (/^why/i.test(wh) || /^(?:be|have)\b/i.test(x) ? `asks ${wh} they should ${x}` : `asks ${wh} to ${x}`),
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
  [new RegExp(`^${WH} does (it|he|she) (.+)$`, 'i'), (wh, it, x) => toldWith(`asks ${wh} ${it}`, x)],
  [
    new RegExp(`^${WH} (is|are|was|were|can|could|will|would|should|has|had) (it|they|he|she|there)\\b(.*)$`, 'i'),
    (wh, aux, it, x) => `asks ${wh} ${it} ${aux.toLowerCase()}${x}`,
  ],
  [
    new RegExp(
      `^((?:which|who|what)${FILLER}{0,4}? (?:is|are|was|were) (?:more|most|better|best|cheaper|worse|worst|less)\\b.*)$`,
      'i',
    ),
    (x) => `asks ${x}`,
  ],
  [
    new RegExp(
      `^((?:which|who|what${FILLER})${FILLER}{0,4}? (?:is|are|was|were) (?:\\w+ier|(?:cheap|old|young|bigg|small|larg|great|fast|slow|saf|hard|strong|weak|warm|cold|hott|tall|long|short|high|low|clos|near|furth|quick|light|new|clean|sweet|deep|wid|thick|thinn|fresh|simpl|lat|soft|bright|dark|loud|rich|poor|tough|smart|nic|rar)er)\\b.*)$`,
      'i',
    ),
    (x) => `asks ${x}`,
  ],
  [
    new RegExp(
      `^((?:which|who|what(?! (?:year|time|day|date|month|age)\\b)${FILLER})${FILLER}{0,3}? (?:is|are|was|were) (?:(?:never|not|also|still|first|often) )*(?:made|used|known|\\w{3,}(?:ed|ing))\\b.*)$`,
      'i',
    ),
    (x) => `asks ${x}`,
  ],
  [
    new RegExp(
      `^((?:which|what|who)${FILLER}{0,3}? (?:happens|happened|causes|caused|makes|made|invented|discovered|wrote|works|comes|goes|helps|fits|suits|won|affects?|has|have|contributes?|counts|determines|influences?)\\b(?! (?:I|we|you)\\b).*)$`,
      'i',
    ),
    (x) => `asks ${x}`,
  ],
  [
    new RegExp(
      `^((?:which|what|who|how (?:much|many))${FILLER}{0,4}? (?:would|will|should|can|could|might|may|must) (?:be|help|work|cause|fit|suit|affect|happen|improve|make|need)\\b.*)$`,
      'i',
    ),
    (x) => `asks ${x}`,
  ],
  [
    /^what(?: (is|are|was|were)|['’]s) ((?!.*\b(?:supposed|looks?|feels?|sounds?|smells?|tastes?|be|would)\b).+?) like((?: (?:in|at|on|for|there|here|now|today|tomorrow|this|next|during|after)\b.*)?)$/i,
    (be, x, rest) => `asks what ${x} ${be.toLowerCase() || 'is'} like${rest}`,
  ],
  [
    /^what(?: is|['’]s| are| were| was)(?: currently| typically| usually)? (?:some of )?((?:the (?:\w+ )?(?:best|most|top|cheapest|easiest|fastest|safest|right|ideal|recommended)|some|an? (?:good|great|easy|simple|cheap|healthy)|good|your (?:recommendations?|suggestions?))\b.+)$/i,
    (x) => `asks for ${x.replace(/^your /i, '')}`,
  ],
  [/^what(?: is|['’]s| are| were| was) (.+)$/i, (x) => (isNamed(x) ? `asks about ${x}` : null)],
  [
    new RegExp(
      `^(where|when|how|why|what time)(?: (is|are|was|were)|['’]s) (${DETERMINER} (?!${PREPOSITION}\\b)\\S+(?: (?!${PREPOSITION}\\b)\\S+)?) ((?!${NOUNS_IN_ING}\\b)\\w{3,}(?:ing|ed)|located|held|open|made|kept|built|born|sold|done|found)\\b(.*)$`,
      'i',
    ),
    (wh, be, x, doing, rest) => `asks ${wh} ${x} ${be.toLowerCase() || 'is'} ${doing}${rest}`,
  ],
  [
    /^who(?: (is|are|was|were)|['’]s) (.+)$/i,
    (written, x) => {
      const be = written.toLowerCase() || 'is';
      return isPlainName(x) ? `asks who ${x} ${be}` : `asks who ${be} ${x}`;
    },
  ],
  [
    /^(where|when)(?: (is|are|was|were)|['’]s) (.+)$/i,
    (wh, be, x) =>
      few(x, 5) &&
      isNamed(x) &&
      !/(?<!\b(?:the|my|our)) (?:next|this|last|again|exactly|usually|normally)\b| (?:due|shot|set|hidden|ready|over|on|off|back)$/i.test(
        x,
      )
        ? `asks ${wh} ${x} ${be.toLowerCase() || 'is'}`
        : null,
  ],
  [
    /^(how (?:much|many|long|far|old|big|tall|expensive|safe|accurate|important|hard|difficult|effective|good|bad)) (is|are|was|were) (.+)$/i,
    (wh, be, x) => {
      if (new RegExp(`^${PREPOSITION}\\b`, 'i').test(x)) return `asks ${wh} ${be.toLowerCase()} ${x}`;
      const split = MEASURED.exec(x);
      // “The oldest tree in the world” and “the ferry from Bari” are one phrase, “the sun” and “from the earth” are two.
      const isOne =
        split === null || /\w(?:est|most)\b/i.test(x) || (/^ from/i.test(split[2] ?? '') && !/far$/i.test(wh));
      const [subject, rest] = isOne ? [x, ''] : [split[1] ?? '', split[2] ?? ''];
      return few(subject, 5) && !subject.split(' ').some((word) => STATE.test(word)) && !NO_NOUN.test(x)
        ? `asks ${wh} ${subject} ${be.toLowerCase()}${rest}`
        : null;
    },
  ],
  [
    new RegExp(
      `^how (is|are|was|were) ((?:the|my|our|your) (?!${PREPOSITION}\\b)\\S+(?: (?!${PREPOSITION}\\b)\\S+)?)$`,
      'i',
    ),
    (be, x) => `asks how ${x} ${be.toLowerCase()}`,
  ],
];

const toldWith = (subject: string, predicate: string): string | null => {
  const told = thirdPerson(predicate, true);
  return told === null ? null : `${subject} ${told}`;
};

/** What a measure is of, and where or when: “a stamp” and “ now”. */
const MEASURED =
  /^(\S.*?)((?: (?:in|on|at|for|to|from|by|during|since|after|before|if|when|right now|now|then|today|exactly|roughly|usually|normally|each|per)\b.*)?)$/i;

const FROM_DETERMINER = new RegExp(`^${DETERMINER}(?: |$)`, 'i');
/** What leaves a noun phrase open, or makes it a statement about what comes before. */
const NO_NOUN = new RegExp(
  `\\b(?:doing|going|happening|saying|wrong|worth|left|called|named|used|made|supposed|meant|good|considered|${PREPOSITION})$|\\w (?<!\\b(?:the|an?|my|our|of|most|best|first|other) )(?:doing|going|happening|saying|called|named|used|made|supposed|meant)\\b`,
  'i',
);
/** Last words of what names nothing. */
const NO_NAME =
  /^(?:new|next|wrong|up|left|right|best|better|cheap|cheaper|normal|typical|legal|allowed|more|most|less|coming|missing|trending|playing|cooking|inside|outside|open|possible|true|special|great|cool|funny|likely|needed|required|included|today|now|here|there)$/i;
const IN_ING = new RegExp(`^(?!${NOUNS_IN_ING}$)\\w{3,}ing$`, 'i');

/** Whether a text names something, as far as its form tells: “the rent in Oslo”, “compound interest”, not “new in Python”. */
const isNamed = (text: string): boolean => {
  if (NO_NOUN.test(text)) return false;
  if (FROM_DETERMINER.test(text)) return true;
  const words = text.split(new RegExp(` (?:${PREPOSITION}|vs|if|when|that)\\b`, 'i'))[0]?.split(' ') ?? [];
  return (
    words.length <= 3 &&
    !/^(?:it|on|in|up|not|your?|going|happening|considered)$/i.test(words[0] ?? '') &&
    !NO_NAME.test(words.at(-1) ?? '') &&
    !/\bthan\b/i.test(text) &&
    words.every((word) => (words.length === 1 ? !/ed$/.test(word) : !IN_ING.test(word))) &&
    !words.some((word) => STATE.test(word) && !/ing$/.test(word))
  );
};

/** Whether a text is a name or a noun phrase without anything about it: “Marie Curie”, “the king of Spain”. */
const isPlainName = (text: string): boolean =>
  few(text, 5) &&
  (FROM_DETERMINER.test(text) || /^\p{Lu}\S*(?: \p{Lu}\S*)*$/u.test(text)) &&
  !new RegExp(` (?!of\\b)${PREPOSITION}\\b| (?:who|that|which)\\b`, 'i').test(text) &&
  !text
    .split(' ')
    .slice(1)
    .some((word) => STATE.test(word));

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
  !/\b(?:do|does|did|is|are|was|were|can|could|will|would|shall|should|may|might|must|ought|has|have|had)\b|['’]/i.test(
    question.split(' ').slice(0, 7).join(' '),
  );

const INVERTED =
  /^(?:((?:what|which|where|when|why|who|whom|how)(?: (?!and )[^ ,?]+){0,3}?) )?(do|does|can|could|will|would|should|might|must|is|are|was|were) (.+)$/i;
/** Maximum words of a question's subject. */
const LONGEST_SUBJECT = 5;
const STATE = new RegExp(
  `^(?:(?!${NOUNS_IN_ING}$)\\w{3,}(?:ed|ing|able|ible)|known|made|built|done|good|bad|safe|better|worth|important|necessary|different|true|open|valid|available|legal|enough|used|so|too|really|best|normal|paid|sold|kept|left|born|held|grown|written|spoken|taken|given|meant|found|caught)$`,
  'i',
);
/** Subjects of one word, right after which the verb comes. */
const SOLE =
  /^(?:anyone|someone|everyone|anybody|somebody|everybody|nobody|anything|something|everything|nothing|it|he|she)$/i;

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
  // “A urine test” and “cost”, not “a urine” and “test”.
  if (
    REQUEST_VERBS.has(words[at] ?? '') &&
    /^(?:cost|take|work|mean|need|last|help|go|come|happen|look)$/.test(words[at + 1] ?? '')
  )
    return null;
  if (at > 1 && (SOLE.test(words[0] ?? '') || words.slice(1, at).some((word) => /^(?:it|me|us|him)$/i.test(word))))
    return null;
  if (/^what$/i.test(wh) && /^(?:is|are|was|were)$/.test(aux) && !FROM_DETERMINER.test(rest) && !/^\p{Lu}/u.test(rest))
    return null;
  // “What do I ask her” means what they should ask, not what they do ask.
  if (/^(?:I|we)$/i.test(words[0] ?? '')) return null;
  const subject = aboutUser(words.slice(0, at).join(' '));
  const verb = words[at] ?? '';
  const after = words.slice(at + 1).join(' ');
  const predicate = aux === 'do' ? verb : aux === 'does' ? thirdPerson(verb, true) : `${aux} ${verb}`;
  if (predicate === null) return null;
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
  /^((?:can|could|would|will) you|i (?:want|need|would like|['’]d like) you to|i['’]d like you to|would you mind)\s+(?:please |kindly |also |just |then )*(.+)$/i;

/** “Can you cook rice in a pan?” asks what is possible, not for rice. */
const DONE_BY_PEOPLE =
  /^(?:apply|attach|bring|build|buy|cancel|change|choose|combine|cook|cut|fill|get|go|handle|keep|leave|lower|mix|move|play|pull|purchase|push|put|raise|reduce|replace|run|see|separate|start|stop|store|take|turn|use|walk|wrap)$/;

/** What a request asks for, in the imperative; null if the clause is not a request. */
const requestIn = (clause: string): string | null => {
  const plain = clause
    .replace(/^(?:please|kindly|just|also|then|now|first|next|instead,?)\s+/i, '')
    .replace(/,? please(?=[.?!]*$)/i, '');
  const [, opening = '', asked] = ASKED.exec(plain) ?? [];
  if (asked !== undefined) {
    const isOfAnyone =
      /^(?:can|could|would|will) you$/i.test(opening) && !/\b(?:please|me|us|my|our|this)\b/i.test(clause);
    const verb = asked.split(/[^A-Za-z]/)[0]?.toLowerCase() ?? '';
    return isOfAnyone && (!REQUEST_VERBS.has(verb) || DONE_BY_PEOPLE.test(verb))
      ? null
      : asked.replace(/[?.!\s]+$/, '');
  }
  const first = /^[A-Za-z]+/.exec(plain)?.[0].toLowerCase() ?? '';
  if (/^let(?:['’]s| us) not[.!\s]*$/i.test(plain)) return null;
  // “Show times?”, “Present tense too?”
  if (/\?\s*$/.test(plain)) return null;
  if (/^(?:let['’]s|let us|don['’]t|do not)\s/i.test(plain)) return plain.replace(/[.!?\s]+$/, '');
  return REQUEST_VERBS.has(first) && !isNoun(plain) ? plain.replace(/[.!?\s]+$/, '') : null;
};

/** "Training for a marathon is hard", "Plan B is better", "present for my mother": the first word is not an imperative here. */
const isNoun = (plain: string): boolean =>
  /^\w+ (?:is|are|was|were|has|of|[A-Z])\b/.test(plain) ||
  /^(?:present|draft|offer|share|show) (?:for(?! (?:me|us)\b)|from|at|on)\b/i.test(plain);

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
  const target = object
    .replace(/ for (?:me|us)$/i, '')
    .replace(/^(?:to me|for me|for us|(?:me|us)(?: with)?)(?:\s+|$)/i, '');
  const isForUser = /^(?:to |for )?(?:me|us)\b/i.test(object);
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
  if (NOUNS[verb] !== undefined && target !== '' && !/^(?:in|with|to|as|like|by|but|and|so|only|again)\b/i.test(target))
    return `asks for ${NOUNS[verb]} ${wanted}`;
  if (
    FOR.test(verb) &&
    target !== '' &&
    (isForUser || isThing(verb, target)) &&
    !/^(?:I|we|he|she|there|it|them|this|that|in|with|to|as|by|if|for|of|about|on|at|from|rid|out|up)\b/i.test(target)
  )
    return `asks for ${wanted}`;
  return `asks the assistant to ${verb} ${inner}`.trim();
};

/** Whether a thing is wanted, not something done for somebody or with something: “Send John an email”, “Tell him I'm late”. */
const isThing = (verb: string, target: string): boolean =>
  !/^(?:tell|get)$/.test(verb) &&
  !/^(?:him|her|it|everyone|everybody|somebody|anyone|people)\b/i.test(target) &&
  !SECOND_OBJECT.test(target) &&
  !(
    /^(?:give|send|show|share|offer|present|find|fetch)$/.test(verb) &&
    (/^(?:my|our|his)\b/i.test(target) ||
      (!/^(?:find|fetch|show)$/.test(verb) && /\bto\b/i.test(target)) ||
      /^\p{Lu}\p{Ll}+ /u.test(target))
  ) &&
  (verb !== 'show' || FROM_DETERMINER.test(target));

/** A noun phrase right after another one. */
const SECOND_OBJECT = new RegExp(
  `^(?:(?!(?:${PREPOSITION}|that|which|as|and|or|how|using|\\w+ing)\\b)\\S+ ){1,4}(?:an?|the|my|our|some|another|his|her|their|its)\\b`,
  'i',
);

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
  [
    /^(?:just )?(?!.* or )(?=(?:need|want|would like|(?:don't|do not) (?:want|need|like|know|have|think|care))\b)/i,
    'I ',
  ],
  [/^(?:just )?(?=(?:looking for|hoping|trying|wondering|thinking)\b)/i, "I'm "],
];

/** Normalises chat spellings for the rules: "wanna" → "want to". */
const formalised = (sentence: string): string =>
  SPELLINGS.reduce((so, [pattern, to]) => so.replace(pattern, to), sentence);
