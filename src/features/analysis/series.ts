import type { Series } from '../../ui/parts/charts/plot.tsx';
import { mean } from '../../ui/parts/charts/scale.ts';
import { policyLook } from '../../ui/parts/policies.tsx';
import type { DecisionRow, Steps } from './analysis.ts';

/** What each policy sent or would have sent, by turn; of a turn that is not compared yet, nothing. */
export type Compared = ReadonlyMap<string, Readonly<Record<string, number>>>;

/** What was sent, and beside it what the whole history or, once compared, each policy would have cost; of those known only the chosen, where some are. */
export const tokenSeries = (rows: readonly DecisionRow[], compared: Compared, chosen?: readonly string[]): Series[] => {
  const policies = new Set(rows.flatMap(({ policy }) => (policy === null ? [] : [policy])));
  const [only] = policies;
  const sent: Series = {
    key: 'sent',
    name: policies.size === 1 ? `Sent (${only})` : 'Sent',
    values: rows.map(({ tokens }) => tokens),
    colour: 'var(--ink)',
    strong: true,
  };
  const known = new Set([...compared.values()].flatMap((tokens) => Object.keys(tokens)));
  const names = chosen === undefined ? [...known] : chosen.filter((name) => known.has(name));
  if (names.length === 0) {
    const whole = rows.map(({ fullTokens }) => fullTokens);
    return [sent, { key: 'whole', name: 'Whole history', values: whole, ...policyLook('full-history') }];
  }
  const others = names.map((name) => ({
    key: name,
    name,
    values: rows.map(({ nodeId }) => compared.get(nodeId)?.[name] ?? null),
    ...policyLook(name),
  }));
  // One policy throughout: its line is what was sent.
  return [sent, ...others.filter(({ key }) => policies.size !== 1 || key !== only)];
};

export interface MeanRow {
  readonly key: string;
  /** Over the turns of which both are known. */
  readonly mean: number | null;
  /** What the largest policy took over the same turns; null for that one. */
  readonly against: number | null;
}

/** Mean context tokens a turn (the paper's ACT), each beside that of the whole history over the same turns. */
export const means = (series: readonly Series[]): MeanRow[] => {
  const whole = series.find(({ key }) => key === 'whole' || key === 'full-history');
  return series.map(({ key, values }) => {
    if (whole === undefined || whole.key === key) return { key, mean: mean(values), against: null };
    const both = values.map((value, at) => (whole.values[at] == null ? null : value));
    const same = whole.values.map((value, at) => (values[at] == null ? null : value));
    return { key, mean: mean(both), against: mean(same) };
  });
};

/** Steps in the order in which they happen; others after them. */
const ORDER = ['embed', 'topic', 'branch', 'context', 'first token', 'writing'];
const STEP_COLOURS = [
  'var(--topic-4)',
  'var(--topic-2)',
  'var(--topic-6)',
  'var(--topic-1)',
  'var(--topic-5)',
  'var(--topic-7)',
];

export const stepSeries = (steps: readonly Steps[]): Series[] => {
  const names = [...new Set(steps.flatMap((one) => Object.keys(one)))];
  const place = (name: string) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  return names
    .sort((a, b) => place(a) - place(b))
    .map((name) => ({
      key: name,
      name,
      values: steps.map((one) => one[name] ?? null),
      colour: STEP_COLOURS[place(name)] ?? 'var(--ink-3)',
    }));
};
