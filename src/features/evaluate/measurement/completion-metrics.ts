import { cohen, numberOf } from '../../../app/figures/agreement.ts';
import type { CountLookup } from '../../../app/figures/estimate.ts';
import { type Metric, share, shareMetric } from './metric.ts';

/** Results of a dialogue according to one judge. */
export const COMPLETION_METRICS: readonly Metric[] = [
  shareMetric(
    'task-completion',
    'share of the goals of the checkpoint questions that the last answer of the dialogue reaches, by the word of the judge (Context-Agent §4.3, TCR); goals without a usable word are left out',
    'goals reached',
    'goals judged',
  ),
  shareMetric(
    'task-completion-by-dialogue',
    'the same share within each dialogue, averaged over the dialogues',
    'completion',
    'dialogues judged',
  ),
];

/** Agreement of two judges on the goals that both gave a verdict on. */
export const JUDGES_METRICS: readonly Metric[] = [
  {
    name: 'judges-kappa',
    definition:
      'agreement of the two judges beyond chance, Cohen’s κ, over the goals that both gave a word on; none where both said always the same, for then chance agrees as well',
    value: (of) => kappaOf(tableOf(of)),
    n: (of) => sumOf(tableOf(of)),
  },
  {
    name: 'judges-agreement',
    definition: 'share of those goals on which the two judges said the same',
    value: (of) => {
      const table = tableOf(of);
      return share(table.bothYes + table.bothNo, sumOf(table));
    },
    n: (of) => sumOf(tableOf(of)),
  },
];

/** Counts of the verdicts of two judges on the same goals. */
interface Agreement {
  readonly bothYes: number;
  readonly bothNo: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
}

const kappaOf = ({ bothYes, onlyFirst, onlySecond, bothNo }: Agreement): number =>
  numberOf(
    cohen([
      [bothYes, onlyFirst],
      [onlySecond, bothNo],
    ]),
  );

const sumOf = ({ bothYes, bothNo, onlyFirst, onlySecond }: Agreement): number =>
  bothYes + bothNo + onlyFirst + onlySecond;

const tableOf = (of: CountLookup): Agreement => ({
  bothYes: of('both yes'),
  bothNo: of('both no'),
  onlyFirst: of('only first'),
  onlySecond: of('only second'),
});
