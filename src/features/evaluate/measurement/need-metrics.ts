import { PATH_ORACLE, TOKENS_RATIO } from './context-metrics.ts';
import { type Metric, share, shareMetric } from './metric.ts';

/** How much a policy may send, in percent of the full history's tokens; null: its own default size. */
export type PolicySize = number | null;

/** In percent of the full history's tokens. */
export const BUDGETS = [2, 5, 10, 20, 40, 100] as const;
export const SIZES: readonly PolicySize[] = [null, ...BUDGETS];

/** The suffix of a name for a size, e.g. `-at-5`; empty for the policy's own size. */
export const suffixOf = (size: PolicySize): string => (size === null ? '' : `-at-${size}`);

/** Splits a metric's name into its base name and its size. */
export const splitSize = (name: string): { readonly name: string; readonly size: PolicySize } => {
  const found = /^(.*)-at-(\d+)$/.exec(name);
  const size = Number(found?.[2]);
  return found !== null && BUDGETS.some((budget) => budget === size)
    ? { name: found[1] as string, size }
    : { name, size: null };
};

/** `contextBudget` for a size, given the number of history tokens before the message. */
export const budgetOf = (size: PolicySize, historyTokens: number): number | null =>
  size === null ? null : Math.round((historyTokens * size) / 100);

/** Each metric at the policy's own size and at every budget, reading the counts with the size's suffix. */
const atEverySize = (metrics: readonly Metric[]): Metric[] =>
  SIZES.flatMap((size) =>
    metrics.map((metric): Metric => {
      const suffix = suffixOf(size);
      return {
        name: metric.name + suffix,
        definition: metric.definition,
        value: (of) => metric.value((name) => of(name + suffix)),
        n: (of) => metric.n((name) => of(name + suffix)),
      };
    }),
  );

/*
 * How much of what messages need is in their contexts, according to human labels (for everyday talk: ours). Every count
 * excludes the first turn, which needs nothing; only what a chat model reads includes all turns.
 */

const HISTORY_SHARE = shareMetric(
  'history-tokens-share',
  'tokens that a context spends on the history, in those of the full history, instructions and message aside, averaged over the turns',
  'history shares',
  'context turns',
);

const OVER_FULL = shareMetric(
  'over-full',
  'share of the turns that are sent more tokens than the full history has',
  'over full',
  'context turns',
);

const SIZE_METRICS = [TOKENS_RATIO, HISTORY_SHARE, OVER_FULL];

/** How many requests, with their replies, a cache holds. */
export const CACHE_SIZES = [1, 8] as const;

const READ_METRICS: readonly Metric[] = [
  ...CACHE_SIZES.map(
    (size): Metric => ({
      name: size === 1 ? 'tokens-read-ratio' : `tokens-read-ratio-${size}`,
      definition: `what goes through a chat model over a whole conversation whose cache keeps the ${size === 1 ? 'last request, reply included' : `last ${size} requests, replies included`}, in what does in a plain chat (full history, perfect prefix): what is read anew of each request, and its reply once; counted by characters of the requests as they are sent`,
      value: (of) => share(of(`read ${size}`), of('read by a plain chat')),
      n: (of) => of('requests'),
    }),
  ),
  shareMetric(
    'prefix-kept',
    'share of the last request, reply included, that is the beginning of this one, by characters, averaged over the turns that go on from the turn before by their labels',
    'prefix kept',
    'turns that go on',
  ),
];

const REWRITE_METRICS: readonly Metric[] = [
  shareMetric(
    'rewrite-recall',
    'of the content words that a person added to the message so that it stands alone, the share that stands anywhere in what is sent of the history, summaries included, averaged over the turns with any; words stemmed, words of grammar left out',
    'rewrite recall',
    'rewritten turns',
  ),
  {
    name: 'rewrite-recall-of-full',
    definition: 'rewrite-recall in that of the full history',
    value: (of) => share(of('rewrite recall'), of('rewrite recall of full')),
    n: (of) => of('rewritten turns'),
  },
];

const NEED_METRICS: readonly Metric[] = [
  shareMetric(
    'needed-text-recall',
    'share of the needed messages and replies that are sent in full, or whose digest keeps all their rare words, averaged over the turns that need any; of several lists that would do, the best served one',
    'needed text recall',
    'turns that need texts',
  ),
  {
    ...shareMetric(
      'off-topic-share',
      "share of the tokens sent of the history that come from topics in which neither the turn's labelled path nor its needs lie",
      'off topic tokens',
      'history tokens',
    ),
    n: (of) => of('turns with labelled needs'),
  },
];

/** The same cost on the axis of the curves. */
const ORACLE_SHARE = shareMetric(
  'gold-path-oracle-history-share',
  'history-tokens-share of an oracle that sends exactly the labelled path in full',
  'oracle shares',
  'context turns',
);

/** What that oracle reads, as defined for `tokens-read-ratio`. */
const ORACLE_READS: readonly Metric[] = CACHE_SIZES.map(
  (size): Metric => ({
    name: size === 1 ? 'gold-path-oracle-read-ratio' : `gold-path-oracle-read-ratio-${size}`,
    definition: `tokens-read-ratio${size === 1 ? '' : `-${size}`} of an oracle that sends exactly the labelled path in full, in order of time`,
    value: (of) => share(of(`read by the path oracle ${size}`), of('read by a plain chat')),
    n: (of) => of('requests'),
  }),
);

const PATH_METRICS: readonly Metric[] = [
  shareMetric(
    'gold-path-recall',
    "share of a turn's labelled ancestors whose full text is in its context, averaged over the turns that have any",
    'path recall',
    'turns with a path',
  ),
];

const EVIDENCE_METRICS: readonly Metric[] = [
  shareMetric(
    'evidence-recall',
    'share of the texts labelled as evidence for a question (LoCoMo: utterances) that stand word for word in its context, averaged over the questions that have any',
    'evidence recall',
    'questions',
  ),
];

export const OF_REWRITES = atEverySize([...REWRITE_METRICS, ...SIZE_METRICS, ...READ_METRICS]);
export const OF_EVERYDAY = [
  ...atEverySize([...NEED_METRICS, ...SIZE_METRICS, ...READ_METRICS, ...PATH_METRICS]),
  PATH_ORACLE,
  ORACLE_SHARE,
  ...ORACLE_READS,
];
export const OF_READING = atEverySize(READ_METRICS);
export const OF_EVIDENCE = atEverySize([...EVIDENCE_METRICS, ...SIZE_METRICS]);

/** Every metric once, at the policy's own size, for the legend. */
export const ALL_NEED_METRICS: readonly Metric[] = [
  ...REWRITE_METRICS,
  ...NEED_METRICS,
  ...EVIDENCE_METRICS,
  ...SIZE_METRICS,
  ...PATH_METRICS,
  PATH_ORACLE,
  ORACLE_SHARE,
  ...ORACLE_READS,
  ...READ_METRICS,
];
