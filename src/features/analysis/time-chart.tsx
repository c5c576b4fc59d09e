import { useMemo, useState } from 'react';
import { type Frame, Plot } from '../../ui/parts/charts/plot.tsx';
import type { Series } from '../../ui/parts/charts/scale.ts';
import { type Bin, bins, linear, meanIn, quantile, stackPaths, ticks } from '../../ui/parts/charts/scale.ts';
import { Segmented } from '../../ui/parts/fields.tsx';
import { counted, duration } from '../../ui/parts/format.ts';
import { type DecisionRow, stepSeries } from './analysis.ts';
import styles from './charts.module.css';
import { type Cursor, Figure, ValueTable } from './figure.tsx';

const HEIGHT = 232;
/** A turn that takes more than so many times what most take would flatten all others: its bar is cut. */
const FAR_OUT = 4;

const PARTS = [
  { value: 'deciding', label: 'Deciding' },
  { value: 'replying', label: 'Replying' },
] as const;

/** Time by step, one bar a turn. Replies have an axis of their own: they take a thousand times as long. */
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
    <Figure
      title="Time"
      words={
        cut === 0
          ? 'By step, turn by turn.'
          : `By step, turn by turn. ${counted(cut, 'bar')} cut at ${duration(most)}: the longest is ${duration(longest)}.`
      }
      tools={<Segmented label="Time of" options={PARTS} value={part} onChange={setPart} />}
      reading={cursor.at === null ? null : describe(cursor.at)}
      onGo={() => cursor.onOpen(cursor.at ?? 0)}
      table={() => <ValueTable label="Time" rows={rows} series={series} words={duration} onOpen={cursor.onOpen} />}
    >
      {series.length === 0 ? (
        <p className={styles.none}>No times recorded: these turns were imported, or none has a reply yet.</p>
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
            height={HEIGHT}
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
    </Figure>
  );
};

/** Narrowest bar in pixels; of more turns than there is room for, several share one. */
const NARROWEST = 2;
/** Widest, so that one turn is no wall. */
const WIDEST = 48;

const Bars = ({
  frame: { left, right, top, bottom, slot },
  series,
  totals,
  most,
}: {
  frame: Frame;
  series: readonly Series[];
  totals: readonly number[];
  most: number;
}) => {
  const { paths, cut } = useMemo(() => {
    const y = linear([0, most], [bottom, top]);
    const parts = bins(totals.length, (right - left) / NARROWEST);
    const box = ({ from, to }: Bin) => {
      const room = (to - from + 1) * slot;
      // Between narrow bars a gap would only make the whole paler.
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
