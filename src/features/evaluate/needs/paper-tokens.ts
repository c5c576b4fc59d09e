import { ACT_TURNS } from '../measurement/context-metrics.ts';
import type { Row } from '../measurement/rows.ts';

const percent = (share: number): string => `${share < 0 ? '+' : '−'}${Math.round(100 * Math.abs(share))} %`;

/**
 * What the paper saves (Context-Agent §6.1, table 4: average context tokens, ACT) beside what is saved here on the same
 * benchmark, and why they differ. null where context-agent and the full history were not both measured on it.
 */
export const paperTokens = (rows: readonly Row[]): string | null => {
  const value = (subject: string, metric: string): number | undefined =>
    rows.find((row) => row.dataset === 'ntm' && row.subject === subject && row.metric === metric)?.value;
  const saved = ACT_TURNS.flatMap((turns) => {
    const [own, full] = [value('context-agent', `act-${turns}-turns`), value('full-history', `act-${turns}-turns`)];
    return own === undefined || full === undefined ? [] : [`${percent(1 - own / full)} over ${turns} turns`];
  });
  if (saved.length === 0) return null;
  const oracle = value('context-agent', 'path-and-reference-oracle-tokens-ratio');
  const price =
    oracle === undefined
      ? ''
      : ` By the labels here an oracle that sends exactly the path and what it refers to, and nothing else, pays ${oracle.toFixed(2)} of the full history already: what is saved beyond that leaves ancestors out.`;
  return (
    `The paper has average context tokens 45 to 52 % below the full history's (NTM); here \`context-agent\` has ${saved.join(', ')}. ` +
    'The dialogues are the same, the rest is not: the paper’s replies are by large language models and grow to twelve thousand tokens in 25 turns, here they are the few quoted lines ' +
    'of `recall`, beside which instructions, message and overview weigh more; its places are decided by a 12B language model, which may open more topics and branches than our labels have, and a shorter path costs less; ' +
    `and it does not say how much a summary may take.${price}`
  );
};
