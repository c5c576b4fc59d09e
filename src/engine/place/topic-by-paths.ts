import type { PathQuestionRecord, TopicAction, TopicAnswer } from '../../domain/decision.ts';
import { byNumber, type Forest, type Node, type NodeId, type TreeId } from '../../domain/forest.ts';
import { sum } from '../../domain/numbers.ts';
import { childrenOf, nodeOf, treesOf } from '../../domain/queries.ts';
import { recordsOf } from '../../domain/table.ts';
import { askInTurn } from '../model-fallback.ts';
import type { Decider, PathAnswer, PathQuestion, TopicQuestion, TopicView } from '../ports.ts';
import type { ComparedMessage } from './compared-message.ts';
import { shownPath } from './question-views.ts';
import type { RouteInput } from './route-input.ts';

/** Which path a message continues, decided by a yes or no to each. */
interface PathOutcome {
  /** null for a new topic. */
  readonly target: TreeId | null;
  /** The last turn of the path it continues. */
  readonly leaf: NodeId | null;
  readonly answer: TopicAnswer | null;
  readonly asked: readonly PathQuestionRecord[];
  readonly leftOut: number;
}

/**
 * Asks about each path in turn whether the message continues it; the first yes wins, and no yes means a new topic. A
 * decider that fails is not asked about the remaining paths. `answer` is null if nobody could answer: then the message
 * continues where the conversation is.
 */
export const topicByPaths = async (input: RouteInput, among: TopicQuestion, current: TreeId): Promise<PathOutcome> => {
  const { forest, near, parameters, signal, fallbacks } = input;
  const all = leafPaths(forest);
  const paths = worthAsking(all, among.topics, near);
  const leftOut = all.length - paths.length;
  const asked: PathQuestionRecord[] = [];
  const noes: { readonly treeId: TreeId; readonly answer: PathAnswer }[] = [];
  let deciders: readonly Decider[] = input.deciders;
  for (const [at, { treeId, leaf }] of paths.entries()) {
    const question = {
      message: near.message,
      treeId,
      title: forest.trees[treeId]?.title ?? '',
      path: shownPath(forest, leaf.id, near),
      active: at === 0,
      among,
    };
    const failed = fallbacks.length;
    const answer = await askInTurn(
      'decide',
      deciders,
      (decider, inner, onAsked) => askPath(decider, { ...question, onAsked }, inner),
      () => null,
      { patience: parameters.patience, signal, fallbacks },
    );
    deciders = deciders.slice(fallbacks.length - failed);
    if (answer === null) return { target: current, leaf: null, answer: null, asked, leftOut };
    asked.push(askedOf(leaf.id, answer));
    if (answer.yes) {
      const action = treeId === current ? 'continue-topic' : 'switch-topic';
      return { target: treeId, leaf: leaf.id, answer: answerOf(action, treeId, answer), asked, leftOut };
    }
    noes.push({ treeId, answer });
  }
  const [first] = noes;
  if (first === undefined) return { target: current, leaf: null, answer: null, asked, leftOut };
  const answer = { ...answerOf('create-topic', null, first.answer), confidence: chanceOfNone(noes) };
  return { target: null, leaf: null, answer, asked, leftOut };
};

const askedOf = (leaf: NodeId, { yes, confidence, decider, raw, prompt, among }: PathAnswer): PathQuestionRecord => ({
  leaf,
  yes,
  confidence,
  decider,
  // An answer that several paths share is stored once.
  ...(among === undefined && { raw }),
  ...(among === undefined && prompt && { prompt }),
});

/** Converts a path answer to a topic answer; evidence for another outcome is left out. */
const answerOf = (
  action: TopicAction,
  target: TreeId | null,
  { confidence, raw, decider, reasons, against, personal, among }: PathAnswer,
): TopicAnswer => {
  const agrees = among === undefined || among.target === target;
  const others =
    among === undefined || among.confidence === null
      ? []
      : [among as { action: TopicAction; target: TreeId | null; confidence: number }, ...(among.alternatives ?? [])]
          .filter((one) => one.target !== target)
          .map((one) => ({ action: one.action, target: one.target, confidence: one.confidence }));
  return {
    action,
    confidence,
    reasons: agrees ? reasons : [],
    ...(agrees && against && { against }),
    raw,
    decider,
    ...(agrees && personal && { personal }),
    ...(others.length > 0 && { alternatives: others }),
  };
};

/** Probability that the message continues none of the paths; those of one topic share its evidence. Null if a decider gave none. */
const chanceOfNone = (noes: readonly { readonly treeId: TreeId; readonly answer: PathAnswer }[]): number | null => {
  const yes = new Map<TreeId, number>();
  for (const { treeId, answer } of noes) {
    if (answer.confidence === null) return null;
    yes.set(treeId, Math.max(yes.get(treeId) ?? 0, 1 - answer.confidence));
  }
  return Math.max(0, 1 - sum([...yes.values()]));
};

/** The path from a topic's root to a turn with none after it, or to the topic's active turn. */
interface LeafPath {
  readonly treeId: TreeId;
  readonly leaf: Node;
}

/**
 * Returns every path that a message could continue, in the order they are asked about: those of the active topic first,
 * then those of the others in order of creation. Within a topic, the path to its active turn comes first (the active
 * node; in another topic, its most recently active one), even if that turn has others after it, then the other leaves
 * in the order their branches began.
 */
const leafPaths = (forest: Forest): LeafPath[] => {
  const leaves = new Map<TreeId, Node[]>();
  for (const node of recordsOf(forest.nodes)) {
    if (childrenOf(forest, node.id).length > 0) continue;
    const others = leaves.get(node.treeId);
    if (others === undefined) leaves.set(node.treeId, [node]);
    else others.push(node);
  }
  const own = forest.active?.treeId;
  const trees = treesOf(forest).sort((a, b) => Number(b.id === own) - Number(a.id === own));
  const began = ({ branchId, number }: Node): number =>
    forest.nodes[forest.branches[branchId]?.headId ?? '']?.number ?? number;
  return trees.flatMap((tree) => {
    const stands = nodeOf(forest, tree.id === own && forest.active !== null ? forest.active.nodeId : tree.activeId);
    const others = (leaves.get(tree.id) ?? [])
      .filter(({ id }) => id !== stands.id)
      .sort((a, b) => began(a) - began(b) || byNumber(a, b));
    return [stands, ...others].map((leaf) => ({ treeId: tree.id, leaf }));
  });
};

/** Most paths asked about per message: each is a separate question, and a new topic takes them all. */
export const MOST_PATHS = 32;

/**
 * Limits very many paths to those worth a question, in the same order: each topic's first path ranks before its others,
 * then topics nearest to the message, then paths with the nearest last turns.
 */
const worthAsking = (
  paths: readonly LeafPath[],
  topics: readonly TopicView[],
  near: ComparedMessage,
): readonly LeafPath[] => {
  if (paths.length <= MOST_PATHS) return paths;
  const nearness = new Map(topics.map(({ treeId, similarity }) => [treeId, similarity]));
  const topicOf = ({ treeId }: LeafPath): number => nearness.get(treeId) ?? -1;
  const leafOf = ({ leaf }: LeafPath): number => near.to(leaf.id) ?? -1;
  const firsts = new Set(paths.filter(({ treeId }, at) => paths[at - 1]?.treeId !== treeId));
  // The active path is always asked about.
  const rank = (path: LeafPath): number => (path === paths[0] ? 2 : firsts.has(path) ? 1 : 0);
  const kept = new Set(
    paths
      .toSorted((a, b) => rank(b) - rank(a) || topicOf(b) - topicOf(a) || leafOf(b) - leafOf(a))
      .slice(0, MOST_PATHS),
  );
  return paths.filter((path) => kept.has(path));
};

type TopicJudgement = Awaited<ReturnType<Decider['topic']>>;

/**
 * Asks whether a message continues a path. A decider without path questions weighs all topics against each other, once
 * for all paths of a message, and says yes if the path's topic is more likely than not, so all paths of a topic get the
 * same answer. One that gives no probability says yes to the topic it names.
 */
export const askPath = async (decider: Decider, question: PathQuestion, signal?: AbortSignal): Promise<PathAnswer> => {
  if (decider.path !== undefined) return decider.path(question, signal);
  const among = await weighed(decider, question, signal);
  const { treeId } = question;
  const chance = chanceOf(among, treeId);
  const yes = chance === null ? among.target === treeId : chance > 0.5;
  const { reasons, against, raw, prompt, decider: by, personal } = among;
  return {
    yes,
    confidence: chance === null ? null : yes ? chance : 1 - chance,
    reasons,
    ...(against && { against }),
    raw,
    ...(prompt && { prompt }),
    decider: by,
    ...(personal && { personal }),
    among,
  };
};

/** Returns the probability a topic answer gives a topic; 0 if it is not listed, since only the least likely are omitted. */
const chanceOf = ({ target, confidence, alternatives = [] }: TopicJudgement, treeId: TreeId): number | null => {
  if (confidence === null || target === treeId) return confidence;
  return alternatives.find((one) => one.target === treeId)?.confidence ?? 0;
};

const answers = new WeakMap<TopicQuestion, Map<Decider, Promise<TopicJudgement>>>();

const weighed = (decider: Decider, { among, onAsked }: PathQuestion, signal?: AbortSignal): Promise<TopicJudgement> => {
  const known = answers.get(among) ?? new Map<Decider, Promise<TopicJudgement>>();
  answers.set(among, known);
  const before = known.get(decider);
  if (before !== undefined) return before;
  const answer = decider.topic({ ...among, ...(onAsked && { onAsked }) }, signal);
  known.set(decider, answer);
  return answer;
};
