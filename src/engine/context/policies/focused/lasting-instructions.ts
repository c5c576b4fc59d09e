import type { InclusionReason } from '../../../../domain/context.ts';
import type { Node, NodeId } from '../../../../domain/forest.ts';
import { remembered, rememberedOf } from '../../../tasks.ts';
import { plain, wordCount } from '../../../text/words.ts';
import { hasReadText } from '../../sent-message.ts';
import { listPointedAt, type Needs, type Part } from './need.ts';
import { isAlike, isGivenText, isVersionOf, LONG_WORDS, pastedIn, versionsIn } from './turn-forms.ts';

/**
 * What is needed for what it is, whether or not the message mentions it: standing requests and lasting facts of the
 * user, the newest version of what is being worked on, a long text that the user gave, the parts of one thing pasted in
 * a row, the list that the message points into.
 */
export interface LastingNeed {
  readonly part: Part;
  readonly reason: InclusionReason['reason'];
  /** Minimum need, 0–1; for an older version, the maximum. */
  readonly need: number;
  /** Included in full if there is room. */
  readonly isWhole: boolean;
}

const CONSTRAINT = 0.5;
const NEWEST_VERSION = 0.7;
const OLDER_VERSION = 0.02;
const PASTED = 0.45;
const POINTED_AT = 0.75;
/** Number of latest path turns that count as being worked on. */
const AT_WORK = 12;
/** The same for the newest long text that the user gave: questions about it may be many, and are short. */
const GIVEN_AT_WORK = 40;

/**
 * What lasts of a path and, of the turns off it, the standing requests that hold in every topic. `recent`: the latest
 * turns of the conversation, up to that of the message.
 */
export const lastingNeeds = (
  before: readonly Node[],
  message: string,
  recent: readonly Node[] = [],
): ReadonlyMap<NodeId, readonly LastingNeed[]> => {
  const lasting = new Map<NodeId, LastingNeed[]>();
  const add = (node: Node, part: Part, reason: InclusionReason['reason'], need: number, isWhole = false): void => {
    lasting.set(node.id, [...(lasting.get(node.id) ?? []), { part, reason, need, isWhole }]);
  };
  const asking = before.filter((node) => standingOf(node).length > 0);
  for (const node of [...asking, ...heldEverywhere(before, asking, recent)])
    add(node, 'message', 'constraint', CONSTRAINT);
  const lately = before.slice(-AT_WORK);
  const earlier = before.slice(-GIVEN_AT_WORK, -AT_WORK).findLast(isGivenText);
  const versions = versionsIn(earlier === undefined ? lately : [earlier, ...lately]);
  const pasted = new Set(pastedIn(lately));
  for (const { node, part, isRewritten } of versions) if (part === 'message' && isRewritten) pasted.delete(node);
  for (const node of pasted) {
    const isWhole = wordCount(node.message) >= LONG_WORDS && !hasReadText(node);
    add(node, 'message', 'pasted-in-parts', PASTED, isWhole);
  }
  for (const { node, part, isNewest, isWhole } of versions) {
    if (node === earlier && (part === 'reply' || !isWhole)) continue;
    if (part === 'message' && pasted.has(node)) continue;
    if (isNewest) add(node, part, 'newest-version', NEWEST_VERSION, isWhole);
    else add(node, part, 'older-version', OLDER_VERSION);
  }
  const list = listPointedAt(lately, message);
  if (list !== null) add(list, 'reply', 'pointed-at', POINTED_AT, true);
  return lasting;
};

/** Applies lasting needs: raises need to them, or lowers it where a newer version has replaced a text. */
export const withLasting = (needs: Needs, lasting: ReadonlyMap<NodeId, readonly LastingNeed[]>): Needs => {
  if (lasting.size === 0) return needs;
  const withOwn: Needs['of'] = (nodeId) => {
    const own = lasting.get(nodeId);
    const need = needs.of(nodeId);
    if (own === undefined) return need;
    const given = (part: Part, isOlder: boolean): number[] =>
      own.flatMap((one) => (one.part === part && (one.reason === 'older-version') === isOlder ? one.need : []));
    // A standing request counts even where the text that came with it has been replaced.
    const of = (part: Part): number => Math.max(Math.min(need[part], ...given(part, true)), ...given(part, false));
    return {
      message: of('message'),
      reply: of('reply'),
      why: [...need.why, ...own.map(({ reason }) => ({ reason }))],
    };
  };
  return { of: withOwn, ids: new Set([...needs.ids, ...lasting.keys()]) };
};

/** Longer messages tell a story: an "always" somewhere in one is not a request. */
const CONSTRAINT_WORDS = 60;
/** Where a request begins: with a sentence or clause, or behind what leads up to one. */
const ASKED = String.raw`(?:^|[.!?,;:¡¿] ?|(?<!\p{L})(?:please|pls|and|but|also|so|bitte|und|aber|por favor|y|pero|s'il te pla[iî]t|s'il vous pla[iî]t|et|mais|per favore|e|ma) )`;
/** “You should always”, “can you only”, “make sure you”: requests to the assistant too, unlike “my sister never” and “how do you”. */
const ASKED_OF_YOU = String.raw`(?:${ASKED}(?:(?:can|could|will|would) you (?:please |also |just )?|you (?:should|must|have to|need to) (?:also )?|you (?=always |never )|(?:remember|try) to )?|\b(?:(?:make|be) sure (?:that )?(?:you |to )|(?:(?:i'd|i would|i) (?:rather|prefer)|appreciate it|(?:would|'d) be (?:great|nice|better|helpful)) (?:it )?(?:if |that )?you (?:to )?|(?:i|i'd|i've|we) (?:really |also |just |would )?(?:want|need|like|told|tell|asked|ask|expect|prefer) you to |(?:don't|do not|never) forget to |(?:your|the|all) (?:answers?|repl(?:y|ies)|responses?) (?:should|must) |no need to (?=call )))`;
/** “How can I”, “kann man”, “hay”: a limit in such a question is part of what is asked, and asks nothing of the answers. */
const NO_QUESTION = String.raw`(?<!(?:^|[.!?,;:¿] ?)(?:what|why|how|who|which|when|where|is|are|was|were|do|does|did|has|have|(?:can|could|should|may|must) (?:i|we|one|people)|wie|was|wer|wo|wann|warum|welche[rsmn]?|(?:kann|darf|muss|können|dürfen|müssen) (?:man|ich|wir)|gibt|ist|sind|hat|qué|que|cómo|como|cuándo|dónde|cuál|quién|hay|(?:puedo|podemos|se puede)|où|quand|comment|pourquoi|quels?|quelles?|qui|est-ce|y a-t-il|(?:peut-on|puis-je)|quando|dove|perché|quale|quali|(?:posso|si può)|c'è)(?!\p{L})[^.!?,(–-]{0,80})`;
/**
 * “The kids come home and never say hello”, unlike “the tone is fine, but never use slang”: where one is told of, a
 * verb of theirs would be “says”, so what follows asks for something.
 */
const NOT_OF_OTHERS = String.raw`(?<!(?:^|[.!?;:] ?|\b(?:when|why do|how do|because) )(?:(?:but|and|so|well) )?(?:my|his|her|their|our|some|most|many|(?:these|those)(?! (?:are|were)\b)|he|she|they|people|everyone|the(?! (?:\p{L}+ (?:are|were)|(?:(?:last|first|previous) )?(?:answers?|repl(?:y|ies)|tone|style|text|draft|format|list|code))\b))(?!\p{L})(?:(?!\b(?:is|was|has|will|hates|likes|loves|eats|needs|wants|prefers|forbids|lives|works|name's)\b)[^.!?;:]){0,80} (?:and|but) )`;
/** “I don't use”, “what happens if you don't add”, “why do my friends not”: unlike “in your answers don't” and “i'd prefer if you don't”. */
const NOT_TOLD_OF_OTHERS = String.raw`(?<!\b(?:(?:i|we|they|who|which|that|people|men|women|kids|children|some|many|most|and dad|and mum|and mom)(?: (?:\p{L}+ly|also|still|just|even|often))?|why|(?:^|[.!?,;] ?|(?<!\b(?:prefer|great|nice|better|good|helpful|it) )if |when |because |since |how come )you|(?:told|tells) (?:me|him|her|us|them)|(?<!\b(?:i|we|i've|already|just) )(?:said|says)|(?<!\bin (?:your |the |all )?)(?!(?:is|this|always|yes|pls|plus|thanks|its|was|has|perhaps|besides|sometimes|unless|answers|replies|responses|messages)\b)\p{L}+s you|(?:stuff|people|someone|something|anything|everything|food|furniture|money|clothing) (?:that )?you|(?<!\b(?:in|for|with|on|to|at|as|your) (?:\p{L}+ )?)(?!(?:is|this|always|yes|pls|plus|thanks|its|was|has|perhaps|besides|sometimes)\b)\p{L}+s) (?:please )?)`;
const LIMIT = String.raw`(?:(?:no|not) more than|at most|höchstens|maximal|nicht mehr als|como (?:máximo|mucho)|(?<!de )no más de|au maximum|(?<!de )pas plus de|al massimo|(?<!di )non più di|no máximo|(?<!de )não mais de) \d`;
const IN_FUTURE_IN_GERMAN = '(?:in zukunft|(?:zu)?künftig)';
/** Also “ab sofort gibt es neue Regeln”, “Wohnung ab sofort”, which ask for nothing. */
const FROM_NOW_IN_GERMAN = String.raw`ab (?:jetzt|sofort)(?!\p{L}|,? (?:gibt|gilt|gelten|verfügbar|lieferbar|erhältlich|frei|gesucht|suchen?|sucht|zu vermieten)(?!\p{L}))(?<!(?<!\p{L})(?:\p{L}*wohnung|zimmer|\p{L}*job|\p{L}*stelle|praktikum|wg|suchen?|gesucht|vermieten?)(?!\p{L})[^.!?,]{0,40})`;
/**
 * Lasting facts about a person. Grouped by language, as `plain` writes them; `\b` knows no accented letters. A diet or an
 * allergy is one of a person: “which wines are vegan” states none.
 */
const FACTS: readonly RegExp[] = [
  /(?<![\p{L}\p{N}]|\b(?:know|tell|check|find out|test|see|sure|wonder|wondering|determine|ask) (?:if|whether) (?:(?:my|our|his|her|the|an?) (?:[\w'-]+ ){1,2}|(?:he|she|someone|anyone) )?)(?:(?:i'?m|i am|she'?s|he'?s|we'?re|they'?re|(?:she|he) is|(?:we|they) are|(?:my|our) (?:[\w'-]+ ){1,3}(?:is|are)) (?:[\w-]+ )?(?:allergic|vegan|vegetarian|diabetic|c(?:o)?eliac|lactose|pregnant|colou?r ?-?blind|intolerant)|(?<!\b(?:who|what|which|it|this|that) )is (?:allergic|diabetic|c(?:o)?eliac|lactose|pregnant|colou?r ?-?blind)|(?:i|we|he|she|they|(?:my|our) [\w-]+)(?: have|'ve| has|'s)(?: got)? an? (?:[\w-]+ )?(?:allergy|intolerance))/u,
  /(?<![\p{L}\p{N}])(?:(?:ich|wir|er|sie|(?:mein|unser|sein|ihr)\p{L}* \p{L}+) (?:(?:bin|sind|ist|esse|essen|isst|lebe|leben|lebt|ernähr\p{L}+) (?:\p{L}+ ){0,4}?(?:\p{L}*allergi\p{L}+|vegan\p{L}*|vegetari\p{L}+|(?:laktose|gluten|fructose|fruktose|histamin)intoleran\p{L}+|diabetiker(?:in(?:nen)?)?(?!\p{L})|schwanger|farbenblind)|(?:habe?|hat|haben) (?:\p{L}+ ){0,3}?\p{L}*allergien?(?!\p{L}))|bin (?:\p{L}+ ){0,3}?(?:\p{L}*allergi\p{L}+|vegan\p{L}*|vegetari\p{L}+|(?:laktose|gluten|fructose|fruktose|histamin)intoleran\p{L}+|diabetiker(?:in)?(?!\p{L}))|veganer?in)/u,
  /(?<![\p{L}\p{N}])(?:(?:soy|somos|(?:mis?|nuestr[oa]s?) \p{L}+ (?:es|son)|(?:él|ella) es|(?:ellos|ellas) son) (?:\p{L}+ ){0,2}?(?:al[ée]rgic[oa]|vegan[oa]|vegetarian[oa]|cel[ií]ac[oa]|intolerante|diab[ée]tic[oa]|dalt[óo]nic[oa])|es (?:muy )?(?:al[ée]rgic[oa]|cel[ií]ac[oa])|(?:estoy|(?:mi|nuestra) \p{L}+ est[áa]) (?:\p{L}+ )?embarazada|(?:tengo|tenemos|(?:mi|nuestr[oa]) \p{L}+ tiene) (?:una? )?(?:alergia|intolerancia))/u,
  /(?<![\p{L}\p{N}])(?:(?:je suis|nous sommes|on est|(?:il|elle) est|(?:ils|elles) sont|(?:mon|ma|mes|notre|nos) \p{L}+ (?:est|sont)) (?:\p{L}+ ){0,2}?(?:allergique|végan|vegan|végétarien\w*|cœliaque|intolérante?|diabétique|enceinte|daltonien\w*)|(?:j'ai|nous avons|on a|(?:il|elle) a|(?:mon|ma|mes|notre|nos) \p{L}+ (?:a|ont)) (?:une |des )?(?:\p{L}+ )?(?:allergies?|intolérances?))/u,
  /(?<![\p{L}\p{N}])(?:siamo (?:\p{L}+ ){0,2}?(?:allergi(?:ci|che)|vegan[ie]|vegetarian[ie]|celiac(?:i|he)|intolleranti)(?!\p{L})|(?:sono|siamo|(?:lui|lei|(?:mi[oa]|nostr[oa]) \p{L}+) è) (?:\p{L}+ ){0,2}?(?:allergic[oa]|vegan[oa]|vegetarian[oa]|celiac[oa]|intollerante|diabetic[oa]|incinta|daltonic[oa])|(?:ho|abbiamo|(?:mi[oa]|nostr[oa]) \p{L}+ ha) (?:un'|una )?(?:allergia|intolleranza)|(?:sou|somos|(?:ele|ela|(?:meu|minha|nosso|nossa) \p{L}+) é) (?:\p{L}+ ){0,2}?(?:alérgic[oa]|vegan[oa]|vegetarian[oa]|celíac[oa]|intolerante|diabétic[oa]|daltônic[oa])|(?:estou|(?:minha|nossa) \p{L}+ está) grávida|(?:tenho|temos|(?:meu|minha) \p{L}+ tem) (?:uma )?alergia|(?:ik ben|wij zijn|we zijn|(?:hij|zij|ze) is|(?:mijn|onze) \p{L}+ is) (?:\p{L}+ ){0,2}?(?:allergisch|vegan\p{L}*|vegetari\p{L}+|diabeet|zwanger|kleurenblind)|(?:olen|on) (?:allerginen|vegaani)|(?:allergiás|vegán|vegetáriánus) vagyok|(?:sunt|suntem) (?:alergic|vegan|vegetarian))/u,
  /(?<!\p{L})(?:(?:jag|jeg|hon|hun|han|vi) (?:är|er) (?:allergisk|vegan|vegetar|glutenintolerant)|у (?:меня|нас|него|неё|нее|сына|дочери|мужа|жены|ребёнка|ребенка) (?:\p{L}+ )?(?:аллергия|непереносимость)|(?:я|он|она|мы) (?:\p{L}+ )?(?:веган|вегетариан|аллергик|диабетик)|у (?:мене|нас|нього|неї|сина|доньки|чоловіка|дружини|дитини) (?:\p{L}+ )?(?:алергія|непереносимість)|(?:я|він|вона|ми) (?:\p{L}+ )?(?:веган|вегетаріан|алергік|діабетик)|(?:mam|ma|mamy) (?:\p{L}+ )?(?:alergię|uczulenie)|(?:jestem|jest|jesteśmy) (?:uczulon|weg(?:an|etarian)|alergik)|(?:mám|má|máme) (?:\p{L}+ )?alergii|(?:jsem|je|jsme) (?:alergi|vegan|vegetari)|alerji(?:m|miz|si) var|(?:vegan|vejetaryen)(?:ım|im|ız|iz)(?!\p{L})|(?:saya|aku|kami|dia|anak saya) (?:\p{L}+ )?(?:alergi|vegan|vegetarian))/u,
  /(?:عندي|عندنا|عنده|عندها|لدي|لدينا|لديه|لديها|أعاني من) حساسية|(?:أنا|انا|نحن) نباتي|(?<![\p{L}\p{M}])(?:(?:मुझे|हमें|उसे|बेटे को|बेटी को) .{0,30}एलर्जी|(?:मैं|हम) (?:\S+ )?(?:शाकाहारी|वीगन))/u,
  /알레르기(?:가|도)? ?(?:있어|있습|있거든|있고|있으니|있음)|(?:저는|나는|전|난|우리는) (?:채식|비건)/,
  /(?:[我他她]|孩子|[儿兒]子|女[儿兒]|老公|老婆|[妈媽]{2}|爸爸|[对對])[^。，,？?]{0,10}[过過]敏(?![^。，,]{0,2}(?:怎|[吗嗎呢]|[为為]|[药藥]|症|原))|(?:[我他她]|孩子|[儿兒]子|女[儿兒]|老公|老婆|[妈媽]{2}|爸爸)[^。，,？?]{0,6}吃素(?![^。，,]{0,2}(?:好|怎|[吗嗎呢]|[会會能]))|アレルギー(?:が|も)?(?:あ(?:る|り|っ)|持ち|です|な(?:ので|んで))(?![^。、]{0,3}(?:か|人|方|場合|の薬|\?|？))/,
];

/** “Call me Sam”, unlike “call me back”. */
const CALL_ME = String.raw`call me (?!back\b|by your name\b|maybe\b|names\b|later\b|when\b|if\b|again\b|tomorrow\b|tonight\b|today\b|at\b|on\b|an?\b|crazy\b|old\b|stupid\b)`;
const OTHER_NAMES = new RegExp(
  String.raw`${ASKED}(?:(?:du )?(?:kannst|darfst) (?:du )?mich \p{L}+ nennen|nenne? mich |noem (?:me|mij) |kal[dl]a? (?:mig|meg) |(?:зови|называй)(?:те)? меня |(?:зви|називай)(?:те)? мене |(?:nazywaj|zwij) mnie |oslovuj(?:te)? mě |(?:mów|říkej(?:te)?) mi (?!(?:o|że|že|jak|co|czy|kiedy|kdy|proč)(?!\p{L}))|ll[áa]mame (?!(?:mañana|luego|más|cuando|si|al?|en|por|para|esta|hoy|ahora|de|el|la|un|una)(?!\p{L}))|appelle(?:z)?-moi (?!(?:demain|plus|quand|si|aux?|à|ce|dès|vite|dans|sur|pour|maintenant|le|la|les|un|une)(?!\p{L}))|chiamami (?!(?:domani|dopo|quando|se|al|alle|a|più|stasera|appena|subito|ora|adesso|per|il|la|un|una)(?!\p{L}))|(?:me cham[ea]|cham[ea]-me) (?:de )?(?!(?:amanhã|depois|quando|se|às|mais|para|um|uma)(?!\p{L}))|bana \p{L}+ (?:de|diye hitap et)(?!\p{L})|panggil (?:saya|aku) (?!(?:nanti|besok|jika|kalau)(?!\p{L}))|मुझे \S+ (?:कहो|कहकर|बुलाओ)|(?:نادني|ناديني) )|^(?:[请請你就，, ]|以[后後]|可以)*叫我(?![们們不去来來怎做别別早起])|(?:나를|저를) .{1,12}(?:라고|로) 불러|と呼んで(?:$|[。、!！ね]|ください|下さい|くれ|ほしい|欲しい)`,
  'u',
);
/** Phrases that ask for something from then on. Grouped by language, as `plain` writes them. */
const CONSTRAINTS: readonly RegExp[] = [
  OTHER_NAMES,
  /(?<![\p{L}\p{N}])(?:from now on|going forward|in (?:all|every|each) (?:your )?(?:answers?|repl(?:y|ies)|messages?)|(?:my|our|the) budget is|keep (?:your )?(?:answers?|repl(?:y|ies)|responses?|messages?|explanations?)(?= .{0,20}\b(?:under|below|short|brief|simple|within)\b))/u,
  new RegExp(
    String.raw`(?<![\p{L}\p{N}])(?=keep (?:it|them|your|the|all|every)\b.{0,30}\b(?:(?:under|below)(?! control\b)|short|brief|simple|within)|for the rest of (?:this|the|our) (?!(?:day|night|evening|morning|afternoon|week|weekend|month|year|summer|winter|season|holidays?|trip|journey|flight|time|world|family|money|\p{L}+'s life|life|century)\b))${NO_QUESTION}`,
    'u',
  ),
  new RegExp(String.raw`(?=\b(?:don'?t|do not) (?:ever |use |mention |suggest |call |add ))${NOT_TOLD_OF_OTHERS}`, 'u'),
  new RegExp(
    String.raw`${ASKED_OF_YOU}(?:${NOT_OF_OTHERS}(?:always|never) (?!say (?:never|die)\b)(?:use|answer|reply|write|say|add|give|mention|include|call|explain|suggest|recommend|cite|quote|ask|assume|start|end|put)\b|only (?:answer|reply|write|use) |(?:always |only |just |please )?(?:answer|reply|write|respond|talk) (?:to me )?(?:only )?in [a-z]+\b|${CALL_ME})|${ASKED}just (?:answer|reply|write|use) |${ASKED}(?!(?:write|give) [^.!?]{0,40}\b(?:sentences|words) (?:with|about|using|that|containing|on)\b)(?:write|give|use) (?:me )?(?:only |very )*(?:short|brief|concise|simple|plain)(?:er)? (?:answers|replies|responses|sentences|words|language)\b`,
    'u',
  ),
  new RegExp(String.raw`(?<![\p{L}\p{N}])(?=${LIMIT})${NO_QUESTION}`, 'u'),
  /(?:^|[.!?,;:] |\b(?:and|but|also|please) )(?:(?<!\b(?:(?:(?:i|we)(?:'d|'m| am| would| really| just| also)* (?:want|need|like|love|have|try|trying|plan|planning|hope|hoping|going)|how|ways?|tips) to|help (?:me|us|him|her|my \p{L}+)|how (?:do|can|should) (?:i|we))(?!\p{L})[^.!?;:]{0,80} (?:and|but|also) )stop (?:using|adding|mentioning|suggesting|calling|repeating|asking)\b|no (?:more )?(?:emojis?|bullet points?|tables?|markdown|headings?|hashtags?|jargon|disclaimers?)(?=\s*(?:$|[.,!;])| (?:please|pls|and|or|in|any ?more)\b))/u,
  /(?<![\p{L}\p{N}])(?:von (?:jetzt|nun) an|bitte (?:nur|immer|nie|kein\w*|ohne) |(?<!(?<!\p{L})ich )(?:nutze?|verwende?|schreibe?) (?:immer|nie|nur) |mein budget)/u,
  new RegExp(
    String.raw`(?<![\p{L}\p{N}])(?=${FROM_NOW_IN_GERMAN}|${IN_FUTURE_IN_GERMAN},? (?:bitte|immer|nur|nicht|nie|kein\w*|ohne|kurz|auf|antwort\w*|schreib\w*|(?:be)?nutze?|verwende?|nenn\w*|sag\w*|gib|mach\w*)(?!\p{L})|(?:antworte|schreib\w*|(?:be)?nutze?|verwende?|nenn\w*|sag\w*|gib|mach\w*|sei) (?:\p{L}+ ){0,4}${IN_FUTURE_IN_GERMAN}(?!\p{L}))${NO_QUESTION}|${ASKED}(?:antworte|schreibe?|schreibt|sprich) (?:mir )?(?:bitte )?(?:nur |immer )?(?:auf|in) `,
    'u',
  ),
  new RegExp(
    String.raw`(?<![\p{L}\p{N}])(?:a partir de ahora|de ahora en adelante|nunca (?:uses|pongas|digas)|mi presupuesto)|${ASKED}(?:(?:usa|responde|escribe|contesta) siempre|siempre (?:usa|responde|escribe|contesta|en (?!(?:la|el|los|las|mi|su|casa|verano|invierno)(?! mism)(?!\p{L})))|(?:resp[oó]nde|contesta|contésta|escr[ií]be)(?:me)? (?:solo |siempre )?en )`,
    'u',
  ),
  new RegExp(
    // Also “désormais interdit en France”, “est désormais autorisé”, which tell of the world.
    String.raw`(?<!\p{L}|(?<!\p{L})(?:est|sont|était|sera|a|ont) )(?=(?:désormais|dorénavant)(?! (?:interdite?|obligatoire|possible|disponible|gratuite?|est|sont|\p{L}+ée?)s?(?!\p{L})))${NO_QUESTION}`,
    'u',
  ),
  /(?<![\p{L}\p{N}])(?:à partir de maintenant|(?<!'|(?<!\p{L})(?:je|il|elle|on|qui) )(?:utilise|réponds|écris) toujours|(?<!(?<!\p{L})(?:je|il|elle|on|nous|ils|elles|qui|(?<!(?<!\p{L})(?:dans|pour|avec|sur) )(?:mon|ma|mes|ton|ta|tes|son|sa|ses|notre|nos|votre|vos|leurs?|le|la|les|ces?|cette) \p{L}+) )n(?:e |')(?:utilise|mets|dis|propose)[sz]? (?:jamais|plus)|(?<!')(?:réponds|écris)(?:-moi)? (?:toujours |seulement )?en |mon budget)/u,
  new RegExp(
    String.raw`(?<![\p{L}\p{N}])(?:d'ora in poi|da adesso in poi|a partir de agora|responda (?:sempre )?em |escreva sempre em |vanaf nu|voortaan|antwoord (?:altijd )?in het |(?<!ik )schrijf (?:altijd )?in het (?:nederlands|engels|duits|frans|spaans)(?!\p{L}))|${ASKED}(?:sempre in (?!(?:ritardo|anticipo|giro|viaggio|ansia|movimento|piedi|ufficio|vacanza)(?!\p{L}))|(?:rispondi|scrivi)(?:mi)? (?:sempre |solo )?in )`,
    'u',
  ),
  /(?<!\p{L})(?:från och med nu|fra nu af|framöver|fremover|(?:svara|skriv|använd|svar|brug) (?:mig )?(?:alltid|altid|bara|kun) |(?:svara|svar|skriv) (?:mig )?på \p{L}+sk[ae]?(?!\p{L})|(?:använd|brug) (?:aldrig|inte|ikke) |(?:högst|højst) \d|(?:min|vår|vores) budget)/u,
  /(?<!\p{L})(?:с этого момента|отныне|впредь|(?:отвечай|пиши|говори|используй)(?:те)? (?:мне )?(?:всегда|только|коротко|кратко|на |по-)|всегда (?:отвечай|пиши|говори|используй)|(?:никогда )?не (?:используй|предлагай|упоминай|добавляй)|не (?:больше|более) \d|(?:мой|наш) бюджет)/u,
  /(?<!\p{L})(?:відтепер|з цього моменту|надалі|(?:відповідай|пиши|говори|використовуй)(?:те)? (?:мені )?(?:завжди|тільки|лише|коротко|стисло|на |по-)|(?:відповідай|пиши)(?:те)? (?:мені )?\p{L}+(?:ською|зькою)|завжди (?:відповідай|пиши|говори|використовуй)|(?:ніколи )?не (?:використовуй|пропонуй|згадуй|додавай)|не більше \d|(?:мій|наш) бюджет)/u,
  /(?<!\p{L})(?:od teraz|odtąd|(?:odpowiadaj|pisz|używaj) (?:mi )?(?:zawsze|tylko|krótko|po |w )|zawsze (?:odpowiadaj|pisz|używaj)|(?:nigdy )?nie (?:używaj|proponuj|dodawaj)|nie więcej niż \d|(?:mój|nasz) budżet|od teď|odteď|od této chvíle|(?:odpovídej|piš|používej)(?:te)? (?:mi )?(?:vždy|jen|pouze|krátce|stručně|česky|anglicky|v )|vždy (?:odpovídej|piš|používej)|(?:nikdy )?ne(?:používej|navrhuj|přidávej)|ne(?:jvíc|jvýše| víc| více) (?:než )?\d|(?:můj|náš) rozpočet)/u,
  /(?<!\p{L})(?:şu andan itibaren|bundan (?:sonra|böyle)(?!\p{L}| (?:ne|nereye|hangi|nasıl|kim)(?!\p{L}))|(?:her zaman|daima|hep|sadece|yalnızca) .{0,30}(?:cevapla|cevap ver|yanıtla|yaz(?! (?:ay|mevsim|tatil|okul|gün|gece|sıcak))|kullan)(?:ın)?(?!\p{L})|(?:türkçe|ingilizce|kısa) (?:cevapla|cevap ver|yanıtla)|en fazla \d|bütçe(?:m|miz)(?!\p{L})|mulai (?:sekarang|saat ini)|(?:selalu|hanya) (?:jawab|gunakan|pakai|tulis|balas)|(?:jawab|balas|tulis)(?:lah)? (?:selalu |hanya )?(?:dalam|pakai|dengan) |jangan (?:pernah )?(?:pakai|gunakan|sebut|sarankan|tambahkan) |(?:maksimal|paling banyak|tidak lebih dari) \d|(?:anggaran|budget) (?:saya|kami|ku))/u,
  /من (?:الآن|الان|اليوم) فصاعد|(?<!\p{L}|(?<!\p{L})(?:كيف|هل|لماذا|ليش|لما|عندما|متى|أن|ان) )و?(?:أجب|اجب|اكتب|رد|استخدم) (?:علي )?(?:دائم|فقط|بال(?:لغ|عرب|[أإا]نج?[لك]|فرنس|فصح|عامي|[أا]لمان|ترك|[إا]سبان|[إا]يطال|برتغال|روس|صين|ياباني|كوري|فارس|هندي|أردي|اردي|عبري))|دائم(?:ا|\u064b)+ (?:أجب|اجب|اكتب|استخدم)|(?:^|[.!?؟،,;:] ?|(?<!\p{L})(?:من فضلك|رجاء\u064b?|لو سمحت|لكن|ثم|أيضا|ايضا|فقط|(?:في \S{0,4}|ب\S{0,4})(?:ردود|[إا]جابات)\S*) |(?<!\p{L})و)لا (?:تستخدم|تستعمل|تذكر|تقترح)|ميزانيت(?:ي|نا)(?!\p{L})|(?<![\p{L}\p{M}])(?:अब से|(?:हमेशा|सिर्फ|सिर्फ़|केवल) .{0,30}(?:जवाब|उत्तर|लिख|इस्तेमाल)(?! ?[\p{L}\p{M}]*(?:ता|ती|ते) (?:है|हैं|हूँ|हूं|था|थी|थे))|(?:इस्तेमाल|उपयोग) (?:मत|न) कर|(?:मेरा|हमारा) बजट)/u,
  /(?:지금부터|이제부터|앞으로|항상|언제나)(?!(?!.{0,60}(?:줄|줘|주[세실시])).{0,60}(?:까|\?)\s*$).{0,30}(?:(?<!답)답(?![답장])|(?<!거짓)말해|써 ?[줘주]|(?:작성|사용|설명)(?!하는|하던|되는|했|한 |할(?! ?것)|중))|사용 ?금지|(?:내|제|우리) 예산|사용하지 ?(?:마|말)/,
  /[从從][现現]在(?:[开開]始|起)|以[后後](?:[请請]|都[请請]?(?:用|[说說]|[写寫]|回|叫|[别別]|只|(?:不|要)(?![^。，,！!]{0,12}(?:什|(?<!(?<!不)可以|好|行)[吗嗎]|怎|哪|能|想|[会會]|注意))))|[请請](?:一直|[总總]是|只)用|(?<![我他她它们們都])(?:一直|[总總]是|只)用(?!了|[^。，,！!]{0,20}(?:[什怎吗嗎么麼能？?]|可以|[会會]|多久))|(?<!为什么|為什麼|怎[么麼]|[我他她它们們])不要再?用(?![^。，,！!]{0,12}(?:什|哪|[为為]))|不超[过過]\s*\d|(?:これから(?:は|ずっと)|今後は)(?:(?=[^。？?]{0,30}(?:くれ|もらえ|いただけ|ください|下さい|お願い))|(?![^。？?]{0,20}(?:か(?:$|[。？?])|[？?]|どう(?!か)|何(?!でも|も|か|を[聞言書])|どこ|いつ(?!も|でも))))|必ず(?![^。、]{1,6}る[^。、]{1,8}教え).{0,12}(?:て(?:$|[。、!！])|ください|下さい|お願い|ほしい|欲しい)|いつも.{1,8}で(?:答え|書い)|(?:字|文|行|語|個|つ|点|項目|円|分)以内で(?:、|$|答|書|まとめ|お願い|要約|説明|返)/,
];

const LINE = /\n|^\s*(?:[-*•]|\d{1,2}[.)])\s/;
const LIST_ITEM = /^\s*(?:[-*•]|\d{1,2}[.)])\s/;
const LINES = /(?:^|\n)\s*(?:(?:[-*•]|\d{1,2}[.)])\s+)?/g;

const FROM_NOW_ON = `(?:from now on|going forward|for the rest of (?:this|the|our) (?:chat|conversation|session)|von (?:jetzt|nun) an|ab (?:jetzt|sofort)|${IN_FUTURE_IN_GERMAN}|a partir de (?:ahora|agora)|de ahora en adelante|désormais|dorénavant|à partir de maintenant|d'ora in poi|da adesso in poi|vanaf nu|voortaan|från och med nu|fra nu af|framöver|fremover|с этого момента|отныне|впредь|відтепер|з цього моменту|надалі|od teraz|odtąd|od teď|odteď|od této chvíle|şu andan itibaren|bundan (?:sonra|böyle)|mulai (?:sekarang|saat ini))`;
const A_LANGUAGE = String.raw`(?:(?:british|american|plain|simple) )?(?:english|german|french|spanish|italian|portuguese|dutch|swedish|norwegian|danish|finnish|polish|czech|hungarian|romanian|russian|ukrainian|turkish|greek|arabic|hebrew|persian|farsi|hindi|urdu|bengali|korean|japanese|chinese|mandarin|thai|vietnamese|indonesian|latin|deutsch|englisch|französisch|spanisch|italienisch|portugiesisch|niederländisch|schwedisch|dänisch|polnisch|tschechisch|russisch|ukrainisch|türkisch|arabisch|japanisch|chinesisch|koreanisch|español|castellano|inglés|alemán|francés|italiano|portugués|ruso|chino|japonés|français|anglais|allemand|espagnol|italien|portugais|néerlandais|russe|chinois|japonais|inglese|tedesco|francese|spagnolo|portoghese|português|inglês|alemão|francês|espanhol|nederlands|engels|duits|frans|spaans|svenska|engelska|tyska|franska|spanska|dansk|norsk|svensk|engelsk|tysk|fransk|(?:русск|английск|немецк|французск|испанск|итальянск|украинск)(?:ом|и)|(?:українськ|англійськ|німецьк|польськ|французьк|російськ)(?:ою|ій)|polsku|angielsku|niemiecku|francusku|ukraińsku|česky|anglicky|německy|slovensky|češtině|angličtině|němčině|türkçe|ingilizce|almanca|bahasa \p{L}+)(?!\p{L})`;
/** Each of these stands for a word or phrase that a request about all answers is made of, in whatever order. */
const word = (words: string): string => String.raw`(?<![\p{L}\p{M}\p{N}])(?:${words})(?![\p{L}\p{M}\p{N}])`;
const ALWAYS = word(
  String.raw`${FROM_NOW_ON}|in (?:the )?future|henceforth|en el futuro|à l'avenir|in futuro|always|only|never(?! forget)|(?:nur|immer)(?: noch)?|nie(?:mals)?|stets|siempre|s[oó]lo|nunca|toujours|seulement|uniquement|jamais|sempre|soltanto|apenas|mai|altijd|alleen|nooit|alltid|altid|bara|kun|aldrig|всегда|только|никогда|завжди|тільки|лише|ніколи|zawsze|tylko|nigdy|vždy|jen|nikdy|her zaman|daima|hep|sadece|selalu|hanya|jangan pernah|من (?:الآن|الان|اليوم) فصاعدا?\u064b?ا?|دائما?\u064b?ا?|فقط|अब से|हमेशा|केवल|सिर्फ`,
);
/** These may limit one text: “only 100 words”. */
const ONLY = new RegExp(
  word(
    'only|nur(?: noch)?|s[oó]lo|seulement|uniquement|soltanto|apenas|alleen|bara|kun|только|тільки|лише|tylko|jen|sadece|hanya|فقط|केवल|सिर्फ',
  ),
  'gu',
);
/** Answers in general: “a short answer” is asked for once. */
const ANSWERS = word(
  '(?:(?:in|for|with|per|to) )?(?:(?:all|every|each)(?: of)? )?(?:your )?(?:answers|replies|responses)|(?:in |for |per |with )?(?:each|every|per) (?:answer|reply|response)|per (?:answer|reply|response)|(?:in )?(?:deine[nr]?|ihre[nr]?|alle[nr]?|jeder|pro) antwort(?:en)?|antworten|(?:en |para )?(?:todas )?(?:(?:tus|sus|las) )?respuestas|por respuesta|(?:dans |pour )?(?:toutes )?(?:tes|vos|les) réponses|réponses|par réponse|(?:(?:nelle|le) (?:tue )?)?risposte|(?:(?:nas|as) (?:tuas|suas) )?respostas|(?:in )?(?:(?:je|jouw|alle) )?antwoorden|(?:i )?(?:dina|dine) svar|(?:в )?(?:своих |твоих |ваших )?ответах|(?:у )?(?:своїх |твоїх )?відповідях|(?:w )?(?:swoich |twoich )?odpowiedziach',
);
const ANSWER = word(
  '(?:answer|reply|respond)(?:ing)?(?: to me| back)?|(?:talk|speak|write|explain (?:things|everything))(?: to me| with me)?|antworten?|antworte|sprich|sprecht|sprechen|rede[nt]?|schreib(?:e|en)?(?: mir)?|resp[oó]nde(?:me|r|rme)?|contesta(?:me|r)?|contésta(?:me)?|háblame|habla(?:r)?|escr[ií]beme|réponds?(?:-moi)?|répondre|répondez(?:-moi)?|parle-moi|écris-moi|écrivez-moi|rispondi(?:mi)?|rispondere|parlami|scrivimi|responda(?:-me)?|responder|fale|escreva(?:-me)?|antwoord(?:en)?|praat|svara?|отвечай(?:те)?|отвечать|говори(?:те)?|пиши(?:те)?|відповідай(?:те)?|говори(?:ти)?|odpowiadaj|pisz|mów|odpovídej(?:te)?|piš|cevapla|cevap ver(?:ir misin)?|yanıtla|konuş|yaz|jawab(?:lah)?|balas(?:lah)?|bicara|[أا]جب(?:ني)?|رد|تحدث|जवाब(?: (?:दो|दें|दीजिए|देना))?|उत्तर(?: (?:दो|दें|दीजिए|देना))?',
);
/** These are also said of one text or of what is talked about, so that alone they ask for no language of the answers. */
const ALSO_OF_TEXTS = new RegExp(
  word(String.raw`(?:write|schreib(?:e|en)?|пиши(?:те)?|pisz|piš|yaz|escreva)(?! (?:mir|to me|мне|mi)(?!\p{L}))`),
  'gu',
);
/** “Can you speak German” may only ask whether it can. */
const ABILITY =
  /^(?:can|could|do|kannst|können|sprechen|sprichst|puedes|hablas|peux|parles?|puoi|parli|fala|spreek|kun) .*(?:speak|talk|spr(?:e|i)ch|reden|habla|parle|parli|fala|spreek)|^(?:sprichst|sprechen|hablas|parles|parli|spreek) /;
const IN_A_LANGUAGE = word(
  String.raw`(?:(?:in|auf|en|em|in het|på|на|w|v|po|dalam|pakai|dengan) |по-)?${A_LANGUAGE}|بال(?:عربية|[إا]نجليزية|[إا]نكليزية|[أا]لمانية|فرنسية|لغة ال\S+)|(?:हिंदी|हिन्दी|अंग्रेज़ी|अंग्रेजी) में`,
);
/** “Only German please” may be said of a text, “only in German” rather of the answers. */
const PREPOSED_LANGUAGE = String.raw`(?:(?<!\p{L})(?:in|auf|en|em|på|на|w|v|po|dalam|dengan) |по-)${A_LANGUAGE}|بال|में`;
const LANGUAGES = new RegExp(
  `${IN_A_LANGUAGE}|[中英德法日韩韓俄西][文语語]|(?:日本|中国|韓国|フランス|ドイツ|スペイン|イタリア)語|(?:한국|영|독일|일본|중국|프랑스|스페인)어`,
  'gu',
);
const FORM = word(
  String.raw`(?:very |as |more )?(?:short(?:er)?|brief(?:er|ly)?|concise(?:ly)?|simple|simpler|plain|blunt|formal|informal|casual|friendly|direct|polite)(?: as possible)?|(?:simple|plain|short) (?:words|language|sentences)|(?:(?:to|in|under|below|within|at|about|around|up to|at most|max(?:imum)?|(?:no|not) (?:more|longer) than|(?:less|fewer) than) )?(?:\d[\d–-]*|one|two|three) (?:words|sentences?|lines|paragraphs?)|(?:sehr |möglichst )?(?:kurz|kurze|kürzer|knapp|einfach|einfache|formell|höflich)|(?:fass(?:e|en sie)? )?(?:dich|sich) kurz|(?:muy |más )?(?:breves?|cort[oa]s?|concis[oa]s?|simples)|(?:très |plus )?(?:brefs?|brèves?|courte?s?|concis(?:es?)?|simples?)|(?:più )?(?:brev[ei]|cort[ei]|concis[oei])|curt[oa]s?|kort(?:er)?|korte|beknopt|kortfattat|коротко|кратко|короче|вежливо|стисло|коротше|krótko|zwięźle|stručně|krátce|kısa(?:ca)?|singkat|pendek`,
);
/** The opposite of short; not “how long”. */
const AT_LENGTH = word(
  String.raw`(?<!(?:how|as|so|no|this|that|too|wie|nicht|days?|weeks?|months?|years?|all|life) )(?:long(?:er)?|lang(?:e|er|en)?|länger\p{L}*)(?![ -](?:ago|time|distance|term|run|as|than|grain|way|wie))|(?:in )?(?:more |greater )?(?:details?|detailed|depth)|verbose|elaborate|(?:sehr )?(?:ausführlich|detailliert)\p{L}*|detall(?:e|es|ad[oa]s?)|détaill\p{L}+|détails?|dettagli\p{L}*|detalh\p{L}+|uitgebreid\p{L}*|подробн\p{L}+|докладн\p{L}+|szczegółow\p{L}+`,
);
const WITHOUT = word(
  "(?:(?:don't|do not|never)(?! forget)|please no|no need to|stop|avoid|without|no|no more|not)(?: ever)?|(?:nutz|benutz|verwend)e?(?: bitte)? keine?|keine?|ohne|nie|no (?:uses|pongas|utilices)|nunca (?:uses|pongas|utilices)|sin|n(?:e |')(?:utilise|mets)(?: (?:pas|plus|jamais))?|pas|plus|jamais|sans|non usare|niente|senza|não use|sem|geen|zonder|inga|ingen|utan|uden|без|не (?:используй|используйте|пиши|ставь)|не (?:використовуй|вживай)|bez|nie używaj|nepoužívej|jangan (?:pernah )?(?:pakai|gunakan)|tanpa|لا تستخدم|بدون|kullanma",
);
/** What answers may do without. */
const ORNAMENT = word(
  "emojis?|emoticons?|bullet points?|bullets|tables?|markdown|headings?|headers?|hashtags?|jargon|slang|disclaimers?|technical terms|swear words|em[ -]?dash(?:es)?|tabellen?|aufzählung(?:en)?|stichpunkte|fachbegriffe|überschriften|emoticonos|tablas|d?'?emojis?|tableaux|listes à puces|tabelle|tabelas|emoji's|tabeller|эмодзи|смайлики|смайликов|таблицы|таблиц|емодзі|таблиці|emotikon(?:y|ów)|tabel|الرموز",
);
const ORNAMENTS = new RegExp(ORNAMENT, 'gu');
/** What answers may always keep to. */
const CONVENTION = word(
  '(?:british|american|us|uk) (?:english|spelling)|(?:the )?metric(?: system| units)?|(?:the )?imperial(?: units)?|celsius|cite(?: your)? sources|(?:your )?sources|das metrische system|le système métrique|el sistema métrico|metrische einheiten',
);
/** “Du”, “usted”: how the user is addressed. */
const ADDRESS = word(
  'du(?:z|tz)(?:e|en)?(?: sie)? mich|mich duzen|si?ez(?:e|en)(?: sie)? mich|mich siezen|tutoie-moi|vouvoie-moi|me (?:tutoyer|vouvoyer)|on se tutoie|tutéame|trátame de (?:tú|usted)|dammi del (?:tu|lei)',
);
const COURTESY = word(
  String.raw`please|pls|plz|kindly|hi|hey|hello|ok|okay|thanks?(?: you)?|thx|and|but|also|just|so|again|great|good|now|then|too|rules?|(?:can|could|will|would) you|you (?:should|must|have to|need to)|your|you|remember(?: to)?|ensure|(?:make|be) sure(?: that)?(?: you)?(?: to)?|don't forget to|i told you(?: to)?|i(?:'d| would)?(?: really)? (?:want|need|like|prefer|rather|expect|appreciate it if)(?: it)?(?: if)?(?: that)?(?: you)?(?: to)?|it would be (?:great|nice|better) if you|me|everything|all|any|use|using|add|adding|put|include|cite|keep|make|give|be|should|must|them|at all|any ?more|instead|for me|important|if possible|or|in your|bitte|und|aber|auch|mir|mit mir|alles|wir|kannst du|könntest du|können sie|könnten sie|du sollst|mehr|danke|hallo|antworten sie|benutze?|nutze?|verwende?|sei|seid|in|por favor|y|pero|todo|conmigo|puedes|podrías|usa|gracias|hola|sé|et|mais|s'il (?:te|vous) pla[iî]t|stp|svp|merci(?: de)?|peux-tu|pouvez-vous|tu peux|je veux(?: que tu)?|ich (?:will|möchte)|quiero|voglio|utilise|sois|soyez|des|les|tout|de|e|ma|per favore|grazie|puoi|usa|tutto|mas|obrigado|pode|use|seja|alsjeblieft|graag|wil je|kun je|en|snälla|tack|mig|venligst|och|og|пожалуйста|мне|и|но|со мной|все|всё|будь ласка|мені|і|та|proszę|mi|i|prosím|a|lütfen|bana|tolong|dan|saya|من فضلك|رجاء\u064b?|لو سمحت|علي|لي|معي|कृपया|मुझे|ही`,
);
const REQUEST = new RegExp(
  [ANSWERS, IN_A_LANGUAGE, CONVENTION, FORM, AT_LENGTH, ADDRESS, ORNAMENT, WITHOUT, ALWAYS, ANSWER, COURTESY].join('|'),
  'gu',
);
/** Only asked of the few sentences that are made of such words alone. */
const expressionOf = remembered(64, (words) => new RegExp(words, 'u'));
const says = (text: string, words: string): boolean => expressionOf(words).test(text);
/** A sentence about the answers themselves, whatever it asks of them. */
const OF_ANSWERS =
  /^(?:(?:please|and|but|also|do|hi|hey|ok),? )*(?:(?:keep|make) (?:all )?(?:of )?your (?:answers|replies|responses)\b|(?:all )?(?:of )?your (?:answers|replies|responses) (?:should|must|need to)\b)|\bin (?:all |each |every )?(?:of )?your (?:answers|replies|responses)\b(?! (?:to|about)\b)|\bin (?:all|each|every) (?:of your )?(?:answers?|repl(?:y|ies)|responses?)\b(?! (?:to|about)\b)|(?<!\p{L})(?:in deinen antworten|en tus respuestas|dans tes réponses|nelle tue risposte|nas (?:tuas|suas) respostas|в (?:своих|твоих) ответах)(?!\p{L})/u;
const IN_CHINESE =
  '^(?=.*(?:答|回[复覆应應]|以[后後]|[从從][现現]在|一直|[总總]是|都|只))(?:[请請]|以[后後]|[从從][现現]在(?:[开開]始|起)|都|一直|[总總]是|只|永[远遠]|你|要|必[须須]|始[终終]|麻[烦煩]|能不能|可以|[和跟对對]我|[,，、 ])*';
const IN_CHINESE_END = '(?:回答|回[复覆应應]|答|交流|[说說][话話]?|我|吧|就好|就行|[谢謝]{2}|[,，、 ])*$';
const JAPANESE_START =
  '(?:これから(?:は|ずっと)?|今後(?:は)?|必ず|いつも|ずっと|常に|全部|すべて|すべての|何でも|回答は|答えは|返事は|[、 ])*';
const JAPANESE_END =
  '(?:(?:答え|回答し|返事し|返信し|話し|説明し|書い|し)て|お願い(?:します)?|ください|下さい|くれますか|くれる|ほしい|欲しい|です|ね|よ|[、 ])*$';
const KOREAN_START = '(?:앞으로(?:는)?|지금부터|이제부터|항상|언제나|계속|모든|답은|대답은|답변은|[, ])*';
const KOREAN_END =
  '(?:만)? ?(?:(?:대?답|답변|말|설명|써|쓰|사용)[가-힣]{0,5} ?(?:줘|주세요|할 것)?|부탁[가-힣]{0,5})?[ .]*$';
/** The same in scripts whose words are not set apart. */
const LANGUAGE_UNSPACED: readonly RegExp[] = [
  new RegExp(`${IN_CHINESE}用?[中英德法日韩韓俄西][文语語](?:来|來)?${IN_CHINESE_END}`),
  new RegExp(
    `^(?=.*(?:答|返[事信]|話|説明|これから|今後|必ず|いつも|ずっと|常に))${JAPANESE_START}(?:日本|英|中国|韓国|フランス|ドイツ|スペイン|イタリア)語で${JAPANESE_END}`,
  ),
  new RegExp(
    `^(?=.*(?:답|말|설명|앞으로|지금부터|이제부터|항상|언제나))${KOREAN_START}(?:한국어|영어|독일어|일본어|중국어|프랑스어|스페인어)로${KOREAN_END}`,
  ),
];
const ANSWERS_UNSPACED: readonly RegExp[] = [
  new RegExp(
    `${IN_CHINESE}(?:的?回答|回[复覆])?(?:要|[请請]|[尽盡]量|都|,|，| )*(?:更)?(?:[简簡]短|[简簡][洁潔]|[简簡][单單]|短)(?:一?[点點些])?${IN_CHINESE_END}`,
  ),
  /^(?:[请請]|以[后後]|都|[从從][现現]在(?:[开開]始|起)|回答|你|[,， ])*(?:不要|[别別]|不用)(?:再)?(?:用|使用)?(?:任何)?(?:表情(?:符[号號])?|emojis?|表格|[术術][语語]|markdown|列表)(?:了|[谢謝]{2}|[,， ])*$/,
  new RegExp(
    `^(?=.*(?:答|返[事信]|これから|今後|必ず|いつも|常に))${JAPANESE_START}(?:もっと)?(?:短く|簡潔に|丁寧に|敬語で|箇条書きで|簡単に)${JAPANESE_END}`,
  ),
  /^(?:これからは?|今後は?|、| )*(?:絵文字|表|マークダウン)(?:は|を)?(?:使わない|使わず|なし|禁止)/,
  new RegExp(
    `^(?=.*(?:답|앞으로|지금부터|이제부터|항상|언제나))${KOREAN_START}(?:더 )?(?:짧게|간단히|간단하게|간결하게|(?:존댓말|반말)(?:을|로)?)${KOREAN_END}`,
  ),
  /^(?:앞으로(?:는)?|답변에|[, ])*(?:이모지|표)(?:를|는|은)? ?(?:사용 ?금지|쓰지 ?(?:마|말)|사용하지 ?(?:마|말)|없이)/,
];

const A_NAME = String.raw`(?!(?:on|in|not|too|so|very|wrong|misspelled|spelled|pronounced|never|always|being|long|short|missing|written|there|here|no|the|an?|is|mal|nicht|so|bitte|später|morgen|gern|jetzt|wieder|zurück|einfach|[äÄ]h|nie|no|un[ao]?|el|la|de|como|pas|comme|le|les|non|come|il|ma[nñ]ana|luego|m[aá]s|cuando|si|al?|en|por|para|esta|hoy|ahora|demain|plus|quand|aux?|à|ce|dès|vite|dans|sur|pour|maintenant|domani|dopo|quando|se|alle|più|stasera|appena|subito|ora|adesso|per|amanhã|depois|às|mais|nanti|besok|jika|kalau|когда|завтра|позже|как|на|если)(?!\p{L}))[\p{L}\p{M}][\p{L}\p{M}'-]*(?: (?!(?:on|in|is|for|to|at|back|when|if|nicht|und|and|but|meaning|lyrics|song|movie|book|film|quotes?|who|by|from)(?!\p{L}))\p{L}[\p{L}\p{M}'-]*)?`;
const POLITE =
  '(?:(?:hi|hey|hello|ok|okay|please|pls|and|but|also|just|so|remember|hallo|bitte|und|aber|ab jetzt|ab sofort|hola|por favor|y|bonjour|salut|et|ciao|e|olá|привет|и|from now on),? )*';
const POLITE_END =
  "(?:,? (?:please|pls|from now on|instead|thanks|bitte|danke|ab jetzt|nennen|por favor|gracias|s'il te pla[iî]t|merci|per favore|grazie|пожалуйста|al[st]jeblieft|and never .*|and not .*))*";
/** What the user is called, as a sentence of its own. */
const NAME: readonly RegExp[] = [
  new RegExp(
    String.raw`^${POLITE}(?:(?:(?:can|could|would) you |you (?:can|may|should) |(?:i'd|i would) (?:like|prefer) (?:it if )?you (?:to )?|i want you to )?(?:please |always )*${CALL_ME}|my name(?: is|'s) |(?:everyone|people|my friends) calls? me |(?:nenn(?:e|en sie)? mich|(?:du )?(?:kannst|darfst) (?:du )?mich(?= (?:bitte )?\S+(?: \S+)? nennen)|ich hei(?:ß|ss)e|mein name ist) (?:bitte )?|(?:ll[áa]mame|me llamo|mi nombre es|puedes llamarme) |(?:appelle(?:z)?-moi|je m'appelle|mon nom est|tu peux m'appeler) |(?:chiamami|mi chiamo|il mio nome è|puoi chiamarmi) |(?:me cham[eao]|cham[ea]-me|meu nome é|pode me chamar) (?:de )?|(?:noem (?:me|mij)|mijn naam is|ik heet) |(?:kal[dl]a? (?:mig|meg)|jag heter|jeg hedder|jeg heter) |(?:(?:зови|называй)(?:те)? меня|меня зовут) |(?:(?:зви|називай)(?:те)? мене|мене звати) |(?:nazywaj|zwij) mnie |mam na imię |mów mi |(?:oslovuj(?:te)? mě|říkej(?:te)? mi|jmenuji se) |panggil (?:saya|aku) |nama saya )${A_NAME}${POLITE_END}$`,
    'u',
  ),
  new RegExp(
    String.raw`^${POLITE}(?:(?:don't|do not|never|stop|no need to) (?:ever )?call(?:ing)? me ${A_NAME}|call me by my first name|bana \p{L}+ (?:de|diye hitap et)|(?:benim )?adım \p{L}+|मुझे \S+ (?:कहो|कहकर बुलाओ|बुलाओ)|मेरा नाम \S+ है|(?:نادني|ناديني|اسمي) \p{L}+)${POLITE_END}$`,
    'u',
  ),
  /^(?:[请請你就，, ]|以[后後]|可以)*(?:叫我|我叫|我的名字(?:是|叫))(?![们們不去来來怎做别別早起什了過过外车車])[^,，]{1,8}$|^(?:これからは?|今後は?|[、 ])*(?:私の名前は.{1,12}です|.{1,10}と呼んで(?:$|ください|下さい|くれ|ほしい|ね))|^(?:앞으로(?:는)? )?(?:나를|저를) .{1,12}(?:라고|로) 불러|^제 이름은 .{1,12}(?:입니다|이에요|예요)$/,
];

/** A role, a game, a story or somebody else's words: what is said there holds there. */
const AS_ANOTHER =
  /(?<![\p{L}\p{N}])(?:you are (?:now )?(?:an?|the|my)|you're (?:now )?(?:an?|the|my)|act (?:as|like)|pretend|imagine|role ?-?play|let's play|play (?:an?|the|as)|(?:the|this|a|our|my) (?:game|novel|story|poem|scene|character|screenplay|script|book|play)|translat(?:e|ion)|how (?:do|would|can) (?:you|i) say|du bist (?:ein|der|die|jetzt|mein)\p{L}*|spielen? (?:wir|du|einen?)|spiel (?:einen?|mir)|stell dir vor|tu so als|(?:mein|im|dem|der|einem|einer) (?:\p{L}+)?(?:roman|spiel|geschichte|figur)|übersetz\p{L}*|wie sagt man|imagina|actúa|eres una?|juguemos|traduc\p{L}*|cómo se dice|imagine que|joue|tu es une?|fais comme si|tradui\p{L}*|comment (?:dit-on|on dit)|immagina|fingi|sei un\p{L}*|come si dice|finja|você é uma?|traduz\p{L}*|como se diz|speel|stel je voor|vertaal|представь|перевед\p{L}*|сыграй|ты —|уяви|переклади|wyobraź|przetłumacz|představ si|přelož|hayal et|çevir|terjemahkan|bayangkan)(?![\p{L}\p{N}])|扮演|[假][装裝]|你是一|翻[译譯]|翻訳|になりきって|번역|역할/u;
/** One text that is asked for: what is said beside it is about that text. */
const A_TEXT =
  /^(?:(?:hi|hey|hello|ok|now|please|can you|could you|bitte|kannst du|por favor|s'il te plaît|per favore),? )*(?:write|rewrite|draft|compose|create|make|generate|summari[sz]e|help (?:me )?(?:with )?(?:(?:this|my|the|an?) )?(?:\p{L}+ )?(?:e-?mail|mail|letter|text|message|essay|cv|resume)|proofread|correct|fix|edit|improve|polish|check|(?:reply|respond|answer) (?:to )?(?:this|that|the|my|these)|what(?:'s| is) wrong|verbesser\p{L}*|prüf\p{L}*|mejora|améliore|migliora|tell me a|give me|schreib\p{L}*|erstell\p{L}*|verfass\p{L}*|formulier\p{L}*|korrigier\p{L}*|escribe|redacta|corrige|écris|rédige|scrivi|redigi|correggi|escreva|schrijf|skriv|напиши|составь|исправь|napisz|napiš|buat(?:kan)?|tulis(?:kan)?)(?!\p{L})|[写寫]一|書いて|써 ?[줘주]|작성/u;

/** Practice in a language, which is spoken only there, or a game with rules of its own. */
const A_LESSON =
  /(?<!\p{L})(?:practi[cs](?:e|ing)|learn(?:ing)?|teacher|tutor|quiz(?: me)?|playing|üben|lernen?|lehrer(?:in)?|practicar|aprend\p{L}+|profesora?|pratiquer|appren\p{L}+|impar\p{L}+|insegnante)(?!\p{L})/u;

/** The user, or one of their household. */
const OWN = String.raw`(?:(?:i|we)(?:'(?:m|ve|re))? |(?:my|our) (?:[\w-]+ )?(?:wife|husband|partner|girlfriend|boyfriend|fianc[ée]e?|spouse|sons?|daughters?|kids?|child|children|baby|toddler|mum|mom|mother|dad|father|parents|brothers?|sisters?|family|household|twins)(?= )|(?:ich|wir|bin) |(?:mein|unser)\p{L}* (?:frau|mann|partner(?:in)?|freundin|freund|sohn|söhne|tochter|töchter|kind(?:er)?|baby|mutter|mama|vater|papa|eltern|bruder|schwester|familie) |veganer|(?:soy|somos|estoy|tengo|tenemos) |(?:mis?|nuestr[oa]s?) (?:espos[oa]|mujer|marido|pareja|novi[oa]|hij[oa]s?|bebé|madre|padre|mamá|papá|padres|herman[oa]s?|familia) |(?:je|j'ai|nous|on) ?|(?:mon|ma|mes|notre|nos) (?:femme|mari|conjointe?|compagn(?:e|on)|copine?|copain|fils|filles?|enfants?|bébé|mère|père|parents|frère|sœur|soeur|famille) |(?:sono|siamo|ho|abbiamo) |(?:mi[oa]|nostr[oa]) (?:moglie|marito|compagn[oa]|figli[oa]|bambin[oa]|mamma|madre|padre|papà|fratello|sorella|famiglia|ragazz[oa]) |(?:sou|somos|estou|tenho|temos) |(?:meu|minha|nosso|nossa) (?:esposa|esposo|mulher|marido|namorad[oa]|filh[oa]|bebê|mãe|pai|irmão|irmã|família) |(?:ik|wij|we) |(?:mijn|onze) (?:vrouw|man|partner|zoon|dochter|kind(?:eren)?|moeder|vader|broer|zus|gezin|vriendin|vriend) |olen |(?:jag|jeg|vi) |у (?:меня|нас|сына|дочери|мужа|жены|реб[её]нка|мене|доньки|чоловіка|дружини|дитини) |(?:я|мы|ми) |(?:mam|mamy|jestem|jesteśmy|mám|máme|jsem|jsme|sunt|suntem) |(?:saya|aku|kami|anak saya) |(?:عندي|عندنا|لدي|لدينا|أعاني من|أنا|انا|نحن) |(?:मुझे|हमें|बेटे को|बेटी को|मैं|हम) |(?:저는|나는|전|난|우리는) |我(?!的?(?:朋友|同事|同[学學]|[客猫貓狗]|老[师師板]))|[对對]|孩子|[儿兒]子|女[儿兒]|老公|老婆|[妈媽]{2}|爸爸)`;
const OF_OWN = new RegExp(`^${OWN}`, 'u');
/** Where the person stands in the verb, behind the fact. */
const OWN_BEHIND =
  /(?:alerji(?:m|miz) var|(?:vegan|vejetaryen)(?:ım|im|ız|iz)|vagyok|アレルギー(?:が|も)?(?:あ(?:る|り|っ)|持ち|です|な(?:ので|んで))|알레르기(?:가|도)? ?(?:있어|있습|있거든|있고|있으니|있음))$/;
/** “I have an allergy test tomorrow”. */
const NO_FACT =
  /\b(?:allergy|intolerance|pregnancy) (?:tests?|shots?|appointment|clinic|doctor|pills?|medication|season)\b/;
const OTHERS = /友達|友人|彼|客|犬|猫|先生|同僚|人が|人は|친구|손님|고양이|강아지|동료|그는|그녀/;
/** An order of words that tells: the question mark belongs to what follows without a comma. “Bin ich”, “sono” may ask. */
const TOLD =
  /^(?:i(?:'?m| am|'ve| have)|we(?:'re| are|'ve| have)|(?:my|our) .+? (?:is|are|has|have)|ich \p{L}+|wir \p{L}+) .*?(?:allerg|vega|vegetar|diab|c(?:o)?elia|intoleran|pregnan|schwanger|lactose|blind).* .* /u;
const AND_I =
  /^(?:(?:and|but|also|so|since|as i said|as|because|well|hi|hey|hello|ok|okay|please|note that|remember(?: that)?|keep in mind(?: that)?|btw|by the way|fyi|just so you know|actually|oh|sorry|no(?= (?:i|im|i'm|we|we're|my|our) )|und|aber|denn|hallo|übrigens|y|pero|porque|como|hola|et|mais|car|comme|bonjour|e|ma|perché|ciao|mas|pois|porque|en|maar|want|och|og|men|и|но|а|і|але|ale|dan|tapi) )+/u;

/** What a standing request is about. All but `work`, such as a budget or the length of one text, hold in every topic. */
type Standing = 'person' | 'language' | 'name' | 'answers' | 'work';

/** Up to the mark that ends it; a number such as 3.8 is not parted. */
const SENTENCE = /(?:[^.!?。！？؟।]|[.!?](?=\S))+[.!?。！？؟।]*/gu;
const QUESTION = /[?？؟]\s*$/;
const CLAUSE = /[,;()–—،、，…]+/;

/** What a turn's message says or asks for that lasts. Kept with the turn: a whole path is read again for each message. */
const standingOf = rememberedOf((node: Node): readonly Standing[] => standingIn(node.message));

const standingIn = (message: string): readonly Standing[] => {
  if (wordCount(message) > CONSTRAINT_WORDS) return [];
  // A line of its own, or a bullet, begins a sentence; but a message may also be broken within one.
  const said = [plain(message), ...(LINE.test(message) ? [plain(message.replace(LINES, '. '))] : [])];
  const own = ownWords(message);
  const ownSaid = own === message ? said : [plain(own)];
  const everywhere = [...new Set(ownSaid.flatMap(heldEverywhereBy))];
  if (everywhere.length > 0) return everywhere;
  return [...FACTS, ...CONSTRAINTS].some((cue) => said.some((text) => cue.test(text))) ? ['work'] : [];
};

/** “Proofread this:” on a line of its own, or a question about a text. */
const INTRODUCES =
  /(?:[:：]|(?<!\p{L})(?:this|these|following|sentences?|text|e?-?mail|letter|message|grammar|english|correct|diese[rnmst]?|satz|text|est[ea]s?|frase|texto|cette?|ces|phrase|texte|quest[aoie]|testo)(?!\p{L}).*[?？])\s*$/iu;

/** Returns a message up to the text that it goes on to give, whose words are not the user's about themselves. */
const ownWords = (message: string): string => {
  const lines = message.split('\n');
  const at = lines.findIndex((line, i) => {
    const next = lines.slice(i + 1).find((one) => one.trim() !== '');
    return next !== undefined && INTRODUCES.test(line) && !LIST_ITEM.test(next);
  });
  return at < 0 ? message : lines.slice(0, at + 1).join('\n');
};

/** What holds in every topic: only what makes up a sentence of its own, or a clause that states a fact. */
const heldEverywhereBy = (text: string): Standing[] => {
  if (AS_ANOTHER.test(text)) return [];
  const sentences = (text.match(SENTENCE) ?? []).map((one) => one.trim());
  const asked = sentences.map(askedBy);
  const isForText = sentences.some((one, at) => asked[at] === null && A_TEXT.test(one));
  const isElsewhere = A_LESSON.test(text);
  return [
    ...(sentences.some(statesFact) ? ['person' as const] : []),
    ...asked.flatMap((one) => (one === null || isElsewhere || isForText ? [] : [one])),
  ];
};

const askedBy = (sentence: string): Standing | null => {
  const text = sentence.replace(/[\s.!?。！？؟।]+$/u, '');
  if (/[:：]$/.test(text)) return null;
  if (NAME.some((cue) => cue.test(text))) return 'name';
  if (LANGUAGE_UNSPACED.some((cue) => cue.test(text))) return 'language';
  if (ANSWERS_UNSPACED.some((cue) => cue.test(text))) return 'answers';
  const isQuestion = QUESTION.test(sentence);
  if (!isQuestion && OF_ANSWERS.test(text)) return says(text, IN_A_LANGUAGE) ? 'language' : 'answers';
  if (/[\p{L}\p{N}]/u.test(text.replace(REQUEST, ' '))) return null;
  if (ABILITY.test(text)) return null;
  const lasts = says(text.replace(ONLY, ' '), ALWAYS) || says(text, ANSWERS);
  const isOnly = says(text, ALWAYS) && (says(text, ANSWER) || says(text, PREPOSED_LANGUAGE));
  if (says(text, IN_A_LANGUAGE) && (lasts || isOnly || says(text.replace(ALSO_OF_TEXTS, ' '), ANSWER))) {
    return 'language';
  }
  const isAboutAnswers =
    says(text, ADDRESS) ||
    (says(text, ORNAMENT) && (says(text, WITHOUT) || lasts)) ||
    (says(text, CONVENTION) && says(text, ALWAYS)) ||
    ((says(text, FORM) || says(text, AT_LENGTH)) && lasts);
  return isAboutAnswers ? 'answers' : null;
};

/** A fact about the user or their household, at the head of a clause that asks nothing. */
const statesFact = (sentence: string): boolean =>
  sentence.split(CLAUSE).some((one) => {
    const clause = one.trim().replace(AND_I, '');
    if ((QUESTION.test(clause) && !TOLD.test(clause)) || OTHERS.test(clause)) return false;
    return FACTS.some((fact) => {
      const found = fact.exec(clause);
      if (found === null) return false;
      return (found.index === 0 && OF_OWN.test(clause) && !NO_FACT.test(clause)) || OWN_BEHIND.test(found[0]);
    });
  });

/** Number of latest turns, whatever their topic, among which standing requests that hold in every topic are looked for. */
export const STANDING_TURNS = 200;
/** Of those from off the path, facts that hold; requests for a form of the answers make up the second number with the rest. */
const HELD_FACTS = 5;
const HELD = 3;

/** Only a short message of the same topic is taken to take a request back. */
const TAKING_BACK_WORDS = 12;
/** Also “not so short”, “normal length”. */
const OTHERWISE = word(
  "not|don't|do not|no longer|normal(?:ly)?|again|usual|any ?more|nicht|wieder|keine?|más|plus|di nuovo",
);
const FACT_WORDS =
  /(?:allerg|alerg|аллерг|алерг|vega|vegetar|végétar|diab|c(?:o)?elia|intoleran|lactose|la[kc]tose|pregnan|schwanger|enceinte|embaraz|incinta|gr[áa]vid|blind)/gu;
const NEGATED = String.raw`(?:not|no longer|n't|never|nicht|keine?|ya no|no (?:soy|somos|es|estoy|tengo)|pas|plus|non|niet|geen|inte|ikke|не|nie)(?: \p{L}+){0,3} |used to be `;
const NO_LONGER = new RegExp(
  String.raw`(?<!\p{L})(?:${OWN}).*(?:(?<!\p{L})(?:${NEGATED})\p{L}*(?:${FACT_WORDS.source})|(?:${FACT_WORDS.source})\p{L}* (?:any ?more|no more))`,
  'u',
);
const ALLERGIC_TO =
  /(?:allerg|alerg)\p{L}+ (?:to|gegen|auf|an?|à|al|alla|aux?|voor|mot|mod|на) (?:the |my |las? |los |les? )?(\p{L}+)/u;

/** What a short message says about the same matters as a request, whether or not it asks for anything that lasts. */
interface Matters {
  readonly isShort: boolean;
  readonly languages: ReadonlySet<string>;
  readonly isAtLength: boolean;
  readonly hasForm: boolean;
  readonly isOtherwise: boolean;
  readonly ornaments: ReadonlySet<string>;
  readonly isWithout: boolean;
  readonly hasAddress: boolean;
  readonly facts: ReadonlySet<string>;
  readonly isNoLonger: boolean;
  readonly allergicTo: string | undefined;
}

const mattersOf = rememberedOf((node: Node): Matters => {
  const text = plain(node.message);
  const all = (words: RegExp): string[] => text.match(words) ?? [];
  return {
    isShort: wordCount(node.message) <= TAKING_BACK_WORDS,
    languages: new Set(all(LANGUAGES).map((one) => one.split(/[ -]/).at(-1) ?? one)),
    isAtLength: says(text, AT_LENGTH),
    hasForm: says(text, FORM),
    isOtherwise: says(text, OTHERWISE),
    ornaments: new Set(all(ORNAMENTS).map((one) => one.slice(0, 4))),
    isWithout: says(text, WITHOUT),
    hasAddress: says(text, ADDRESS),
    facts: new Set(all(FACT_WORDS).map((one) => one.slice(0, 4))),
    isNoLonger: NO_LONGER.test(text),
    allergicTo: ALLERGIC_TO.exec(text)?.[1],
  };
});

/** Whether a later turn asks for the opposite of a request or says that a fact has changed, however it puts it. */
const takesBack = (later: Node, node: Node, kind: Standing): boolean => {
  if (later.number <= node.number) return false;
  // Of another topic, only what holds in every topic itself.
  if (later.treeId !== node.treeId && !standingOf(later).includes(kind)) return false;
  const now = mattersOf(later);
  const then = mattersOf(node);
  if (!now.isShort) return false;
  if (kind === 'language') {
    return [...now.languages].some((one) => !then.languages.has(one)) || (now.languages.size > 0 && now.isWithout);
  }
  if (kind === 'answers') {
    return (
      (then.isAtLength ? now.hasForm : then.hasForm && (now.isAtLength || (now.hasForm && now.isOtherwise))) ||
      (now.isWithout !== then.isWithout && [...now.ornaments].some((one) => then.ornaments.has(one))) ||
      (now.hasAddress && then.hasAddress)
    );
  }
  const differs = then.allergicTo !== undefined && now.allergicTo !== undefined && now.allergicTo !== then.allergicTo;
  return kind === 'person' && now.isNoLonger && !differs && [...now.facts].some((one) => then.facts.has(one));
};

/** Whether a request is about the text, role or game that its topic began with, so that it holds only there. */
const isForBeginning = (node: Node, recent: readonly Node[], kind: Standing): boolean => {
  if (kind === 'person' || node.parentId === null) return false;
  const root = recent.find(({ treeId }) => treeId === node.treeId);
  if (root === undefined || root === node) return false;
  const beginning = plain(root.message);
  if (AS_ANOTHER.test(beginning) || A_LESSON.test(beginning)) return true;
  if (kind === 'name' || standingOf(root).some((one) => one !== 'work')) return false;
  const isText =
    wordCount(root.message) >= CONSTRAINT_WORDS ||
    (beginning.match(SENTENCE) ?? []).some((one) => A_TEXT.test(one.trim()));
  const text = plain(node.message);
  return isText && !says(text.replace(ONLY, ' '), ALWAYS) && !says(text, ANSWERS);
};

/**
 * Returns the turns off the path whose standing request holds in every topic, without those for a language or a name
 * that a newer one replaces, those that were taken back, those that are said on the path too, and those of which the user has sent another version
 * since, or stands at another one. Of many, facts come first, then the name and the language, then the form of the
 * answers, of each the newest. `asking`: those of the path; `recent`: the latest turns up to the message's.
 */
const heldEverywhere = (before: readonly Node[], asking: readonly Node[], recent: readonly Node[]): Node[] => {
  const own = recent.at(-1);
  const onPath = new Map(before.map((node) => [node.parentId, node]));
  const said = new Set(asking.map(({ message }) => plain(message)));
  const ofPath = new Set(asking.flatMap(standingOf));
  // A language that the path asks for counts there, or two topics with one each would take it from each other.
  const replaced = new Set<Standing>(ofPath.has('language') ? ['work', 'language'] : ['work']);
  const held: { readonly node: Node; readonly isFact: boolean; readonly isForm: boolean }[] = [];
  for (const node of recent.toReversed()) {
    const standing = standingOf(node);
    if (standing.length === 0) continue;
    const there = onPath.get(node.parentId);
    const instead = [
      ...recent.filter((other) => isVersionOf(other, node)),
      ...(there !== undefined && isVersionOf(node, there) ? [there] : []),
    ];
    // After going back, another message stands in its place, which leaves a fact as it was.
    const isEdited = instead.some((other) => isAlike(other, node));
    if (isEdited || (instead.length > 0 && !standing.includes('person'))) continue;
    const text = plain(node.message);
    const isBeside = node.treeId === own?.treeId;
    const holds = standing.filter(
      (one) =>
        !replaced.has(one) &&
        (one === 'person' || instead.length === 0) &&
        !(isBeside && isReplaced(one) && ofPath.has(one)) &&
        !isForBeginning(node, recent, one) &&
        !recent.some((later) => takesBack(later, node, one)),
    );
    if (node !== own && there?.id !== node.id && !said.has(text) && holds.length > 0) {
      held.push({ node, isFact: holds.includes('person'), isForm: holds.every((one) => one === 'answers') });
    }
    said.add(text);
    for (const one of standing) if (isReplaced(one) && instead.length === 0) replaced.add(one);
  }
  const facts = held.filter(({ isFact }) => isFact).slice(0, HELD_FACTS);
  const others = held.filter(({ isFact, isForm }) => !isFact && !isForm);
  const forms = held.filter(({ isForm }) => isForm).slice(0, Math.max(1, HELD - facts.length - others.length));
  return [...facts, ...others, ...forms].map(({ node }) => node);
};

/** Of these only the newest counts. */
const isReplaced = (one: Standing): boolean => one === 'language' || one === 'name';
