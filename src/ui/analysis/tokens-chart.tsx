import { Download } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { DecisionRow } from '../../app/analysis.ts';
import { tokensFile } from '../../app/analysis-export.ts';
import { download } from '../dialogs/download.ts';
import { saving } from '../inspector/figures.ts';
import { Button } from '../parts/button.tsx';
import { count } from '../parts/numbers.ts';
import { ProgressBar } from '../parts/progress-bar.tsx';
import { useShownForest } from '../parts/use-shown-forest.ts';
import { useComparedPolicies } from '../policies/compared-policies.ts';
import { PolicyChooser } from '../policies/policy-chooser.tsx';
import styles from './charts.module.css';
import type { Cursor } from './charts-view.tsx';
import { Figure } from './figure.tsx';
import { dotsPath, linePath } from './paths.ts';
import { type Frame, Plot } from './plot.tsx';
import { type Bin, bins, linear, ticks } from './scale.ts';
import { means, type Series, tokenSeries } from './series.ts';
import own from './tokens-chart.module.css';
import { type Comparison, useComparison } from './use-comparison.ts';
import { ValueTable } from './value-table.tsx';

/** Turns that are compared without being asked: a matter of a second. */
const AT_ONCE = 300;
const HEIGHT = 208;
/** Of so few turns each is a point on its line; one alone would hardly be seen. */
const FEW = 40;

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
  const most = seen.reduce((high, { values }) => values.reduce<number>((top, one) => Math.max(top, one ?? 0), high), 0);
  const levels = ticks(most);
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
          levels={({ top, bottom }) => {
            const y = linear([0, levels.at(-1) ?? 1], [bottom, top]);
            return levels.map((value) => ({ y: y(value), words: axisWords(value) }));
          }}
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

/** `150 k`: there is little room beside the axis. */
const axisWords = (tokens: number): string => (tokens < 10_000 ? count(tokens) : `${count(tokens / 1000)} k`);

const Lines = ({
  frame,
  series,
  most,
  cursor,
}: {
  frame: Frame;
  series: readonly Series[];
  most: number;
  cursor: number | null;
}) => {
  const y = linear([0, most], [frame.bottom, frame.top]);
  const { left, right, slot } = frame;
  const paths = useMemo(() => {
    const up = linear([0, most], [frame.bottom, frame.top]);
    const parts = bins(series[0]?.values.length ?? 0, right - left);
    const x = ({ from, to }: Bin) => left + ((from + to + 1) / 2) * slot;
    return series.map(({ values }) => linePath(values, parts, x, up));
  }, [series, most, left, right, slot, frame.bottom, frame.top]);
  return (
    <>
      {/* What was sent lies over the rest. */}
      {series
        .map((one, index) => ({ ...one, path: paths[index] }))
        .toReversed()
        .map(({ key, path, colour, dash, strong }) => (
          <path
            key={key}
            className={styles.line}
            d={path}
            stroke={colour}
            strokeWidth={strong === true ? 2 : 1.5}
            strokeDasharray={dash}
          />
        ))}
      {(series[0]?.values.length ?? 0) <= FEW &&
        series.map(({ key, values, colour }) => (
          <path key={key} className={styles.points} d={dotsPath(values, frame.x, y)} stroke={colour} />
        ))}
      {cursor !== null &&
        series.map(({ key, values, colour }) => {
          const value = values[cursor];
          return value == null ? null : <circle key={key} cx={frame.x(cursor)} cy={y(value)} r={3.5} fill={colour} />;
        })}
    </>
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
                  <svg aria-hidden width="20" height="8">
                    <line
                      x1="0"
                      x2="20"
                      y1="4"
                      y2="4"
                      stroke={colour}
                      strokeWidth={strong === true ? 2.5 : 2}
                      strokeDasharray={dash}
                    />
                  </svg>
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
