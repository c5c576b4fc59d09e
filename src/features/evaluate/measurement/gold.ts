import type { BranchAction, TopicAction } from '../../../domain/decision.ts';
import { type LabelledTurn, topicsOf } from '../datasets/labelled-dialogue.ts';

/** Where a turn goes, in turns: what the labels say, or what the engine did. */
export interface Place {
  readonly topic: TopicAction;
  /** null where the turn opens a topic. */
  readonly branch: BranchAction | null;
  /** Index of the turn it builds on; null where it opens a topic. */
  readonly parent: number | null;
  /** It hangs from a turn that already has one after it. */
  readonly fork: boolean;
}

/** What the labels of a dialogue say of each turn. */
export const goldPlaces = (turns: readonly Pick<LabelledTurn, 'parent'>[]): Place[] => {
  const topics = topicsOf(turns);
  const newest = new Map<number, number>();
  const parents = new Set<number>();
  return turns.map(({ parent }, turn): Place => {
    const topic = topics[turn] ?? turn;
    const current = newest.get(topic);
    newest.set(topic, turn);
    if (parent === null) return { topic: 'create-topic', branch: null, parent, fork: false };
    const fork = parents.has(parent);
    parents.add(parent);
    return {
      topic: topic === topics[turn - 1] ? 'continue-topic' : 'switch-topic',
      branch: fork ? 'create-branch' : parent === current ? 'continue-branch' : 'switch-branch',
      parent,
      fork,
    };
  });
};

/** The turns above a turn, nearest first. */
export const ancestorsOf = (turns: readonly Pick<LabelledTurn, 'parent'>[], turn: number): number[] => {
  const found: number[] = [];
  for (let at = turns[turn]?.parent ?? null; at !== null; at = turns[at]?.parent ?? null) found.push(at);
  return found;
};
