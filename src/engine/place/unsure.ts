import type { BranchAction, Target, TopicAction } from '../../domain/decision.ts';
import type { Forest, Node, NodeId, TreeId } from '../../domain/forest.ts';
import { clamp } from '../../domain/numbers.ts';
import { placeOf, turnsInOrder } from '../../domain/turns-in-order.ts';
import { defaultParameters, knownParameters } from '../parameters.ts';

/** Another place the decider considered. */
export interface OtherPlace {
  readonly target: Target;
  /** The topic or branch action that would have put the turn there. */
  readonly action: TopicAction | BranchAction;
  /** Probability the decider gave it. */
  readonly confidence: number;
}

interface UnsureDecision {
  /** Probability of the given answer. */
  readonly confidence: number;
  /** Likeliest first; at least one. */
  readonly others: readonly OtherPlace[];
}

/** Least probability of a place worth offering. Alongside one, a less likely place is offered too. */
const LEAST = 0.15;
const FEWEST_PLACES = 2;
const MOST_PLACES = 3;

/**
 * The single rule for when a decision counts as unsure, used both for the line under a message that offers the other
 * places and for measuring how many mistakes that line catches: the topic or the branch is below `sureFrom`, and
 * another place is worth offering. Null if it was sure, gave no confidence, or the person has spoken. The turn need not
 * be in the forest yet: only turns before it are looked at.
 */
export const unsureOf = (
  forest: Forest,
  turn: Pick<Node, 'decision' | 'label' | 'parentId' | 'treeId' | 'number'>,
): UnsureDecision | null => {
  const { decision, label } = turn;
  if (decision.by === 'person' || decision.trace === null || label !== null) return null;
  const { topic, branch } = decision.trace;
  const confidence = Math.min(topic.answer?.confidence ?? 1, branch.answer?.confidence ?? 1);
  const { sureFrom = defaultParameters.sureFrom } = knownParameters(decision.trace.settings);
  if (confidence >= sureFrom) return null;
  const topics = (topic.answer?.alternatives ?? []).flatMap(({ action, target, confidence: chance }): OtherPlace[] => {
    if (target === null) return [{ action, target: { kind: 'new-topic' }, confidence: chance }];
    const last = tipBefore(forest, target, turn);
    return last === null ? [] : [{ action, target: { kind: 'under', nodeId: last.id }, confidence: chance }];
  });
  const branches = (branch.answer?.alternatives ?? []).flatMap(
    ({ action, point, confidence: chance }): OtherPlace[] => {
      const from = forest.nodes[point];
      if (from === undefined || from.treeId !== turn.treeId || from.number >= turn.number) return [];
      return [{ action, target: { kind: 'under', nodeId: point }, confidence: chance }];
    },
  );
  const places = [...topics, ...branches]
    .filter((place) => !isHere(place.target, turn))
    .sort((a, b) => b.confidence - a.confidence)
    .filter((place, at, all) => all.findIndex((other) => isSame(other.target, place.target)) === at);
  const likely = places.filter((place) => place.confidence >= LEAST).length;
  if (likely === 0) return null;
  return { confidence, others: places.slice(0, clamp(likely, FEWEST_PLACES, MOST_PLACES)) };
};

const isSame = (a: Target, b: Target): boolean =>
  a.kind === 'under' && b.kind === 'under' ? a.nodeId === b.nodeId : a.kind === b.kind;

const isHere = (target: Target, { parentId }: Pick<Node, 'parentId'>): boolean =>
  target.kind === 'under' ? target.nodeId === parentId : parentId === null;

/**
 * Returns where a message would have continued in a topic: where that stood, as far as can be told by now, or else its
 * newest turn at that time.
 */
const tipBefore = (forest: Forest, treeId: TreeId, { number }: Pick<Node, 'number'>): Node | null => {
  const tree = forest.trees[treeId];
  if (tree === undefined) return null;
  for (let id: NodeId | null = tree.activeId; id !== null; ) {
    const node: Node | undefined = forest.nodes[id];
    if (node !== undefined && node.number < number) return node;
    id = node?.parentId ?? null;
  }
  const turns = turnsInOrder(forest);
  // What was likely had mostly come up shortly before.
  for (let at = placeOf(turns, number) - 1; at >= 0; at--) {
    const turn = turns[at];
    if (turn?.treeId === treeId) return turn;
  }
  return null;
};
