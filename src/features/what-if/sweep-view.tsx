import { ChartSpline } from 'lucide-react';
import { useId, useState } from 'react';
import { useStore } from 'zustand';
import { NUMBERS } from '../../app/saved-settings.ts';
import { asSentence } from '../../engine/model-failure.ts';
import { defaultParameters } from '../../engine/parameters.ts';
import { Button } from '../../ui/parts/button.tsx';
import { linear, lineThrough } from '../../ui/parts/charts/scale.ts';
import { count, typedNumber, typedWhole } from '../../ui/parts/format.ts';
import { FIELDS } from '../../ui/parts/setting-fields.ts';
import { Heading, Muted } from '../../ui/parts/text.tsx';
import setupStyles from './setup.module.css';
import { type Range, type SweepPoint, type SweptParameter, shapeOf, THETA_RANGE, valuesOf } from './sweep.ts';
import styles from './sweep-view.module.css';
import type { SweepOutcome, WhatIfRun } from './what-if-run.ts';
import { otherChangesWords, otherCountersWords } from './what-if-words.ts';

/** The outcome of each value, as charts and figures; a value opens its differences. */
export const SweepView = ({ run, swept, onShow }: { run: WhatIfRun; swept: SweepOutcome; onShow: () => void }) => {
  const failure = useStore(run.store, (state) => state.failure);
  const origin = useStore(run.store, (state) => state.origin);
  const busy = useStore(run.store, (state) => state.task !== null);
  const { range, points } = swept;
  const others = points[0] === undefined ? null : otherChangesWords(points[0].question, range.parameter);
  const shape = shapeOf(origin.forest);
  const counters = points[0] === undefined ? null : otherCountersWords(shape.units, points[0].shape.units);
  const label = FIELDS.find(({ name }) => name === range.parameter)?.label ?? range.parameter;
  const show = (point: SweepPoint) => {
    if (busy) return;
    run.show(point);
    onShow();
  };
  const flat = !busy && points.length > 1 && points.every(({ movedSince }) => movedSince === 0);
  return (
    <div className={styles.sweep}>
      {failure?.kind === 'sweep' && (
        <p role="alert" className={styles.failure}>
          The sweep ended early: {asSentence(failure.why)} Earlier values are kept.
        </p>
      )}
      <header className={styles.head}>
        <h3>
          {label}, {range.from} to {range.to}
        </h3>
        <Muted>
          Simulated, compared with the current conversation
          {others !== null && `; changed: ${others}`}. Dashed lines show the current state. Choose a value to see its
          differences.
        </Muted>
        {counters !== null && <Muted className={styles.flat}>{counters}</Muted>}
        {flat && (
          <Muted className={styles.flat}>
            No value placed a turn differently from the previous one. This parameter makes no difference to the decider
            here.
          </Muted>
        )}
      </header>
      <div className={styles.charts}>
        {seriesOf(shape, counters === null).map((series) => (
          <SweepChart key={series.name} series={series} points={points} range={range} onShow={show} />
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keys */}
      <div className={styles.scroll} tabIndex={0} role="group" aria-label="Values of the sweep">
        <table>
          <caption className="visually-hidden">{label}: the outcome of each value</caption>
          <thead>
            <tr>
              <th scope="col">{range.parameter === 'theta' ? 'θ' : label}</th>
              <th scope="col">moved</th>
              <th scope="col">since previous value</th>
              <th scope="col">topics</th>
              <th scope="col">branches</th>
              <th scope="col">forks</th>
              <th scope="col">tokens</th>
              <th scope="col">
                <span className="visually-hidden">Differences</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {points.map((point, at) => (
              <tr key={point.value}>
                <th scope="row">{point.value}</th>
                <td>{point.moved}</td>
                <td>{at === 0 ? '–' : point.movedSince}</td>
                <td>{point.shape.topics}</td>
                <td>{point.shape.branches}</td>
                <td>{point.shape.forks}</td>
                <td>{count(point.shape.tokens)}</td>
                <td>
                  <button type="button" className={styles.show} disabled={busy} onClick={() => show(point)}>
                    Show<span className="visually-hidden"> {point.value}</span>
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
};

/** `as`: the conversation as it is. `comparable`: the same tokenizers counted its tokens. */
const seriesOf = (as: SweepPoint['shape'], comparable: boolean): readonly SweepSeries[] => [
  { name: 'Turns moved', of: ({ moved }) => moved, now: null, fromZero: true },
  { name: 'Topics', of: ({ shape }) => shape.topics, now: as.topics },
  { name: 'Branches', of: ({ shape }) => shape.branches, now: as.branches },
  { name: 'Forks', of: ({ shape }) => shape.forks, now: as.forks },
  { name: 'Tokens', of: ({ shape }) => shape.tokens, now: comparable ? as.tokens : null },
];

/** Maximum number of values per sweep. */
const MOST = 40;
/** Neither affects where turns go: k only what a trace keeps, patience only a model that hangs. */
const NOT_SWEPT = new Set(['k', 'patience']);
const SWEPT = FIELDS.filter((field) => field.kind === 'number' && !NOT_SWEPT.has(field.name));

/** Sets the range of one parameter over which to re-run the conversation. */
export const SweepSetup = ({ run, busy }: { run: WhatIfRun; busy: boolean }) => {
  const id = useId();
  const range = useStore(run.store, (state) => state.range);
  const [texts, setTexts] = useState<Partial<Record<'from' | 'to' | 'steps', string>>>({});
  const text = (end: 'from' | 'to' | 'steps', among = texts) => among[end] ?? String(range[end]);
  const read = (among = texts): Range => {
    const end = NUMBERS[range.parameter].whole ? typedWhole : typedNumber;
    return {
      ...range,
      from: end(text('from', among)),
      to: end(text('to', among)),
      steps: typedWhole(text('steps', among)),
    };
  };
  const wrong = wrongIn(read());
  const change = (end: 'from' | 'to' | 'steps', value: string) => {
    const next = { ...texts, [end]: value };
    setTexts(next);
    const asked = read(next);
    if (wrongIn(asked) === null) run.setRange(asked);
  };
  const input = (end: 'from' | 'to' | 'steps', label: string) => (
    <label>
      <Muted as="span">{label}</Muted>
      <input
        inputMode="decimal"
        autoComplete="off"
        disabled={busy}
        value={text(end)}
        aria-invalid={wrong !== null}
        aria-describedby={wrong === null ? undefined : `${id}-wrong`}
        onChange={({ target }) => change(end, target.value)}
      />
    </label>
  );
  return (
    <section className={styles.sweepSetupSweep} aria-label="Sweep">
      <Heading>Sweep one parameter</Heading>
      <div className={setupStyles.field}>
        <label htmlFor={id}>Parameter</label>
        <select
          id={id}
          disabled={busy}
          value={range.parameter}
          onChange={({ target }) => {
            setTexts({});
            run.setRange(rangeOf(target.value as SweptParameter));
          }}
        >
          {SWEPT.map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <div className={styles.range}>
        {input('from', 'From')}
        {input('to', 'To')}
        {input('steps', 'Values')}
      </div>
      {wrong !== null && (
        <small id={`${id}-wrong`} className={setupStyles.wrong}>
          {wrong}
        </small>
      )}
      <Button idle={busy} disabled={wrong !== null} onClick={() => void run.sweep()}>
        <ChartSpline size={14} aria-hidden />
        Sweep
      </Button>
    </section>
  );
};

/** Approximate values for parameters that default to none. */
const NOTHING: Partial<Record<SweptParameter, number>> = { memoryK: 10, threadThreshold: 0.2 };
const SMALL = 0.05;

/** A default range around the parameter's shipped value. */
const rangeOf = (parameter: SweptParameter): Range => {
  if (parameter === 'theta') return THETA_RANGE;
  const { least, most, whole } = NUMBERS[parameter];
  const shipped = defaultParameters[parameter] ?? NOTHING[parameter] ?? 1000;
  // Up to ten times a small value: a range from 0 to 1 would only cover values far from it.
  if (!whole) return { parameter, from: least, to: shipped < SMALL ? shipped * 10 : Math.min(1, most), steps: 11 };
  return { parameter, from: Math.max(least, Math.round(shipped / 5)), to: Math.min(most, shipped * 2), steps: 10 };
};

/** Why a range cannot be swept; null if it can. */
const wrongIn = ({ parameter, from, to, steps }: Range): string | null => {
  const { least, most, whole } = NUMBERS[parameter];
  const good = (value: number) => value >= least && value <= most && (!whole || Number.isInteger(value));
  if (!good(from) || !good(to)) {
    return `From and to must be ${whole ? 'whole numbers ' : ''}between ${least} and ${most.toLocaleString('en')}.`;
  }
  if (from === to) return 'From and to must differ.';
  return Number.isInteger(steps) && steps >= 2 && steps <= MOST ? null : `2 to ${MOST} values.`;
};

export interface SweepSeries {
  readonly name: string;
  readonly of: (point: SweepPoint) => number;
  /** The value for the conversation as it is; null if there is none that could be compared. */
  readonly now: number | null;
  readonly fromZero?: true;
}

const WIDTH = 260;
const HEIGHT = 104;
const PAD = { left: 40, right: 12, top: 10, bottom: 20 };

/** One figure over the values, drawn as far as the sweep has progressed. The table beside it shows the same. */
const SweepChart = ({
  series,
  points,
  range,
  onShow,
}: {
  series: SweepSeries;
  points: readonly SweepPoint[];
  range: Range;
  onShow: (point: SweepPoint) => void;
}) => {
  const { name, of, now, fromZero } = series;
  const values = [...points.map(of), ...(now === null ? [] : [now]), ...(fromZero ? [0] : [])];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = linear([range.from, range.to], [PAD.left, WIDTH - PAD.right]);
  const y = linear([low, high], [HEIGHT - PAD.bottom, PAD.top]);
  const line = lineThrough(points.map((point) => ({ x: x(point.value), y: y(of(point)) })));
  const step = Math.abs(WIDTH - PAD.left - PAD.right) / Math.max(1, valuesOf(range).length - 1);
  return (
    <figure className={styles.chart}>
      <figcaption>{name}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden>
        <line
          className={styles.axis}
          x1={PAD.left}
          x2={WIDTH - PAD.right}
          y1={HEIGHT - PAD.bottom}
          y2={HEIGHT - PAD.bottom}
        />
        <text className={styles.tick} x={PAD.left - 6} y={y(high) + 4} textAnchor="end">
          {count(high)}
        </text>
        {high !== low && (
          <text className={styles.tick} x={PAD.left - 6} y={y(low) + 4} textAnchor="end">
            {count(low)}
          </text>
        )}
        <text className={styles.tick} x={PAD.left} y={HEIGHT - 6}>
          {range.from}
        </text>
        <text className={styles.tick} x={WIDTH - PAD.right} y={HEIGHT - 6} textAnchor="end">
          {range.to}
        </text>
        {now !== null && (
          <line className={styles.now} x1={PAD.left} x2={WIDTH - PAD.right} y1={y(now)} y2={y(now)}>
            <title>current: {count(now)}</title>
          </line>
        )}
        <path className={styles.line} d={line} />
        {points.map((point) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: the table's buttons do the same
          <g key={point.value} className={styles.point} onClick={() => onShow(point)}>
            <rect x={x(point.value) - step / 2} y={0} width={step} height={HEIGHT} />
            <circle cx={x(point.value)} cy={y(of(point))} r={3.5} />
            <title>
              {point.value}: {count(of(point))}
            </title>
          </g>
        ))}
      </svg>
    </figure>
  );
};
