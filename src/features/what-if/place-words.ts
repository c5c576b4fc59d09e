import type { Forest } from '../../domain/forest.ts';
import type { Place } from '../../engine/history/difference.ts';
import { branchRuleWords } from '../../ui/inspector/decision-words.ts';
import { ratio } from '../../ui/parts/format.ts';

/** Where a decision put a turn: `New topic`, `Returned to Lisbon flat, new branch from turn 3`. */
export const placeWords = (forest: Forest, { decidedUnder, decision }: Place): string => {
  const { topic, branch } = decision;
  if (decidedUnder === null) return 'New topic';
  const under = forest.nodes[decidedUnder];
  const turn = under === undefined ? 'an earlier turn' : `turn ${under.number}`;
  const title = under === undefined ? undefined : forest.trees[under.treeId]?.title;
  const action = {
    'create-branch': `new branch from ${turn}`,
    'switch-branch': `other branch, after ${turn}`,
    'continue-branch': `goes on after ${turn}`,
  }[branch ?? 'continue-branch'];
  const lead = topic === 'switch-topic' && title !== undefined ? `back to ${title}, ` : '';
  const words = `${lead}${action}`;
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Where the person put it then, if elsewhere; null otherwise. */
export const movedWords = (forest: Forest, { parentId, decidedUnder }: Place): string | null => {
  if (parentId === decidedUnder) return null;
  const parent = parentId === null ? undefined : forest.nodes[parentId];
  return parent === undefined ? 'by hand, to a topic of its own' : `by hand, under turn ${parent.number}`;
};

/** How sure the decider was, of the answer that settled it; null where it did not say. */
export const sureWords = ({ decision }: Place): string | null => {
  const { topic, branch } = decision.trace ?? {};
  const confidence = (decision.topic === 'create-topic' ? topic : branch?.answer == null ? topic : branch)?.answer
    ?.confidence;
  return confidence == null ? null : `sure ${ratio(confidence)}`;
};

/** Why: what spoke for the answers, else which rule settled it. */
export const whyWords = (forest: Forest, { decision }: Place): string[] => {
  const { trace } = decision;
  if (trace === null) return ['There is no trace of how it was found.'];
  const { topic, branch } = trace;
  const reasons = [topic.answer, decision.topic === 'create-topic' ? null : branch.answer].flatMap(
    (answer) => answer?.reasons.slice(0, 2).map(({ text }) => text) ?? [],
  );
  const near = trace.topic.candidates
    .toSorted((a, b) => b.similarity - a.similarity)
    .slice(0, 2)
    .map(({ title, similarity, active }) => `${title}${active ? ' (here)' : ''} ${ratio(similarity)}`);
  return [
    ...reasons,
    ...(reasons.length > 0 || near.length === 0 ? [] : [`Topics by nearness: ${near.join(', ')}.`]),
    ...(decision.topic === 'create-topic' ? [] : [branchRuleWords(forest, trace)]),
  ];
};
