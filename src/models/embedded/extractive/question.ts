import { uninverted } from './inversion.ts';
import { aboutUser } from './third-person.ts';
import { conjugated } from './verbs.ts';

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

/** From a direct question (without its mark) to what follows "The user"; the first that fits. */
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

/** A question as what follows "The user"; null where no rule can turn it honestly. */
export const toldQuestion = (clause: string): string | null => {
  const question = clause.replace(/[?!.\s"”]+$/, '');
  for (const [pattern, tell] of RULES) {
    const match = pattern.exec(question);
    const told = match === null ? null : tell(...match.slice(1).map((part) => part ?? ''));
    if (told !== null)
      return aboutUser(
        told.replace(/^asks (\p{Lu})(?=\p{Ll})/u, (_all, first: string) => `asks ${first.toLowerCase()}`),
      );
  }
  const order = isAboutSubject(question)
    ? question.slice(0, 1).toLowerCase() + aboutUser(question.slice(1))
    : uninverted(question);
  return order === null ? null : `asks ${order}`;
};

/** "Which bus goes there": the question word is the subject, so the order is that of a statement already. */
const isAboutSubject = (question: string): boolean =>
  /^(?:what|which|who) \w+/i.test(question) &&
  !/\b(?:do|does|did|is|are|was|were|can|could|will|would|shall|should|may|might|must|has|have|had)\b|['’]/i.test(
    question.split(' ').slice(0, 7).join(' '),
  );
