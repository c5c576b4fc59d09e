import { BranchAction } from '../../../domain/decision.ts';
import { add, type CountOf, cellNames, type Metric, share, shareMetric } from './metric.ts';
import type { DecisionRecord } from './placements.ts';

const ACTIONS = BranchAction.options;
/** A turn that was given a topic of its own has no branch action. */
const ANSWERS = [...ACTIONS, 'none'] as const;

const cell = cellNames('branch');

/** Counts of where turns were hung: parents, forks, branch actions. */
export const countBranch = (counts: Record<string, number>, { gold, predicted }: DecisionRecord): void => {
  const underParent = gold.parent === predicted.parent;
  add(counts, 'placed');
  if (underParent) add(counts, 'placed right');
  if (gold.fork) add(counts, 'forks');
  if (predicted.fork) add(counts, 'forks made');
  if (gold.fork && predicted.fork && underParent) add(counts, 'forks found');
  if (gold.branch !== null) add(counts, cell(gold.branch, predicted.branch ?? 'none'));
};

/** Forks, and turns under their parent. */
export const PARENT_METRICS: readonly Metric[] = [
  shareMetric(
    'parent-accuracy',
    'share of the decisions that put the turn under its labelled parent, or gave it a topic of its own where the label does',
    'placed right',
    'placed',
  ),
  shareMetric(
    'fork-recall',
    'share of the labelled forks (turns whose labelled parent already has a turn after it) that were put under that parent as forks',
    'forks found',
    'forks',
  ),
  shareMetric(
    'fork-precision',
    'share of the forks made (turns put under a turn that already had one after it in the history at hand) that are labelled forks, under the right parent',
    'forks found',
    'forks made',
  ),
];

const wanted = (of: CountOf, action: string) => ANSWERS.reduce((sum, given) => sum + of(cell(action, given)), 0);
const given = (of: CountOf, action: string) => ACTIONS.reduce((sum, right) => sum + of(cell(right, action)), 0);
const hits = (of: CountOf, action: string) => of(cell(action, action));

const CLASSES = ACTIONS.flatMap((action): Metric[] => [
  {
    name: `${action}-precision`,
    definition: `share of the turns decided as ${action} (of those that open no topic by their label) whose label is ${action}`,
    value: (of) => share(hits(of, action), given(of, action)),
    n: (of) => given(of, action),
  },
  {
    name: `${action}-recall`,
    definition: `share of the turns labelled ${action} that were decided so`,
    value: (of) => share(hits(of, action), wanted(of, action)),
    n: (of) => wanted(of, action),
  },
]);

/** Going on, forking and coming back to a branch, for conversations that do all three. */
export const BRANCH_METRICS: readonly Metric[] = [
  {
    name: 'branch-macro-f1',
    definition:
      'mean of the F1 of continue-branch, create-branch and switch-branch, over those that occur in the labels',
    value: (of) => {
      const occurring = ACTIONS.filter((action) => wanted(of, action) > 0);
      const f1 = (action: string) => share(2 * hits(of, action), wanted(of, action) + given(of, action));
      return share(
        occurring.reduce((sum, action) => sum + f1(action), 0),
        occurring.length,
      );
    },
    n: (of) => ACTIONS.reduce((sum, action) => sum + wanted(of, action), 0),
  },
  ...CLASSES,
];
