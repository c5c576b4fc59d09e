import type { InclusionReason } from '../../../../domain/context.ts';
import type { Forest, Node, NodeId } from '../../../../domain/forest.ts';
import { clamp, indicator, latinDigits, logistic } from '../../../../domain/numbers.ts';
import { childrenOf, isUnanswered, nodeOf, pathTo, replyText } from '../../../../domain/queries.ts';
import { turnsFrom } from '../../../../domain/turns-in-order.ts';
import { remembered } from '../../../tasks.ts';
import { contentWords, wordCount } from '../../../text/words.ts';
import type { RetrievedTurn } from '../../policy.ts';
import shipped from './need-weights.json' with { type: 'json' };

/** How likely an answer needs a turn's message and its reply, each 0–1, and why. */
export interface TurnNeed {
  readonly message: number;
  readonly reply: number;
  readonly why: readonly InclusionReason[];
}

export interface Needs {
  readonly of: (nodeId: NodeId) => TurnNeed;
  /** All turns that may be needed. */
  readonly ids: ReadonlySet<NodeId>;
}

/** What is known about a message and the turns before it. */
export interface NeedEvidence {
  readonly forest: Forest;
  /** The turn being answered. */
  readonly node: Node;
  /** From the root to the parent of the turn being answered. */
  readonly before: readonly Node[];
  readonly retrieved: readonly RetrievedTurn[];
  /** Chance that the message continues from a turn, if its decisions left that open; empty otherwise. */
  readonly chances: ReadonlyMap<NodeId, number>;
}

const NO_NEED: TurnNeed = { message: 0, reply: 0, why: [] };

/**
 * How likely a message that continues from a turn needs that turn's message and reply, and those of its ancestors, by
 * distance. Estimated from everyday conversations: the last reply in eight of ten turns, the one before in one of ten.
 */
const fading = (up: number): { readonly message: number; readonly reply: number } => ({
  message: 0.4 / up ** 0.7,
  reply: 0.85 / up ** 1.5,
});

/** Minimum chance of the decided place; otherwise doubt would empty the path. */
const BELIEVED = 0.5;
/** Number of latest path turns that can be needed for their position alone. */
const REMEMBERED = 40;
/** Need that shared words and similarity contribute at evidence 1, on and off the path. */
const FOUND = { path: { message: 0.4, reply: 0.5 }, elsewhere: { message: 0.15, reply: 0.3 } } as const;

/**
 * Need by rule: the latest turns are needed most, and replies fade faster than messages. If the message's place is in
 * doubt, the same applies to every other place, weighted by its chance. Shared words and similarity add to it.
 */
export const needsByRule = (known: NeedEvidence): Needs => {
  const needs = ruledNeeds(known);
  const whyOf = reasonsOf(known);
  const of = (nodeId: NodeId): TurnNeed => {
    const need = needs.get(nodeId);
    return need === undefined ? NO_NEED : { ...need, why: whyOf(nodeId) };
  };
  return { of, ids: new Set(needs.keys()) };
};

type PartNeeds = Readonly<Record<Part, number>>;

/** The same without the reasons, which cost more. */
const ruledNeeds = ({ forest, before, retrieved, chances }: NeedEvidence): ReadonlyMap<NodeId, PartNeeds> => {
  const parent = before.at(-1);
  const onPath = new Set(before.map(({ id }) => id));
  const needs = new Map<NodeId, PartNeeds>();
  const add = ({ id }: Node, message: number, reply: number): void => {
    const before = needs.get(id) ?? NO_NEED;
    needs.set(id, { message: either(before.message, message), reply: either(before.reply, reply) });
  };
  const goOnFrom = (from: Node, chance: number): void => {
    for (const [at, node] of pathTo(forest, from.id).slice(-REMEMBERED).toReversed().entries()) {
      const { message, reply } = fading(at + 1);
      add(node, chance * message, chance * reply);
    }
  };
  if (parent !== undefined) goOnFrom(parent, chances.size === 0 ? 1 : Math.max(BELIEVED, chances.get(parent.id) ?? 0));
  for (const [id, chance] of chances) {
    const node = forest.nodes[id];
    if (node !== undefined && node !== parent) goOnFrom(node, chance);
  }
  for (const { nodeId, score, rareShared, passages } of retrieved) {
    const node = forest.nodes[nodeId];
    const isFound = onPath.has(nodeId) || (rareShared.length > 0 && score >= EVIDENT);
    if (node === undefined || !isFound) continue;
    const of = onPath.has(nodeId) ? FOUND.path : FOUND.elsewhere;
    const best = (part: 'message' | 'reply') =>
      passages.reduce((most, one) => (one.part === part ? Math.max(most, one.score) : most), 0);
    add(node, of.message * best('message') ** 2, of.reply * best('reply') ** 2);
  }
  return needs;
};

/** Evidence below which a turn elsewhere is not needed for its evidence alone. */
const EVIDENT = 0.5;
/** Evidence from which a turn is labelled alike, and chance from which one elsewhere is labelled unsure. */
const ALIKE = 0.3;
const LIKELY = 0.05;

/** Says why a turn is sent, for the user who asks. */
const reasonsOf = ({ before, retrieved, chances }: NeedEvidence): ((id: NodeId) => InclusionReason[]) => {
  const stepsUp = stepsIn(before);
  const hits = hitsIn(retrieved);
  return (id) => {
    const up = stepsUp.get(id);
    const found = hits.get(id);
    const why: InclusionReason[] = [];
    if (up === 1) why.push({ reason: 'last-exchange' });
    else if (up !== undefined && up <= 3) why.push({ reason: 'recent' });
    if (up === undefined && (chances.get(id) ?? 0) >= LIKELY) why.push({ reason: 'unsure' });
    if (found !== undefined && found.rareShared.length > 0)
      why.push({ reason: 'same-words', words: [...found.rareShared] });
    else if (found !== undefined && found.score >= ALIKE) why.push({ reason: 'alike' });
    return why;
  };
};

/** Turns of the path, by their distance from the message. */
const stepsIn = (before: readonly Node[]): ReadonlyMap<NodeId, number> =>
  new Map(before.map(({ id }, at) => [id, before.length - at]));

export const hitsIn = (retrieved: readonly RetrievedTurn[]): ReadonlyMap<NodeId, RetrievedTurn> =>
  new Map(retrieved.map((one) => [one.nodeId, one]));

/** Weight of need relative to evidence when filling a budget (chosen on LoCoMo). */
const NEED_BESIDE = 0.5;

/**
 * Need when a budget for the whole context is to be filled: found turns come first, in full, although most of that is
 * not needed; then turns needed for their position.
 */
export const withRetrieved = (needs: Needs, { retrieved }: NeedEvidence): Needs => {
  const found = new Map(retrieved.map(({ nodeId, score }) => [nodeId, score]));
  const of = (nodeId: NodeId): TurnNeed => {
    const need = needs.of(nodeId);
    const evidence = found.get(nodeId) ?? 0;
    return {
      ...need,
      message: either(NEED_BESIDE * need.message, evidence),
      reply: either(NEED_BESIDE * need.reply, evidence),
    };
  };
  return { of, ids: new Set([...needs.ids, ...found.keys()]) };
};

/** History length in tokens up to which older turns are as close as in the conversations that need was fitted on. */
const SHORT_HISTORY = 3000;
/** Need of a text with everything that is asked for, in an infinitely long history (chosen on four conversations of LoCoMo). */
const FAR_BACK = 0.8;

/**
 * Need in a history of `historyTokens` tokens. The longer it is, the more of what is asked about lies far back, where
 * only its overlap with the message points to it.
 */
export const withFarRecall = (needs: Needs, { retrieved }: NeedEvidence, historyTokens: number): Needs => {
  const believed = FAR_BACK * (1 - SHORT_HISTORY / Math.max(SHORT_HISTORY, historyTokens));
  if (believed === 0) return needs;
  const found = hitsIn(retrieved);
  const recalled = (nodeId: NodeId, part: Part): number => believed * bestPassage(found.get(nodeId), part) ** 2;
  const of = (nodeId: NodeId): TurnNeed => {
    const need = needs.of(nodeId);
    return {
      ...need,
      message: either(need.message, recalled(nodeId, 'message')),
      reply: either(need.reply, recalled(nodeId, 'reply')),
    };
  };
  return { of, ids: new Set([...needs.ids, ...found.keys()]) };
};

const either = (a: number, b: number): number => 1 - (1 - a) * (1 - b);

export type Part = 'message' | 'reply';
type NeedFeatures = Readonly<Record<string, number>>;

/** By part and feature: what one unit of it adds to the log-odds that the part is needed. */
type NeedWeights = Readonly<Record<Part, Readonly<Record<string, number>>>>;

/** Probability that a part is needed: a logistic regression, fitted by measure/train-need.ts. */
const needBy = (features: NeedFeatures, weights: Readonly<Record<string, number>>): number => {
  let odds = 0;
  for (const name in features) odds += (features[name] as number) * (weights[name] ?? 0);
  return logistic(odds);
};

/** Need as estimated by the fitted model. */
export const needsByModel = (known: NeedEvidence, weights: NeedWeights = shipped): Needs => {
  const featuresOf = needFeaturesOf(known);
  const whyOf = reasonsOf(known);
  const needs = new Map<NodeId, TurnNeed>(
    weighedTurns(known).map((turn) => {
      const message = needBy(featuresOf(turn, 'message'), weights.message);
      const reply = needBy(featuresOf(turn, 'reply'), weights.reply);
      return [turn.id, { message, reply, why: whyOf(turn.id) }];
    }),
  );
  return { of: (nodeId) => needs.get(nodeId) ?? NO_NEED, ids: new Set(needs.keys()) };
};

/** Number of turns weighed for their position alone: the last of the path, and the last by time. */
const LAST_OF_PATH = 24;
const LAST = 3;

/** Returns the earlier turns that a message may need: the last of its path, the last by time, those it may belong to, and those found. */
export const weighedTurns = ({ forest, before, retrieved, chances, node }: NeedEvidence): Node[] => {
  const ids = new Set<NodeId>([
    ...before.slice(-LAST_OF_PATH).map(({ id }) => id),
    ...retrieved.map(({ nodeId }) => nodeId),
    ...chances.keys(),
  ]);
  for (const { id } of turnsFrom(forest, node.number - LAST)) ids.add(id);
  return [...ids].flatMap((id) => {
    const turn = forest.nodes[id];
    return turn === undefined || turn.number >= node.number ? [] : [turn];
  });
};

/** Chances are clamped this far from 0 and 1 before taking log-odds. */
const CERTAIN = 0.005;
const oddsOf = (chance: number): number => {
  const most = clamp(chance, CERTAIN, 1 - CERTAIN);
  return Math.log(most / (1 - most));
};

/** Returns the features of each part of a turn. Computes what all turns share only once. */
export const needFeaturesOf = (known: NeedEvidence): ((turn: Node, part: Part) => NeedFeatures) => {
  const { forest, before, retrieved, chances, node } = known;
  const up = stepsIn(before);
  const found = hitsIn(retrieved);
  const most = Math.max(0, ...retrieved.map(({ score }) => score));
  const parent = before.at(-1);
  const scoreOf = (turn: Node | undefined) => (turn === undefined ? 0 : (found.get(turn.id)?.score ?? 0));
  const isBare = contentWords(node.message).size < 2;
  const isShort = wordCount(node.message) < 5;
  const through = passingThrough(known);
  const byRule = ruledNeeds(known);
  const isDoubted = chances.size > 0;
  const chanceHere = parent === undefined ? 0 : (chances.get(parent.id) ?? indicator(chances.size === 0));

  return (turn, part) => {
    const steps = up.get(turn.id);
    const hit = found.get(turn.id);
    const text = part === 'message' ? turn.message : replyText(turn);
    const best = bestPassage(hit, part);
    const isNewest = turn.number === node.number - 1;
    const chance = chances.get(turn.id) ?? 0;
    return {
      bias: 1,
      'by the rule': oddsOf(byRule.get(turn.id)?.[part] ?? 0),
      'chance, in odds': isDoubted ? oddsOf(chance) : 0,
      'chance here, in odds': isDoubted && steps !== undefined ? oddsOf(chanceHere) : 0,
      'not doubted': indicator(!isDoubted),
      parent: indicator(steps === 1),
      'parent, by its chance': steps === 1 ? chanceHere : 0,
      'parent, bare': indicator(steps === 1 && isBare),
      'parent, short': indicator(steps === 1 && isShort),
      'second up': indicator(steps === 2),
      'third up': indicator(steps === 3),
      'up the path': steps === undefined ? 0 : 1 / steps,
      'on the path': indicator(steps !== undefined),
      'path chance': steps === undefined ? 0 : chanceHere,
      'root of the path': indicator(steps !== undefined && turn.parentId === null),
      chance,
      'chance elsewhere': steps === undefined ? chance : 0,
      'passing through': through.get(turn.id) ?? 0,
      newest: indicator(isNewest),
      'newest elsewhere': indicator(isNewest && steps === undefined),
      'newest elsewhere, bare': indicator(isNewest && steps === undefined && isBare),
      age: Math.log1p(node.number - turn.number) / 3,
      evidence: hit?.score ?? 0,
      'evidence of the part': best,
      'evidence on the path': steps === undefined ? 0 : best,
      'evidence elsewhere': steps === undefined ? best : 0,
      'evidence behind': (hit?.score ?? 0) - most,
      'evidence over the parent': Math.max(0, (hit?.score ?? 0) - scoreOf(parent)),
      best: indicator(hit !== undefined && hit.score === most && most > 0),
      'best elsewhere': indicator(hit !== undefined && hit.score === most && most > 0 && steps === undefined),
      lexical: hit?.lexical ?? 0,
      similarity: hit?.vector ?? 0,
      'rare words': Math.min(3, hit?.rareShared.length ?? 0) / 3,
      'rare words elsewhere': steps === undefined ? Math.min(3, hit?.rareShared.length ?? 0) / 3 : 0,
      ...shapeOf(text),
      asks: indicator(steps === 1 && /[?？؟]\s*$/.test(text.trim())),
      'went on from it': indicator(childrenOf(forest, turn.id).some((id) => nodeOf(forest, id).number < node.number)),
    };
  };
};

/** Remembered, since the same turns are weighed for every message. */
const shapeOf = remembered(2_000, (text) => ({
  length: Math.log1p(wordCount(text)) / 5,
  code: indicator(text.includes('```')),
  list: indicator(/^\s*(?:[-*•]|\p{Nd}+[.)])\s/mu.test(text)),
}));

const bestPassage = (hit: RetrievedTurn | undefined, part: Part): number =>
  (hit?.passages ?? []).reduce((most, one) => (one.part === part ? Math.max(most, one.score) : most), 0);

/** Chance that the message continues below a turn, decreasing with distance. */
const passingThrough = ({ forest, chances }: NeedEvidence): ReadonlyMap<NodeId, number> => {
  const through = new Map<NodeId, number>();
  for (const [id, chance] of chances) {
    if (forest.nodes[id] === undefined || chance < 0.01) continue;
    for (const [at, turn] of pathTo(forest, id).slice(-LAST_OF_PATH).toReversed().entries()) {
      if (at > 0) through.set(turn.id, (through.get(turn.id) ?? 0) + chance / (at + 1));
    }
  }
  return through;
};

/** In the languages of the ordinals. */
const MONTHS = String.raw`(?:jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz|apr(?:il)?|may|mai|jun[ei]?|jul[yi]?|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre)(?!\p{L})`;
/** “First aid”, “the second largest city”, “zum ersten Mal”, “第一次”: no item of a list. */
const NO_ITEM = String.raw`(?![ -](?:${MONTHS}|(?:(?!(?:re|con)?quest|(?:con|pro)?test|guest|interest|forest|harvest|chest|priest|nest)\w{2,}est|most|least)(?!\p{L})|party (?:insurance|apps?|cookies?|liability|sellers?|provider|software)|(?:time|aid|hand|world|grade|floor|half|thoughts?|nature|language|names?|president\w*|minist\w+|lady|person\w*|class|day|date|child|wife|husband|trimester|opinion|generation|(?:birthdays?|anniversary|job|interview)(?! (?:idea|question|tip|suggestion)\b)|mortgage|lieu|lugar|linie|klasse|liga|platz|(?<!\b(?:den|zum|vom|beim) \p{L}+ )tage?|monat\w*|of (?:all|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*)|mal|hilfe|weltkrieg|stock|vez|guerra|mano|trimestre|edad|fois|guerre|étage|rendez-vous|arrondissement|volta|eindruck|des monats|(?<=\bin the \p{L}+ )place|few (?:days?|weeks?|months?|years?|hours?|minutes?|times?|nights?))(?!\p{L})))`;
const NO_CHINESE_ITEM =
  '(?![次天年时時届屆世回者季胎]|[个個](?:孩子|小孩|[宝寶]{2}|月)|名(?!的)|印象|人[称稱]|志望|夫人|反[应應]|外[语語]|方(?![案法式面]))';
/** “My first language”, “who was the first on the moon”, “July 4th”, “not first, second”. */
const NO_LIST_BEFORE = String.raw`(?<!\b(?:my|his|her|our|their|who (?:was|is|were|are) the|${MONTHS}(?: the)?|(?<!\bwhy )not(?: the)?) )`;
const ordinal = (words: string, chinese: string, others: string): RegExp =>
  new RegExp(String.raw`${NO_LIST_BEFORE}\b(?:${words})\b${NO_ITEM}|${chinese}${NO_CHINESE_ITEM}|${others}`, 'u');
/** “Mein erster Marathon”, “mi primer coche”, “que faire en premier”. */
const NOT_ONES_OWN = String.raw`(?<!\b(?:mein\p{L}*|unser\p{L}*|mis?|mon|ma|mes|notre|nos|en) )`;

const LIST_NOUN =
  '(?:ones?|options?|points?|items?|steps?|ideas?|suggestions?|things?|books?|recipes?|questions?|versions?|choices?|lines?|verses?|paragraphs?|sentences?|examples?|reasons?|tips?|methods?|plans?|drafts?|titles?|exercises?|approach|answers?|solutions?|hotels?|places?|movies?|films?|sections?|chapters?|e-?mails?|slogans?|poems?|stor(?:y|ies)|songs?|topics?|tasks?|arguments?)';
/** What may follow an English ordinal without an article where it still means one of a list: “second one, please”. */
const OF_A_LIST = String.raw`(?= (?:two|three|few|and|or|but|to last|then|is|was|looks?|sounds?|seems?|work(?:ed|s)|(?:would|could|should|has|needs)(?! (?:i|you|we|he|she|they|it|there|that|this)\b)|(?:does|did|is)n'?t|please|pls|plz|better|again|more|for me|of (?:them|these|those)|from (?:last|the|these|those|your)|in (?:more |greater )?detail|${LIST_NOUN}|\p{L}+ (?:please|pls|plz))\b| (?:thanks|thx|in \p{L}+)[^\p{L}]*$|,? (?:with|vs\.?|versus|to|or|and|&|\+) (?:the )?(?:second|third|fourth|fifth|2nd|3rd|4th|5th)\b|, (?:please|pls|plz|thanks|thx)\b)`;
const BEFORE_ORDINAL = String.raw`(?<=\b(?:the|that|this|your|its|these|those|of) (?:very )?)`;
/** “On the 4th”, unlike “more on the 4th”. */
const NO_DATE = String.raw`(?<!(?<!\b(?:more|info|information|elaborate|expand|details?|focus|deeper|build|improve|thoughts|opinion|stuck|based|(?:^|please |let's )work) )\b(?:on|by|till?|until) the )`;
const CLAUSE_END = String.raw`\s*(?:$|[?!.,;:…()"”»–—]|-\s|\p{Extended_Pictographic})`;
/** A short request or choice: “make second shorter”, “i like first”, unlike “what should i do first”. */
const CHOSEN = `(?<=^(?:(?:please|yes|yeah|ok|okay|no|and|but|so|just|can you|could you|i|i'd|we|let's) )*(?:do|take|like|love|prefer|choose|pick|(?:go|start) with|(?:tell me )?(?:more )?(?:about|on)|explain|expand(?: on)?|rewrite|make|shorten|translate|describe|swap|compare|yes|ok) )`;
/** “What does third mean”, “is second vegan?”. */
const ASKED_OF_ONE = `(?<=^(?:(?:and|but|so) )?(?:(?:what |how |why )?does|(?:why )?is|was) )`;
/**
 * English nouns take an article before one of a list: not “5th birthday party ideas”, “third party insurance”. `alone`: where the
 * ordinal may stand by itself; “put the plates first” points at none.
 */
const english = (word: string, number: string, alone: 'ends a clause' | 'is the message'): string => {
  const either = `(?:${word}|${NO_DATE}${number})`;
  const ahead = `(?=${word}|${number})`;
  return [
    `${BEFORE_ORDINAL}${either}`,
    String.raw`(?:${word}|${number})(?= ${LIST_NOUN}\b)`,
    `${either}${OF_A_LIST}`,
    String.raw`${ahead}${CHOSEN}${either}(?=${CLAUSE_END}| more\b| (?!order|number|letter|layer|player|quarter)\p{L}+er(?:[^\p{L}]*$| (?:and|please|than|for)\b))`,
    String.raw`${ahead}${ASKED_OF_ONE}${either}(?= \p{L}+[^\p{L}]*$)`,
    alone === 'ends a clause'
      ? `${either}(?=${CLAUSE_END})`
      : String.raw`(?<=^[^\p{L}\p{N}]*)${either}(?=[^\p{L}\p{N}]*(?:$|[–—(]|-\s))`,
  ].join('|');
};

const ITEM_NOUN = String.raw` (?:opci[oó]n|opç[aã]o|opzione|punt[oi]|ponto|idea|ideia|pass?o|consejo|conselho|consiglio|sugerencia|sugestão|suggerimento|propuesta|proposta|receta|receita|ricetta|libro|livro|de (?:ell[ao]s|la lista)|del[ae]s|dell[ae] lista)(?!\p{L})`;
/** In Romance languages, “second” is also “according to” and Monday, “first” a cousin: one of a list stands alone behind its article, or before what the list is of. */
const ofList = (articles: string, word: string): string =>
  String.raw`(?:${articles}) ${word}(?=${CLAUSE_END}|${ITEM_NOUN}| (?:es|era|me gusta|suena|parece|cuesta|è|sembra|mi piace|costa)(?!\p{L}))`;
/** “Cuarto” and “quarto” are also a room: alone, it is one of a list only where the message says nothing else. */
const fourth = String.raw`(?:el|il|o|al|del|do) [cq]uarto(?=${ITEM_NOUN}|(?<=^[^\p{L}]*(?:(?:y|e) )?\p{L}+ \p{L}+)${CLAUSE_END})`;

/** Vehicles, rooms and the like whose number is no item's. */
const NUMBERED_ANYWAY = String.raw`(?<!\b(?:bus|tram|train|flight|platform|gate|room|house|flat|apartment|seat|phone|channel|page) )`;
/**
 * What an ordinal is of where it means one of a list, or what stands around it there, by language. A “first step to” is
 * of none.
 */
const DUTCH = String.raw`(?: (?:optie|punt|idee|suggestie|stap|tip|recept|voorstel|boek|vraag|methode)(?!\p{L})|(?<=(?:^[^\p{L}]*|\b(?:over|van|met|naar|en|dan|liever|graag) )(?:de|het) \p{L}+)${CLAUSE_END})`;
const RUSSIAN = String.raw`(?: (?:вариант|пункт|иде|совет|рецепт|предложени|шаг(?!\p{L}* к )|книг\p{L}*(?=${CLAUSE_END})|способ|вопрос|метод|пример)|(?<=(?<!\p{L})(?:а|про|об?) \p{L}+)${CLAUSE_END})`;
const POLISH = String.raw` (?:opcj|punk|pomy[sś]|propozycj|przepis|krok(?!\p{L}* (?:do|ku) )|spos[oó]b|książk\p{L}*(?=${CLAUSE_END})|pytani|warian)`;
const TURKISH = String.raw`(?:s[iü](?:n[iü]n?|ne)?(?!\p{L})| (?:seçenek|öneri|fikir|madde|adım|tarif|soru))`;
const HINDI = ' (?:विकल्प|सुझाव|तरीक|बिंदु|वाल|रेसिपी|विचार|सवाल|किताब)';
const ARABIC = '(?:الخيار|الاقتراح|النقطة|الفكرة|الخطوة|الوصفة|الطريقة|السؤال|الكتاب|المثال|البند)';
const JAPANESE =
  '(?:番目|つ目)(?=[をはがも、。？?]|の(?:案|方法|もの|やつ|アイデア|提案|レシピ|項目|候補|選択肢|質問|例)|について|\\s*$)';
const KOREAN = String.raw` ?번째(?=\s*(?:$|[?!.,]|거|것|걸|(?:더|는|은|를|을|가)(?!\p{L})|로 ?(?:해(?!야)|할[게래]|하자|가자|갈게|부탁|선택|정할)|방법|옵션|아이디어|항목|제안|선택|레시피|단계|추천|팁|질문|예시))`;
const CHINESE = String.raw`\s?[个個项項点點条條种種款](?!孩子|小孩|[宝寶]{2}|月)`;

/** What begins an ordinal in each of these languages; in East Asia also a figure. */
type Elsewhere = Readonly<
  Record<'figure' | 'dutch' | 'russian' | 'polish' | 'turkish' | 'hindi' | 'arabic' | 'korean', string>
>;
const elsewhere = ({ figure, dutch, russian, polish, turkish, hindi, arabic, korean }: Elsewhere): string =>
  [
    String.raw`\b(?:de|het) ${dutch}${DUTCH}`,
    String.raw`(?<!\p{L}|(?<!\p{L})(?:мо[йяюеи]\p{L}{0,2}|наш\p{L}{0,3}|сдела(?:ть|л[аи]?)) )${russian}\p{L}{1,4}${RUSSIAN}`,
    String.raw`(?<!\p{L}|(?<!\p{L})(?:m[oó]j\p{L}{0,3}|nasz\p{L}{0,3}) )${polish}\p{L}{0,4}${POLISH}`,
    String.raw`(?<!\p{L})${turkish}${TURKISH}`,
    String.raw`(?<![\p{L}\p{M}])${hindi}\p{M}*${HINDI}`,
    String.raw`(?<!\p{L})(?:${ARABIC} ${arabic}|(?<=^[^\p{L}]*)${arabic}(?= (?:من فضلك|لو سمحت)))(?!\p{L}| في (?:السلسلة|العالم|التاريخ))`,
    String.raw`(?<![\p{N}十])${figure}${JAPANESE}`,
    String.raw`(?<![\p{L}\p{N}])(?:${korean}|${figure})${KOREAN}`,
    String.raw`第\s?${figure}${CHINESE}`,
  ].join('|');
/** “Number one” is also the best of all. */
const counted = (number: string): string =>
  `(?:option|item|idea|step|${NUMBERED_ANYWAY}number${number === 'one' ? '(?= one (?:please|pls|plz)\\b)' : ''}) ${number}\\b(?! (?:pencils?|bus(?:es)?|trams?|trains?|of (?:the|an?) (?!list|plan|recipe|two|three|four|five))\\b)`;

/** By item; for messages in lower case, which halves the time that they take to compile. */
const ORDINALS: readonly RegExp[] = [
  ordinal(
    `${english('first', '1st', 'is the message')}|${counted('one')}|${NOT_ONES_OWN}(?:erste[nrms]?|primer[ao]?|premi[eè]re?)|${ofList('il|al|del|sul', 'primo')}|${ofList('la|alla|della|sulla', 'prima')}`,
    '第一',
    elsewhere({
      figure: '[1１一]',
      dutch: 'eerste',
      russian: 'перв',
      polish: 'pierwsz',
      turkish: 'birinci',
      hindi: 'पहल',
      arabic: '(?:ال[أا]ول|ال[أا]ولى)',
      korean: '첫',
    }),
  ),
  // Not “give me a second”.
  ordinal(
    `(?<!\\b(?:an?|one|per|every|each|split|half|\\d+) )(?:${english('second', '2nd', 'ends a clause')})|${ofList('el|o|al|del|do|ao', 'segundo')}|${ofList('il|al|del|sul', 'secondo')}|${counted('two')}|${NOT_ONES_OWN}(?:zweite[nrms]?|deuxi[eè]me)|${ofList('la|a|da', 'segunda')}|${ofList('la|alla|della|sulla', 'seconda')}`,
    '第二',
    elsewhere({
      figure: '[2２二]',
      dutch: 'tweede',
      russian: 'втор',
      polish: 'drug',
      turkish: 'ikinci',
      hindi: 'दूसर',
      arabic: '(?:الثاني|الثانية)',
      korean: '두',
    }),
  ),
  ordinal(
    `${english('third', '3rd', 'ends a clause')}|${counted('three')}|${NOT_ONES_OWN}(?:dritte[nrms]?|tercer[ao]?|troisi[eè]me)|${ofList('il|la|al|alla|del|della|sul|sulla', 'terz[ao]')}`,
    '第三',
    elsewhere({
      figure: '[3３三]',
      dutch: 'derde',
      russian: 'трет',
      polish: 'trzeci',
      turkish: 'üçüncü',
      hindi: 'तीसर',
      arabic: '(?:الثالث|الثالثة)',
      korean: '세',
    }),
  ),
  ordinal(
    `${english('fourth', '4th', 'ends a clause')}|${counted('four')}|${NOT_ONES_OWN}(?:vierte[nrms]?|quatri[eè]me)|${fourth}|${ofList('la|a|da|alla|della|sulla', '[cq]uarta')}`,
    '第四',
    elsewhere({
      figure: '[4４四]',
      dutch: 'vierde',
      russian: 'четв[её]рт',
      polish: 'czwart',
      turkish: 'dördüncü',
      hindi: 'चौथ',
      arabic: '(?:الرابع|الرابعة)',
      korean: '네',
    }),
  ),
  ordinal(
    `${english('fifth', '5th', 'ends a clause')}|${counted('five')}|${NOT_ONES_OWN}(?:fünfte[nrms]?|cinqui[eè]me)|${ofList('el|il|o|al|del|do', 'quinto')}|${ofList('la|a|da|alla|della|sulla', 'quinta')}`,
    '第五',
    elsewhere({
      figure: '[5５五]',
      dutch: 'vijfde',
      russian: 'пят',
      polish: 'piąt',
      turkish: 'beşinci',
      hindi: '(?:पाँचव|पांचव)',
      arabic: '(?:الخامس|الخامسة)',
      korean: '다섯',
    }),
  ),
];
/** What each of them needs at least: few messages have any of it, and without, none of them has to be compiled. */
const ORDINAL_STEM =
  /1st|2nd|3rd|[45]th|first|second|third|fourth|fifth|\b(?:one|two|three|four|five)\b|erste|zweite|dritte|vierte|fünfte|prim|premi|deuxi|troisi|[cq]uart|quatri|quint|cinqui|segund|terce|terz|tweede|derde|vierde|vijfde|перв|втор|трет|четв|пят|pierwsz|drug|trzeci|czwart|piąt|birinci|ikinci|beşinci|üncü|पहल|दूसर|तीसर|चौथ|पाँचव|पांचव|الأول|الاول|الثاني|الثالث|الرابع|الخامس|[第番つ]|번째/;
/** “No 3”, unlike “there are no 3 bedroom flats” and “no 2 people”. */
const NO = String.raw`(?<!\b(?:there(?:'s| is| are| was| were)|have|has|had|want|need|find|got|(?<!\b(?:go|start|continue|begin) )with) )no(?=\s*\d{1,2}(?![\dº°ª]| ?(?:people|person|bed|bedroom|room|star|year|minute|hour|day|night|week|month|door|inch|(?!(?:works|is|was|has|needs|costs|sounds|looks|seems|says|pls|thanks|plus|as)\b)\p{L}+s)\b))`;
const NUMBERED = new RegExp(
  String.raw`(?:#(?!1 (?:song|hit|movie|film|show|single|album|book|team|player|cause|reason)s? (?:right now|today|this|in|of|when|on)\b)|(?<![\p{L}\p{N}])(?:${NUMBERED_ANYWAY}(?:number|no\.|${NO})|option|point|item|step|idea|nummer|punkt|schritt|opci[oó]n|n[uú]mero|paso|étape|numéro)\s*)(\d{1,2})\b`,
  'iu',
);
/** Points at one of several, as people refer to a list: not "the second world war". */
const POINTS =
  /\b(?:the|that|your|your own|der|die|das|den|el|la|le|il)?\s*(?:first|second|third|fourth|fifth|last|\dst|\dnd|\drd|\dth) (?:one|two|three|option|point|item|step|idea|suggestion|thing|book|recipe|question)s?\b/i;
const SHORT_MESSAGE = 12;

/** Returns the nearest earlier reply with a list long enough for what the message points at; null if it points at none. */
export const listPointedAt = (turns: readonly Node[], message: string): Node | null => {
  const place = pointedAt(message);
  if (place === null) return null;
  return turns.findLast((node) => !isUnanswered(node) && itemsIn(replyText(node)) >= Math.max(2, place)) ?? null;
};

/** Returns the list position, from 1, that a message points at; 0 for the last, null for none. */
const pointedAt = (message: string): number | null => {
  const numbered = NUMBERED.exec(latinDigits(message));
  if (numbered !== null) return Number(numbered[1]);
  if (!POINTS.test(message) && wordCount(message) > SHORT_MESSAGE) return null;
  const said = message.toLowerCase();
  const at = ORDINAL_STEM.test(said) ? ORDINALS.findIndex((ordinal) => ordinal.test(said)) : -1;
  if (at >= 0) return at + 1;
  return /\bthe last (?:one|option|point|item|step|idea)\b/i.test(message) ? 0 : null;
};

const itemsIn = (reply: string): number =>
  reply.match(/^\s*(?:[-*•]|(?:#{1,6}\s+)?(?:\*\*)?\p{Nd}{1,2}[.)])\s/gmu)?.length ?? 0;
