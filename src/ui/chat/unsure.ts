import type { Forest, Node, Target, TreeId } from '../../domain/forest.ts';
import { nodesOf } from '../../domain/queries.ts';
import { defaultParameters } from '../../engine/parameters.ts';

/** Another place that the decider thought of. */
export interface OtherPlace {
  /** What a button says that moves the turn there. */
  readonly words: string;
  readonly target: Target;
  /** Probability that the decider gave it. */
  readonly confidence: number;
}

export interface Unsure {
  /** Probability of the answer that was given. */
  readonly confidence: number;
  /** Likeliest first. */
  readonly others: readonly OtherPlace[];
}

const MOST_PLACES = 2;
/** Least probability of a place worth offering. */
const LEAST = 0.15;

/** The choice that is shown to the person where the decider was unsure of a turn; null where it was not, or where they have spoken. */
export const unsureOf = (forest: Forest, node: Node): Unsure | null => {
  const { decision, label } = node;
  if (decision.by === 'person' || decision.trace === null || label !== null) return null;
  const { topic, branch } = decision.trace;
  const confidence = Math.min(topic.answer?.confidence ?? 1, branch.answer?.confidence ?? 1);
  const { sureFrom = defaultParameters.sureFrom } = decision.trace.settings?.parameters ?? {};
  if (confidence >= Number(sureFrom)) return null;
  const topics = (topic.answer?.alternatives ?? []).flatMap(({ target, confidence: chance }): OtherPlace[] => {
    if (target === null) return [{ words: 'a new topic', target: { kind: 'new-topic' }, confidence: chance }];
    const last = newestBefore(forest, target, node);
    const title = forest.trees[target]?.title ?? '';
    return last === null
      ? []
      : [{ words: `“${title}”`, target: { kind: 'under', nodeId: last.id }, confidence: chance }];
  });
  const branches = (branch.answer?.alternatives ?? []).flatMap(
    ({ action, point, confidence: chance }): OtherPlace[] => {
      const from = forest.nodes[point];
      if (from === undefined || from.treeId !== node.treeId || from.number >= node.number) return [];
      const words = action === 'create-branch' ? `a branch from turn ${from.number}` : `after turn ${from.number}`;
      return [{ words, target: { kind: 'under', nodeId: point }, confidence: chance }];
    },
  );
  const others = [...topics, ...branches]
    .filter((place) => place.confidence >= LEAST && !isHere(place.target, node))
    .sort((a, b) => b.confidence - a.confidence)
    .slice(0, MOST_PLACES);
  return others.length === 0 ? null : { confidence, others };
};

const isHere = (target: Target, { parentId }: Node): boolean =>
  target.kind === 'under' ? target.nodeId === parentId : parentId === null;

/** Where a message would have gone on in a topic: at its newest turn of that time. */
const newestBefore = (forest: Forest, treeId: TreeId, { number }: Node): Node | null =>
  nodesOf(forest, treeId).findLast((node) => node.number < number) ?? null;
