import type { Forest, Node, NodeId, TreeId } from '../../../../domain/forest.ts';
import { indicator } from '../../../../domain/numbers.ts';
import { childrenOf, nodeOf, nodesOf, replyText } from '../../../../domain/queries.ts';
import { remembered } from '../../../tasks.ts';
import { contentWords } from '../../../text/words.ts';
import { replyStart } from '../../../vectors/node-vectors.ts';
import { softmax } from '../../../vectors/vector-math.ts';
import weights from './continuation-weights.json' with { type: 'json' };

/** How many of the last turns of each possible topic are weighed. */
const LAST_TURNS = 16;

/** A turn that a message may continue from, and its position. */
interface Continuation {
  readonly node: Node;
  /** Whether the message would continue from it if nothing forked: the last turn of its topic's active path. */
  readonly isTip: boolean;
  /** Turns from the tip up to it; null if it is not on that path. */
  readonly steps: number | null;
  /** Whether its topic was the active one. */
  readonly here: boolean;
  readonly children: number;
  /** The decider's probability for its topic, and for continuing from this very turn; null if that was not asked. */
  readonly topicChance: number;
  readonly placeChance: number | null;
}

/** Everything that a message may continue from: turns, or a new topic. */
export interface Continuations {
  readonly turns: readonly Continuation[];
  readonly newTopicChance: number;
}

/** From this probability, a new topic is taken to continue nothing that was said elsewhere. */
const SURELY_NEW = 0.95;
/** Floor for every probability: a decider that is sure may still be wrong. */
const LEAST = 0.002;

/**
 * Returns the turns that a placed message may continue from, given what its decisions left open: those of the topic it
 * was placed in, of the one that was active, and of the next most likely ones. Null if there is nothing to doubt: the
 * person chose the place or labelled it since, the topic is surely new, or the decider gives no probabilities for what
 * it did not choose.
 */
export const continuationsOf = (forest: Forest, node: Node): Continuations | null => {
  const { decision, label, treeId } = node;
  const trace = decision.trace;
  const topic = trace?.topic.answer ?? null;
  if (decision.by === 'person' || label !== null || trace === null) return null;
  if (topic?.confidence == null || topic.alternatives === undefined) return null;
  if (decision.topic === 'create-topic' && topic.confidence >= SURELY_NEW) return null;
  const home = trace.topic.candidates.find(({ active }) => active)?.treeId ?? null;
  const chances = new Map<TreeId, number>();
  let newTopicChance = LEAST;
  const chosen = { target: decision.topic === 'create-topic' ? null : treeId, confidence: topic.confidence };
  for (const { target, confidence } of [chosen, ...topic.alternatives]) {
    if (target === null) newTopicChance = Math.max(newTopicChance, confidence);
    else chances.set(target, Math.max(LEAST, confidence));
  }
  if (home !== null && !chances.has(home)) chances.set(home, LEAST);
  const places = placeChances(node);
  const turns: Continuation[] = [];
  for (const [id, topicChance] of chances) {
    // Replied to again, it may be followed by turns that were not there when it was placed.
    const own = nodesOf(forest, id).filter(({ number }) => number < node.number);
    const steps = stepsUp(forest, tipBefore(forest, id, own, node));
    for (const turn of own.slice(-LAST_TURNS)) {
      const up = steps.get(turn.id) ?? null;
      turns.push({
        node: turn,
        isTip: up === 0,
        steps: up,
        here: id === home,
        children: childrenOf(forest, turn.id).filter((child) => nodeOf(forest, child).number < node.number).length,
        topicChance,
        placeChance: id !== treeId || places === null ? null : Math.max(LEAST, placeOf(places, turn.id, up === 0)),
      });
    }
  }
  return turns.length === 0 ? null : { turns, newTopicChance };
};

/** Returns where a topic's active path ended before the message was placed under one of its turns. */
const tipBefore = (forest: Forest, treeId: TreeId, own: readonly Node[], placed: Node): NodeId | null => {
  if (placed.treeId !== treeId) {
    let id = forest.trees[treeId]?.activeId ?? null;
    while (id !== null && nodeOf(forest, id).number > placed.number) id = nodeOf(forest, id).parentId;
    return id;
  }
  return placed.decision.branch === 'continue-branch' ? placed.parentId : (own.at(-1)?.id ?? null);
};

/** Returns the turns of the path that ends at `tip`, each with its distance from the end. */
const stepsUp = ({ nodes }: Forest, tip: NodeId | null): ReadonlyMap<NodeId, number> => {
  const steps = new Map<NodeId, number>();
  for (let id = tip; id !== null; id = nodes[id]?.parentId ?? null) steps.set(id, steps.size);
  return steps;
};

/** Probabilities the decider gave the turns of the chosen topic; continuing from its tip is under the empty key. */
type PlaceChances = ReadonlyMap<NodeId | '', number>;

const placeChances = ({ decision: { trace } }: Node): PlaceChances | null => {
  const answer = trace?.branch.answer ?? null;
  if (answer?.confidence == null) return null;
  const chances = new Map<NodeId | '', number>();
  for (const { action, point, confidence } of [
    { action: answer.action, point: answer.point ?? '', confidence: answer.confidence },
    ...(answer.alternatives ?? []),
  ]) {
    const at = action === 'continue-branch' ? '' : point;
    chances.set(at, Math.max(confidence, chances.get(at) ?? 0));
  }
  return chances;
};

const placeOf = (places: PlaceChances, id: NodeId, isTip: boolean): number =>
  Math.max(places.get(id) ?? 0, isTip ? (places.get('') ?? 0) : 0);

/** How much of a reply is read for words, in UTF-16 units. */
const READ_OF_REPLY = 2000;

/** Cosine of a turn to the message, by its own message or by its reply; null if unknown. */
type SimilarityLookup = (nodeId: NodeId) => number | null;

export type ContinuationFeatures = Readonly<Record<string, number>>;

/** Returns the features of each turn, in order, followed by those of a new topic. */
export const continuationFeatures = (
  message: string,
  { turns, newTopicChance }: Continuations,
  near: SimilarityLookup,
  nearReply: SimilarityLookup,
): ContinuationFeatures[] => {
  // Without similarities, words are not searched either: only the decisions count.
  const compares = turns.some(({ node }) => near(node.id) !== null);
  const said = contentWords(message);
  const found = compares ? wordsIn(said, turns) : { of: new Map<Continuation, WordOverlap>(), unheard: 0, most: 0 };
  const saysNothing = indicator(said.size === 0);
  const similarity = (of: SimilarityLookup, { node }: Continuation) => (compares ? (of(node.id) ?? 0) : 0);
  const nearest = Math.max(0, ...turns.map((turn) => similarity(near, turn)));
  const nearestReply = Math.max(0, ...turns.map((turn) => similarity(nearReply, turn)));
  const newest = Math.max(...turns.map(({ node }) => node.number));

  const featuresOf = (turn: Continuation): ContinuationFeatures => {
    const { node, isTip, steps, here, children, topicChance, placeChance } = turn;
    const words = found.of.get(turn) ?? NOTHING_FOUND;
    const own = similarity(near, turn);
    const reply = similarity(nearReply, turn);
    const chance = Math.log(topicChance);
    return {
      'topic chance': chance,
      'topic chance, tip': isTip ? chance : 0,
      'place chance': placeChance === null ? 0 : Math.log(placeChance),
      tip: indicator(isTip),
      'tip here': indicator(isTip && here),
      'tip elsewhere': indicator(isTip && !here),
      'tip, nothing said': indicator(isTip) * saysNothing,
      'tip here, nothing said': indicator(isTip && here) * saysNothing,
      here: indicator(here),
      'above the tip': indicator(steps !== null && steps > 0),
      'steps up': Math.log1p(steps ?? 0),
      'another branch here': indicator(steps === null && here),
      'another branch elsewhere': indicator(steps === null && !here),
      'end of another branch': indicator(children === 0 && !isTip),
      'opens its topic': indicator(node.parentId === null && !isTip),
      children: Math.log1p(children),
      age: Math.log1p(newest - node.number),
      newest: indicator(node.number === newest),
      similarity: own,
      'similarity behind': own - nearest,
      'reply similarity': reply,
      'reply similarity behind': reply - nearestReply,
      'nearest reply': indicator(reply > 0 && reply === nearestReply),
      'words said': words.said,
      'words replied': words.replied,
      words: words.either,
      'words behind': words.either - found.most,
      'most words': indicator(words.either > 0 && words.either === found.most),
    };
  };
  return [
    ...turns.map(featuresOf),
    {
      'new topic': 1,
      'new topic chance': Math.log(newTopicChance),
      'new topic, unheard words': found.unheard,
      'new topic, nothing said': saysNothing,
    },
  ];
};

/** How much of the message's words a turn has; the fewer turns have a word, the more it counts. */
interface WordOverlap {
  readonly said: number;
  readonly replied: number;
  readonly either: number;
}
const NOTHING_FOUND: WordOverlap = { said: 0, replied: 0, either: 0 };

/** `unheard`: words that no turn has, up to five, as a share of five; `most`: the most that any one turn has. */
const wordsIn = (asked: ReadonlySet<string>, turns: readonly Continuation[]) => {
  const texts = turns.map((turn) => ({ turn, ...wordsOfTurn(turn.node) }));
  const worth = new Map<string, number>();
  for (const word of asked) {
    const having = texts.filter(({ said, replied }) => saidIn(said, word) || replied.has(word)).length;
    if (having > 0) worth.set(word, Math.log((turns.length + 1) / having));
  }
  const sum = (has: (word: string) => boolean) =>
    [...worth].reduce((total, [word, rare]) => total + (has(word) ? rare : 0), 0);
  const of = new Map<Continuation, WordOverlap>(
    texts.map(({ turn, said, replied }) => [
      turn,
      {
        said: sum((word) => saidIn(said, word)),
        replied: sum((word) => replied.has(word)),
        either: sum((word) => saidIn(said, word) || replied.has(word)),
      },
    ]),
  );
  const most = Math.max(0, ...[...of.values()].map(({ either }) => either));
  return { of, most, unheard: Math.min(asked.size - worth.size, 5) / 5 };
};

const saidIn = (said: TurnWords['said'], word: string): boolean => said.some((words) => words.has(word));

interface TurnWords {
  readonly said: readonly ReadonlySet<string>[];
  readonly replied: ReadonlySet<string>;
}

const wordsOfTurn = (node: Node): TurnWords => ({
  said: [wordsOf(node.message), wordsOf(node.summary?.text ?? '')],
  replied: wordsOf(replyText(node).slice(0, READ_OF_REPLY)),
});

/** Cached because the same turns come up again with every message. */
const wordsOf = remembered(2000, (text): ReadonlySet<string> => contentWords(text));

/** Log-odds that one unit of each feature adds to a score. */
export type ContinuationWeights = Readonly<Record<string, number>>;

/** Returns the probability of each continuation and, last, of a new topic. */
export const chancesOf = (features: readonly ContinuationFeatures[], by: ContinuationWeights = weights): number[] =>
  softmax(
    features.map((of) => Object.entries(of).reduce((score, [name, value]) => score + value * (by[name] ?? 0), 0)),
  );

/** Returns the cosines of texts to the message of the turn being answered; null if unavailable. */
export type CompareTexts = (texts: readonly string[]) => Promise<readonly number[] | null>;

/**
 * Returns the probability that a placed message continues from each turn its decisions left open, itself excluded;
 * empty if there is nothing to doubt. The remainder to 1 is the probability of a new topic.
 */
export const continuationChances = async (
  forest: Forest,
  node: Node,
  near: SimilarityLookup,
  compare: CompareTexts,
): Promise<ReadonlyMap<NodeId, number>> => {
  const continuations = continuationsOf(forest, node);
  if (continuations === null) return new Map();
  const features = continuationFeatures(
    node.message,
    continuations,
    near,
    await nearReplies(continuations, near, compare),
  );
  const chances = chancesOf(features);
  return new Map(continuations.turns.map((one, at) => [one.node.id, chances[at] ?? 0]));
};

/** Compares the replies of the turns with the message. */
const nearReplies = async (
  { turns }: Continuations,
  near: SimilarityLookup,
  compare: CompareTexts,
): Promise<SimilarityLookup> => {
  const starts = turns.flatMap(({ node }) => {
    const text = replyStart(node);
    // A reply is compared only if its turn is.
    return text === '' || near(node.id) === null ? [] : [{ id: node.id, text }];
  });
  const found = starts.length === 0 ? null : await compare(starts.map(({ text }) => text));
  const known = new Map(starts.map(({ id }, at) => [id, found?.[at] ?? null]));
  return (id) => known.get(id) ?? null;
};
