import { add, type CountOf, cellNames, type Metric, share, shareMetric } from './metric.ts';
import type { DecisionRecord } from './placements.ts';

export const RELATIONS = ['recall', 'refinement', 'unrelatedness'] as const;

const cell = cellNames('edge');

/** What a placement says of a turn, in StructFlowBench's words. */
export const relationOf = ({ predicted, turn }: DecisionRecord): (typeof RELATIONS)[number] => {
  if (predicted.parent === null) return 'unrelatedness';
  return predicted.parent === turn - 1 ? 'refinement' : 'recall';
};

export const countEdge = (counts: Record<string, number>, record: DecisionRecord): void => {
  const { relation, gold, predicted } = record;
  if (relation === null) return;
  add(counts, cell(relation, relationOf(record)));
  add(counts, `${relation} edges`);
  if (gold.parent === predicted.parent) add(counts, `${relation} edges kept`);
};

const wanted = (of: CountOf, name: string) => RELATIONS.reduce((sum, given) => sum + of(cell(name, given)), 0);
const given = (of: CountOf, name: string) => RELATIONS.reduce((sum, right) => sum + of(cell(right, name)), 0);

const MEANING = {
  recall: 'back to an earlier turn',
  refinement: 'under the turn before',
  unrelatedness: 'in a topic of its own',
} as const;

/** Recall, refinement and unrelatedness edges as branch labels. */
export const EDGE_METRICS: readonly Metric[] = [
  {
    name: 'edge-macro-f1',
    definition:
      'mean of the F1 of recall (put under an earlier turn than the last), refinement (under the last) and unrelatedness (in a topic of its own), over those that occur in the labels',
    value: (of) => {
      const occurring = RELATIONS.filter((name) => wanted(of, name) > 0);
      const f1 = (name: string) => share(2 * of(cell(name, name)), wanted(of, name) + given(of, name));
      return share(
        occurring.reduce((sum, name) => sum + f1(name), 0),
        occurring.length,
      );
    },
    n: (of) => RELATIONS.reduce((sum, name) => sum + wanted(of, name), 0),
  },
  ...RELATIONS.map((name) =>
    shareMetric(
      `${name}-edge-accuracy`,
      `share of the turns with a ${name} edge that were put where it says: ${MEANING[name]}`,
      `${name} edges kept`,
      `${name} edges`,
    ),
  ),
];
