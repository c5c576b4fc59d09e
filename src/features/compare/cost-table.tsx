import { type CSSProperties, useId, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { Lines, Plot, Swatch } from '../../ui/parts/charts/plot.tsx';
import type { Series } from '../../ui/parts/charts/scale.ts';
import { drawnLevels, tokenLevels } from '../../ui/parts/charts/scale.ts';
import { count, counted, percent } from '../../ui/parts/format.ts';
import { ABOUT_POLICY, policyLook } from '../../ui/parts/policies.tsx';
import { Badge, Heading } from '../../ui/parts/text.tsx';
import type { CompareRun } from './compare-run.ts';
import styles from './cost-table.module.css';
import {
  BASELINE,
  comparedTurns,
  isUntimed,
  measuresOf,
  sumsOf,
  type TurnComparison,
  wasSent,
} from './turn-comparisons.ts';

interface CostTableProps {
  readonly run: CompareRun;
  readonly rows: readonly TurnComparison[];
  /** The turn being looked at. */
  readonly at: number;
}

const NOT_KNOWN = '–';

/** What each policy costs: for the turn being looked at, on average, and in total. Also the legend of the chart. */
export const CostTable = ({ run, rows, at }: CostTableProps) => {
  const names = useStore(run.store, (state) => state.names);
  const anew = useStore(run.store, (state) => state.anew);
  const row = rows[at];
  const compared = comparedTurns(rows, names);
  const all = names.map((name) => ({ name, spent: row?.by[name], sums: sumsOf(compared, name) }));
  const over = compared.length === rows.length ? null : counted(compared.length, 'turn');
  const turn = `turn ${row?.number}`;
  const measures = measuresOf(all.map(({ sums }) => sums));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls is reached by the keyboard
    <section className={styles.scroll} aria-label="Costs" tabIndex={0}>
      <table className={styles.costs}>
        <thead>
          <tr>
            <th scope="col" rowSpan={2} className={styles.corner}>
              Policy
            </th>
            {measures.map(({ key, title, about }) => (
              <th key={key} scope="colgroup" colSpan={key === 'tokens' ? 4 : 3} className={styles.measure}>
                {title}
                <span>{about}</span>
              </th>
            ))}
          </tr>
          <tr>
            {measures.map(({ key }) => (
              <Heads key={key} turn={turn} over={over} withShare={key === 'tokens'} />
            ))}
          </tr>
        </thead>
        <tbody>
          {all.map(({ name, spent, sums }) => (
            <tr key={name}>
              <th scope="row" className={styles.policy} title={ABOUT_POLICY[name]}>
                <span>
                  <Swatch {...policyLook(name)} /> {name}
                  {row !== undefined && wasSent(row, name, anew) && <Badge>sent</Badge>}
                </span>
              </th>
              {measures.map(({ key, words, mean }) => {
                const none = sums.turns === 0 || isUntimed(key, sums);
                return [
                  <td key={`${key} turn`} className={styles.turn}>
                    {spent === undefined || isUntimed(key, spent) ? NOT_KNOWN : words(spent[key])}
                  </td>,
                  <td key={`${key} mean`}>{none ? NOT_KNOWN : mean(sums[key] / sums.turns)}</td>,
                  <td key={`${key} all`}>{none ? NOT_KNOWN : words(sums[key])}</td>,
                  key === 'tokens' && <Share key="share" share={sums.share} />,
                ];
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};

interface HeadsProps {
  readonly turn: string;
  /** Which turns the sums are over, if not every one is known for all policies. */
  readonly over: string | null;
  readonly withShare: boolean;
}

const Heads = ({ turn, over, withShare }: HeadsProps) => (
  <>
    <th scope="col" className={styles.turn}>
      {turn}
    </th>
    <th
      scope="col"
      title={`Average over ${over === null ? 'all compared turns' : `the ${over} known for every policy`}`}
    >
      per turn
    </th>
    <th scope="col" title={over === null ? 'All turns together' : `The ${over} known for every policy, together`}>
      {over === null ? 'total' : `${over} together`}
    </th>
    {withShare && (
      <th scope="col" title={`Compared with ${BASELINE}, which sends everything said before, or as much of it as fits`}>
        of {BASELINE}
      </th>
    )}
  </>
);

const Share = ({ share }: { share: number | null }) => (
  <td className={styles.share}>
    {share !== null && (
      <>
        <span aria-hidden style={{ '--share': Math.min(1, share) } as CSSProperties} />
        {percent(share)}
      </>
    )}
  </td>
);

const HEIGHT = 172;

interface TokensPerTurnProps {
  readonly rows: readonly TurnComparison[];
  readonly names: readonly string[];
  /** The turn being looked at. */
  readonly at: number;
  readonly onChoose: (index: number) => void;
}

/** One line per policy over the turns; the vertical line marks the turn that the rest of the page is about. */
export const TokensPerTurn = ({ rows, names, at, onChoose }: TokensPerTurnProps) => {
  const id = useId();
  const [pointed, setPointed] = useState<number | null>(null);
  const series = useMemo(() => policyTokenSeries(rows, names), [rows, names]);
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
        <Heading id={id}>Tokens sent for each turn</Heading>
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

export const policyTokenSeries = (rows: readonly TurnComparison[], names: readonly string[]): Series[] =>
  names.map((name) => ({
    key: name,
    name,
    values: rows.map(({ by }) => by[name]?.tokens ?? null),
    ...policyLook(name),
  }));
