import { useMemo, useState } from 'react';
import { quantile } from '../../domain/numbers.ts';
import { useApp } from '../../ui/app-context.ts';
import { Plot, type PlotArea } from '../../ui/parts/charts/plot.tsx';
import {
  type Bin,
  bins,
  dotsPath,
  linear,
  meanIn,
  type Series,
  stackPaths,
  stepPath,
  ticks,
} from '../../ui/parts/charts/scale.ts';
import { Segmented } from '../../ui/parts/fields.tsx';
import { counted, duration, ratio } from '../../ui/parts/format.ts';
import { Heading } from '../../ui/parts/text.tsx';
import { type DecisionRow, dotsAndMarks, stepSeries, sureFromNow } from './analysis.ts';
import styles from './charts.module.css';
import { ChartFigure, type Cursor, ValueTable } from './figure.tsx';

const DOTS_HEIGHT = 124;
/** With more turns than this, dots are smaller. */
const MANY = 400;

const LEVELS = [0, 0.5, 1] as const;

/** Similarity and confidence over the turns, with θ and the person's judgements. */
export const CertaintyChart = ({ rows, cursor }: { rows: readonly DecisionRow[]; cursor: Cursor }) => {
  const sureFrom = useApp(sureFromNow);
  const series = useMemo(
    (): Record<'similarity' | 'confidence' | 'theta' | 'sure', Series> => ({
      similarity: {
        key: 'similarity',
        name: 'Similarity',
        values: rows.map(({ similarity }) => similarity),
        colour: 'var(--topic-0)',
      },
      theta: { key: 'theta', name: 'θ', values: rows.map(({ theta }) => theta), colour: 'var(--ink)', dash: '4 3' },
      confidence: {
        key: 'confidence',
        name: 'Confidence',
        values: rows.map(({ confidence }) => confidence),
        colour: 'var(--topic-2)',
      },
      sure: {
        key: 'sure',
        name: 'confidence threshold',
        values: rows.map(() => sureFrom),
        colour: 'var(--ink)',
        dash: '4 3',
      },
    }),
    [rows, sureFrom],
  );
  const { similarity, theta, confidence, sure } = series;
  const describe = (index: number) => {
    const values = [similarity, theta, confidence].flatMap(({ name, values }) =>
      values[index] == null ? [] : [`${name.toLowerCase()} ${ratio(values[index])}`],
    );
    const word = rows[index]?.word;
    return `Turn ${rows[index]?.number}: ${[...values, ...(word == null ? [] : [word])].join(' · ') || 'no values'}`;
  };
  return (
    <ChartFigure
      title="Similarity and confidence"
      words="How close each message is to its fork point compared with θ, and how sure the decider was of its least certain answer."
      reading={cursor.at === null ? null : describe(cursor.at)}
      onGo={() => cursor.onOpen(cursor.at ?? 0)}
      table={() => (
        <ValueTable
          label="Similarity and confidence"
          rows={rows}
          series={[similarity, theta, confidence]}
          words={ratio}
          onOpen={cursor.onOpen}
        />
      )}
    >
      <Legend />
      <Dots label="Turn, similarity" of={similarity} against={theta} {...{ rows, cursor, describe }} />
      <Dots label="Turn, confidence" of={confidence} against={sure} {...{ rows, cursor, describe }} />
    </ChartFigure>
  );
};

const Dots = ({
  label,
  of,
  against,
  rows,
  cursor,
  describe,
}: {
  label: string;
  of: Series;
  against: Series;
  rows: readonly DecisionRow[];
  cursor: Cursor;
  describe: (index: number) => string;
}) => (
  <div className={styles.panel}>
    <Heading level={4} size="small">
      {of.name}
      <span>
        <svg aria-hidden width="16" height="8">
          <line x1="0" x2="16" y1="4" y2="4" stroke={against.colour} strokeDasharray={against.dash} />
        </svg>
        {against.name}
      </span>
    </Heading>
    <Plot
      label={label}
      numbers={cursor.numbers}
      height={DOTS_HEIGHT}
      cursor={cursor.at}
      onCursor={cursor.onMove}
      onOpen={cursor.onOpen}
      describe={describe}
      levels={({ top, bottom }) => {
        const y = linear([0, 1], [bottom, top]);
        return LEVELS.map((value) => ({
          y: y(value),
          words: value === 0 || value === 1 ? String(value) : ratio(value),
        }));
      }}
    >
      {(frame) => <Drawing frame={frame} of={of} against={against} rows={rows} cursor={cursor.at} />}
    </Plot>
  </div>
);

const Drawing = ({
  frame,
  of,
  against,
  rows,
  cursor,
}: {
  frame: PlotArea;
  of: Series;
  against: Series;
  rows: readonly DecisionRow[];
  cursor: number | null;
}) => {
  const { left, slot, top, bottom } = frame;
  const y = linear([0, 1], [bottom, top]);
  const drawn = useMemo(() => {
    const up = linear([0, 1], [bottom, top]);
    const x = (index: number) => left + (index + 0.5) * slot;
    // Cosines may be negative: these are drawn at zero.
    const values = of.values.map((value) => (value === null ? null : Math.max(0, value)));
    const { dots, corrected, confirmed } = dotsAndMarks(rows, values);
    const place = ({ at, value }: { at: number; value: number }) => ({ x: x(at), y: up(value) });
    return {
      dots: dotsPath(dots, x, up),
      edge: stepPath(against.values, (index) => [left + index * slot, left + (index + 1) * slot], up),
      corrected: corrected.map(place),
      confirmed: confirmed.map(place),
    };
  }, [of, against, rows, left, slot, top, bottom]);
  const value = cursor === null ? null : of.values[cursor];
  return (
    <>
      <path className={styles.dots} d={drawn.dots} stroke={of.colour} strokeWidth={rows.length > MANY ? 3 : 6} />
      <path className={styles.edge} d={drawn.edge} stroke={against.colour} strokeDasharray={against.dash} />
      {drawn.confirmed.map((at) => (
        <path key={at.x} className={styles.confirmed} d={`M${at.x - 4} ${at.y}l3 3l5 -6`} />
      ))}
      {drawn.corrected.map((at) => (
        <path key={at.x} className={styles.corrected} d={`M${at.x - 4} ${at.y - 4}l8 8m0 -8l-8 8`} />
      ))}
      {cursor !== null && value != null && (
        <circle className={styles.ring} cx={frame.x(cursor)} cy={y(Math.max(0, value))} r={6} />
      )}
    </>
  );
};

const Legend = () => (
  <p className={styles.legend}>
    <span>
      <svg aria-hidden width="12" height="12">
        <path className={styles.corrected} d="M2 2l8 8m0 -8l-8 8" />
      </svg>
      corrected
    </span>
    <span>
      <svg aria-hidden width="12" height="12">
        <path className={styles.confirmed} d="M2 6l3 3l5 -6" />
      </svg>
      confirmed
    </span>
  </p>
);

const BARS_HEIGHT = 232;
/** A turn that takes more than this many times the usual would flatten all others, so its bar is cut. */
const FAR_OUT = 4;

const PARTS = [
  { value: 'deciding', label: 'Deciding' },
  { value: 'replying', label: 'Replying' },
] as const;

/** Time by step, one bar per turn. Replies have their own axis: they take a thousand times as long. */
export const TimeChart = ({ rows, cursor }: { rows: readonly DecisionRow[]; cursor: Cursor }) => {
  const [part, setPart] = useState<'deciding' | 'replying'>('deciding');
  const series = useMemo(() => stepSeries(rows.map((row) => row[part])), [rows, part]);
  const totals = useMemo(
    () => rows.map((_, at) => series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0)),
    [rows, series],
  );
  const usual = quantile(
    totals.filter((ms) => ms > 0),
    0.9,
  );
  const longest = Math.max(...totals, 0);
  const most = ticks(longest > usual * FAR_OUT ? usual * 1.5 : longest).at(-1) ?? 1;
  const cut = totals.filter((ms) => ms > most).length;
  const describe = (index: number) => {
    const steps = series.flatMap(({ name, values }) =>
      values[index] == null ? [] : [`${name} ${duration(values[index])}`],
    );
    return `Turn ${rows[index]?.number}: ${steps.length === 0 ? 'no times recorded' : `${duration(totals[index] ?? 0)} · ${steps.join(' · ')}`}`;
  };
  return (
    <ChartFigure
      title="Time"
      words={
        cut === 0
          ? 'By step, turn by turn.'
          : `By step, turn by turn. ${counted(cut, 'bar')} cut off at ${duration(most)}; the longest took ${duration(longest)}.`
      }
      tools={<Segmented label="Time of" options={PARTS} value={part} onChange={setPart} />}
      reading={cursor.at === null ? null : describe(cursor.at)}
      onGo={() => cursor.onOpen(cursor.at ?? 0)}
      table={() => <ValueTable label="Time" rows={rows} series={series} words={duration} onOpen={cursor.onOpen} />}
    >
      {series.length === 0 ? (
        <p className={styles.none}>No times recorded. These turns were imported or have no replies yet.</p>
      ) : (
        <>
          <p className={styles.legend}>
            {series.map(({ key, name, colour }) => (
              <span key={key}>
                <svg aria-hidden width="10" height="10">
                  <rect width="10" height="10" rx="2" fill={colour} />
                </svg>
                {name}
              </span>
            ))}
          </p>
          <Plot
            label={`Turn, time of ${part}`}
            numbers={cursor.numbers}
            height={BARS_HEIGHT}
            cursor={cursor.at}
            onCursor={cursor.onMove}
            onOpen={cursor.onOpen}
            describe={describe}
            levels={({ top, bottom }) => {
              const y = linear([0, most], [bottom, top]);
              return ticks(most).map((value) => ({ y: y(value), words: value === 0 ? '0' : duration(value) }));
            }}
          >
            {(frame) => <Bars frame={frame} series={series} totals={totals} most={most} />}
          </Plot>
        </>
      )}
    </ChartFigure>
  );
};

/** Minimum bar width in pixels; if there are too many turns, several share a bar. */
const NARROWEST = 2;
/** Maximum bar width, so that a single turn does not become a wall. */
const WIDEST = 48;

const Bars = ({
  frame: { left, right, top, bottom, slot },
  series,
  totals,
  most,
}: {
  frame: PlotArea;
  series: readonly Series[];
  totals: readonly number[];
  most: number;
}) => {
  const { paths, cut } = useMemo(() => {
    const y = linear([0, most], [bottom, top]);
    const parts = bins(totals.length, (right - left) / NARROWEST);
    const box = ({ from, to }: Bin) => {
      const room = (to - from + 1) * slot;
      // Between narrow bars, a gap would only make everything paler.
      const width = Math.min(WIDEST, room < 4 ? room : room * 0.8);
      return { left: left + from * slot + (room - width) / 2, width };
    };
    const over = parts.filter((bin) => (meanIn(totals, bin) ?? 0) > most);
    return {
      paths: stackPaths(
        series.map(({ values }) => values),
        parts,
        box,
        (value) => y(Math.min(most, value)),
      ),
      cut: over.map((bin) => {
        const { left: start, width } = box(bin);
        return `M${start + width / 2 - 3} ${top - 2}l3 -5l3 5z`;
      }),
    };
  }, [series, totals, most, left, right, top, bottom, slot]);
  return (
    <>
      {series.map(({ key, colour }, index) => (
        <path key={key} d={paths[index]} fill={colour} shapeRendering="crispEdges" />
      ))}
      <path className={styles.cut} d={cut.join('')} />
    </>
  );
};
