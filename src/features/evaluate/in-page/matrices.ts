import { BranchAction, TopicAction } from '../../../domain/decision.ts';
import { RELATIONS, relationOf } from '../measurement/edge-metrics.ts';
import type { DecisionRecord } from '../measurement/placements.ts';

export interface MatrixOf<D> {
  readonly kind: 'topic' | 'shift' | 'branch' | 'relation';
  readonly labelled: readonly string[];
  readonly decided: readonly string[];
  readonly cells: readonly (readonly (readonly D[])[])[];
}

/** A decision with whatever it shall be found by in a cell. */
export interface Placed<D> {
  readonly record: DecisionRecord;
  readonly item: D;
}

/** A turn that was given a topic of its own has no branch action. */
const NEW_TOPIC = 'new topic';

/** What was taken for what in one run over one set; only the matrices for which there are labels. */
export const matricesOf = <D>(decisions: readonly Placed<D>[]): MatrixOf<D>[] => {
  const records = decisions.map(({ record }) => record);
  const related = decisions.filter(({ record }) => record.relation !== null);
  const withParents = records.some(({ labels }) => labels === 'parents');
  const withReturns = records.some(({ gold }) => gold.topic === 'switch-topic');
  const withShifts = records.some((record) => shiftOf(record.gold.topic) === 'shift');
  if (related.length > 0) return [matrix('relation', RELATIONS, related, (r) => [r.relation ?? '', relationOf(r)])];
  return [
    ...(withParents || withReturns
      ? [matrix('topic', TopicAction.options, decisions, (r) => [r.gold.topic, r.predicted.topic])]
      : []),
    ...(withShifts
      ? [matrix('shift', ['shift', 'no shift'], decisions, (r) => [shiftOf(r.gold.topic), shiftOf(r.predicted.topic)])]
      : []),
    ...(withParents
      ? [
          matrix(
            'branch',
            [...BranchAction.options, NEW_TOPIC],
            decisions.filter(({ record }) => record.gold.branch !== null),
            ({ gold, predicted }) => [gold.branch ?? '', predicted.branch ?? NEW_TOPIC],
          ),
        ]
      : []),
  ];
};

const shiftOf = (topic: TopicAction): string => (topic === 'continue-topic' ? 'no shift' : 'shift');

const matrix = <D>(
  kind: MatrixOf<D>['kind'],
  classes: readonly string[],
  decisions: readonly Placed<D>[],
  pairOf: (record: DecisionRecord) => readonly [gold: string, predicted: string],
): MatrixOf<D> => {
  const paired = decisions.map((decision) => ({ ...decision, pair: pairOf(decision.record) }));
  const labelled = classes.filter((name) => paired.some(({ pair }) => pair[0] === name));
  const decided = classes.filter((name) => labelled.includes(name) || paired.some(({ pair }) => pair[1] === name));
  return {
    kind,
    labelled,
    decided,
    cells: labelled.map((gold) =>
      decided.map((answer) =>
        paired
          .filter(({ pair }) => pair[0] === gold && pair[1] === answer)
          .sort((a, b) => sureness(kind, a.record) - sureness(kind, b.record))
          .map(({ item }) => item),
      ),
    ),
  };
};

/** Those whose decider says nothing come last. */
const sureness = (kind: MatrixOf<unknown>['kind'], { confidence, branchConfidence }: DecisionRecord): number =>
  (kind === 'branch' || kind === 'relation' ? (branchConfidence ?? confidence) : confidence) ?? 2;
