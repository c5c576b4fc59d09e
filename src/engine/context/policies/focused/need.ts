import type { InclusionReason } from '../../../../domain/context.ts';
import type { Forest, Node, NodeId } from '../../../../domain/forest.ts';
import { clamp, indicator, logistic } from '../../../../domain/numbers.ts';
import { childrenOf, nodeOf, pathTo, replyText } from '../../../../domain/queries.ts';
import { turnsFrom } from '../../../../domain/turns-in-order.ts';
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
      length: Math.log1p(wordCount(text)) / 5,
      code: indicator(text.includes('```')),
      list: indicator(/^\s*(?:[-*•]|\p{Nd}+[.)])\s/mu.test(text)),
      asks: indicator(steps === 1 && /[?？؟]\s*$/.test(text.trim())),
      'went on from it': indicator(childrenOf(forest, turn.id).some((id) => nodeOf(forest, id).number < node.number)),
    };
  };
};

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
