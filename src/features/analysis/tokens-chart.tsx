import { Download } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { Button } from '../../ui/parts/button.tsx';
import { Lines, Plot, type Series, Swatch } from '../../ui/parts/charts/plot.tsx';
import { drawnLevels, tokenLevels } from '../../ui/parts/charts/scale.ts';
import { download } from '../../ui/parts/download.ts';
import { count, saving } from '../../ui/parts/format.ts';
import { useShownForest } from '../../ui/parts/hooks.ts';
import { PolicyChooser, useComparedPolicies } from '../../ui/parts/policies.tsx';
import { ProgressBar } from '../../ui/parts/progress.tsx';
import type { DecisionRow } from './analysis.ts';
import { tokensFile } from './analysis-export.ts';
import styles from './charts.module.css';
import type { Cursor } from './charts-view.tsx';
import { Figure } from './figure.tsx';
import { means, tokenSeries } from './series.ts';
import own from './tokens-chart.module.css';
import { type Comparison, useComparison } from './use-comparison.ts';
import { ValueTable } from './value-table.tsx';

/** Turns that are compared without being asked: a matter of a second. */
const AT_ONCE = 300;
const HEIGHT = 208;

/** Context tokens per turn: what was sent, and what other policies would have. */
export const TokensChart = ({ rows, cursor }: { rows: readonly DecisionRow[]; cursor: Cursor }) => {
  const names = useComparedPolicies();
  const comparison = useComparison(names, rows.length);
  const { compared, start } = comparison;
  const small = rows.length <= AT_ONCE;
  useEffect(() => {
    if (small) start();
  }, [small, start]);
  const series = useMemo(() => tokenSeries(rows, compared, names), [rows, compared, names]);
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const seen = series.filter(({ key }) => !hidden.includes(key));
  const levels = tokenLevels(seen);
  const describe = (index: number) =>
    `Turn ${rows[index]?.number}: ${seen
      .flatMap(({ name, values }) => (values[index] == null ? [] : [`${name} ${count(values[index])}`]))
      .join(' · ')}`;
  const toggle = (key: string) =>
    setHidden(hidden.includes(key) ? hidden.filter((one) => one !== key) : [...hidden, key]);
  return (
    <Figure
      title="Context tokens"
      words="What was sent for each turn, and what other policies would have sent for that turn alone."
      tools={
        <>
          <PolicyChooser />
          <Compare comparison={comparison} turns={rows.length} />
          <SaveTokens rows={rows} series={series} />
        </>
      }
      reading={cursor.at === null ? null : describe(cursor.at)}
      onGo={() => cursor.onOpen(cursor.at ?? 0)}
      table={() => (
        <ValueTable label="Context tokens" rows={rows} series={series} words={count} onOpen={cursor.onOpen} />
      )}
    >
      <div className={styles.withLegend}>
        <Plot
          label="Turn, context tokens"
          numbers={cursor.numbers}
          height={HEIGHT}
          cursor={cursor.at}
          onCursor={cursor.onMove}
          onOpen={cursor.onOpen}
          describe={describe}
          levels={(frame) => drawnLevels(levels, frame)}
        >
          {(frame) => <Lines frame={frame} series={seen} most={levels.at(-1) ?? 1} cursor={cursor.at} />}
        </Plot>
        <Means series={series} hidden={hidden} onToggle={toggle} />
      </div>
    </Figure>
  );
};

/** The chart's values, turn by turn, as a file. */
const SaveTokens = ({ rows, series }: { rows: readonly DecisionRow[]; series: readonly Series[] }) => {
  const forest = useShownForest();
  const save = () => {
    const { name, text } = tokensFile(rows, series, forest);
    download(name, text);
  };
  return (
    <Button size="small" onClick={save} aria-label="Context tokens as CSV">
      <Download size={14} aria-hidden />
      CSV
    </Button>
  );
};

/** Means per policy, which are the chart's legend too: a line is taken away and brought back by its name. */
const Means = ({
  series,
  hidden,
  onToggle,
}: {
  series: readonly Series[];
  hidden: readonly string[];
  onToggle: (key: string) => void;
}) => {
  const rows = means(series);
  return (
    <table className={own.means}>
      <caption>Mean tokens a turn (ACT)</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">Policy</th>
          <th scope="col">Mean</th>
          <th scope="col">Against the whole history</th>
        </tr>
      </thead>
      <tbody>
        {series.map(({ key, name, colour, dash, strong }, index) => {
          const { mean = null, against = null } = rows[index] ?? {};
          return (
            <tr key={key}>
              <th scope="row">
                <button type="button" aria-pressed={!hidden.includes(key)} onClick={() => onToggle(key)}>
                  <Swatch colour={colour} {...(dash !== undefined && { dash })} strong={strong === true} />
                  {name}
                </button>
              </th>
              <td>{mean === null ? '–' : count(mean)}</td>
              <td>{mean === null || against === null ? '' : saving(mean, against)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
};

const Compare = ({ comparison, turns }: { comparison: Comparison; turns: number }) => {
  const { state, complete, failure, start, stop } = comparison;
  if (state === 'running') {
    return (
      <span className={own.compare}>
        <ProgressBar
          label="Comparing policies"
          max={turns}
          // Until the first turn comes nobody knows how far it is: turns may have to be embedded anew.
          value={complete === 0 ? null : complete}
        />
        <Button size="small" onClick={stop}>
          Stop
        </Button>
      </span>
    );
  }
  return (
    <span className={own.compare}>
      {failure !== null && <span role="alert">Not compared: {failure}</span>}
      {(failure !== null || complete < turns) && (
        <Button size="small" onClick={start}>
          Compare policies
        </Button>
      )}
    </span>
  );
};
