import { add, type Counts } from '../../../app/figures/estimate.ts';
import type { ContextRecord } from './contexts.ts';
import { type Metric, shareMetric } from './metric.ts';

/** Dialogue lengths, in turns, over which the paper's benchmark averages context size (Context-Agent §6.1, ACT). */
export const ACT_TURNS = [10, 15, 20, 25] as const;

/** Counts for the contexts of one dialogue. */
export const countContexts = (records: readonly ContextRecord[]): Counts => {
  const counts: Record<string, number> = {};
  const length = records.reduce((most, { turn }) => Math.max(most, turn + 1), 0);
  for (const { turn, tokens, fullHistoryTokens, goldTokens, needed, found } of records) {
    add(counts, 'context turns');
    add(counts, 'context tokens', tokens);
    add(counts, 'full history tokens', fullHistoryTokens);
    add(counts, 'oracle tokens', goldTokens);
    for (const turns of ACT_TURNS) {
      if (length < turns || turn >= turns) continue;
      add(counts, `tokens of ${turns} turns`, tokens);
      add(counts, `turns of ${turns}`);
    }
    if (needed === 0) continue;
    add(counts, 'turns in need');
    add(counts, 'needs met', found / needed);
  }
  return counts;
};

const NEEDED = 'turns in need';
const MET = 'needs met';

export const TOKENS_RATIO: Metric = {
  ...shareMetric(
    'context-tokens-ratio',
    'tokens of all contexts in tokens of the full history, the message and the instructions counted in both',
    'context tokens',
    'full history tokens',
  ),
  n: (of) => of('context turns'),
};

/** The cost of an oracle that sends exactly the labelled path: no policy can include all of it for less. */
export const PATH_ORACLE: Metric = {
  ...shareMetric(
    'gold-path-oracle-tokens-ratio',
    'what an oracle that sends exactly the labelled path in full would cost, in tokens of the full history, the message and the instructions counted in both: the price of a gold-path-recall of 1, whatever the policy',
    'oracle tokens',
    'full history tokens',
  ),
  n: (of) => of('context turns'),
};

/** For trees labelled by people. */
export const PATH_METRICS: readonly Metric[] = [
  shareMetric(
    'gold-path-recall',
    "share of a turn's labelled ancestors whose full text is in its context, averaged over the turns that have any",
    MET,
    NEEDED,
  ),
  PATH_ORACLE,
  TOKENS_RATIO,
];

/** For dialogues whose references off the path are labelled too. That covers everything a turn builds on, which is more than it needs. */
export const PATH_AND_REFERENCE_METRICS: readonly Metric[] = [
  shareMetric(
    'path-and-reference-recall',
    "share of a turn's labelled ancestors and references whose full text is in its context, averaged over the turns that have any: all that it builds on, whether its answer needs it or not",
    MET,
    NEEDED,
  ),
  {
    ...PATH_ORACLE,
    name: 'path-and-reference-oracle-tokens-ratio',
    definition:
      'what an oracle that sends exactly these turns in full would cost, in tokens of the full history, the message and the instructions counted in both',
  },
  TOKENS_RATIO,
];

/** The paper's average context tokens. */
export const LENGTH_METRICS: readonly Metric[] = ACT_TURNS.map((turns) =>
  shareMetric(
    `act-${turns}-turns`,
    `average context tokens: of the contexts of turns 2 to ${turns}, over the dialogues that have at least ${turns}`,
    `tokens of ${turns} turns`,
    `turns of ${turns}`,
  ),
);
