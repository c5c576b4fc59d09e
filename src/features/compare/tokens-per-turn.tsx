import { useId, useMemo, useState } from 'react';
import { Lines, Plot, type Series } from '../../ui/parts/charts/plot.tsx';
import { drawnLevels, tokenLevels } from '../../ui/parts/charts/scale.ts';
import { count } from '../../ui/parts/format.ts';
import { policyLook } from '../../ui/parts/policies.tsx';
import styles from './compare.module.css';
import type { CompareRow } from './compare-run-rows.ts';

const HEIGHT = 172;

interface Props {
  readonly rows: readonly CompareRow[];
  readonly names: readonly string[];
  /** The turn that is looked at. */
  readonly at: number;
  readonly onChoose: (index: number) => void;
}

/** A line for each policy over the turns; the upright is the turn that the rest of the page is about. */
export const TokensPerTurn = ({ rows, names, at, onChoose }: Props) => {
  const id = useId();
  const [pointed, setPointed] = useState<number | null>(null);
  const series = useMemo(() => tokenSeries(rows, names), [rows, names]);
  const numbers = useMemo(() => rows.map(({ number }) => number), [rows]);
  const levels = tokenLevels(series);
  const describe = (index: number) =>
    `Turn ${rows[index]?.number}: ${series
      .flatMap(({ name, values }) => (values[index] == null ? [] : [`${name} ${count(values[index])}`]))
      .join(' · ')}`;
  const shown = pointed !== null && pointed < rows.length ? pointed : null;
  return (
    <section className={styles.chart} aria-labelledby={id}>
      <div className={styles.chartHead}>
        <h3 id={id}>Tokens sent for each turn</h3>
        <p>{describe(shown ?? at)}</p>
      </div>
      <Plot
        label="Turn"
        numbers={numbers}
        height={HEIGHT}
        cursor={shown}
        onCursor={setPointed}
        onOpen={onChoose}
        chosen={{ at, onChoose }}
        describe={describe}
        levels={(frame) => drawnLevels(levels, frame)}
      >
        {(frame) => <Lines frame={frame} series={series} most={levels.at(-1) ?? 1} cursor={shown ?? at} />}
      </Plot>
    </section>
  );
};

export const tokenSeries = (rows: readonly CompareRow[], names: readonly string[]): Series[] =>
  names.map((name) => ({
    key: name,
    name,
    values: rows.map(({ by }) => by[name]?.tokens ?? null),
    ...policyLook(name),
  }));
