import type { PathAsked, TopicAction, TopicAnswer } from '../../domain/decision.ts';
import type { NodeId, TreeId } from '../../domain/forest.ts';
import { askInTurn } from '../ask.ts';
import type { Decider, TopicQuestion } from '../ports.ts';
import { askPath } from './ask-path.ts';
import { leafPaths, worthAsking } from './leaf-paths.ts';
import { shownPath } from './node-views.ts';
import type { PathAnswer } from './path-question.ts';
import type { RouteInput } from './route.ts';

/** Which path a message goes on in, by a yes or no to each. */
export interface PathOutcome {
  /** null for a new topic. */
  readonly target: TreeId | null;
  /** The last turn of the path that it goes on in. */
  readonly leaf: NodeId | null;
  readonly answer: TopicAnswer | null;
  readonly asked: readonly PathAsked[];
  readonly leftOut: number;
}

/**
 * Asks about one path after the other whether the message goes on in it; the first yes wins, and no yes is a new topic. A
 * decider that fails is not asked about the paths that are left. `answer` is null where nobody could answer: then it
 * goes on where the conversation is.
 */
export const topicByPaths = async (input: RouteInput, among: TopicQuestion, current: TreeId): Promise<PathOutcome> => {
  const { forest, near, parameters, signal, fallbacks } = input;
  const all = leafPaths(forest);
  const paths = worthAsking(all, among.topics, near);
  const leftOut = all.length - paths.length;
  const asked: PathAsked[] = [];
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

const askedOf = (leaf: NodeId, { yes, confidence, decider, raw, prompt, among }: PathAnswer): PathAsked => ({
  leaf,
  yes,
  confidence,
  decider,
  // The answer that several were read from is kept once.
  ...(among === undefined && { raw }),
  ...(among === undefined && prompt && { prompt }),
});

/** The answers as one to the topic question; what spoke for another outcome is left out. */
const answerOf = (
  action: TopicAction,
  target: TreeId | null,
  { confidence, raw, decider, reasons, personal, among }: PathAnswer,
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
    raw,
    decider,
    ...(agrees && personal && { personal }),
    ...(others.length > 0 && { alternatives: others }),
  };
};

/** Probability that it goes on in none: a topic's paths share what speaks for it. Null where a decider gave none. */
const chanceOfNone = (noes: readonly { readonly treeId: TreeId; readonly answer: PathAnswer }[]): number | null => {
  const yes = new Map<TreeId, number>();
  for (const { treeId, answer } of noes) {
    if (answer.confidence === null) return null;
    yes.set(treeId, Math.max(yes.get(treeId) ?? 0, 1 - answer.confidence));
  }
  return Math.max(0, 1 - [...yes.values()].reduce((total, one) => total + one, 0));
};
