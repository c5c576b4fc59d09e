import { type KeyboardEvent, type PointerEvent, type ReactNode, useMemo, useRef } from 'react';
import { useWidth } from '../hooks.ts';
import styles from './plot.module.css';
import { type Bin, bins, dotsPath, linear, linePath, type Series, turnTicks } from './scale.ts';

/** Pixels around the drawing: for the values on the left, and the turns below. */
const LEFT = 48;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 22;

export interface PlotArea {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Pixels per turn. */
  readonly slot: number;
  /** The centre of a turn. */
  readonly x: (index: number) => number;
}

/** A level of the left axis, with its label. */
interface Level {
  readonly y: number;
  readonly words: string;
}

interface PlotProps {
  /** The accessible name of the slider over the turns. */
  readonly label: string;
  readonly numbers: readonly number[];
  readonly height: number;
  readonly cursor: number | null;
  readonly onCursor: (index: number | null) => void;
  /** On click or Enter. */
  readonly onOpen: (index: number) => void;
  /** A turn that stays chosen while others are hovered: clicks and arrow keys choose it. If absent, they move the cursor. */
  readonly chosen?: { readonly at: number; readonly onChoose: (index: number) => void };
  /** Everything the drawing shows about a turn, for screen readers. */
  readonly describe: (index: number) => string;
  readonly levels: (frame: PlotArea) => readonly Level[];
  readonly children: (frame: PlotArea) => ReactNode;
}

/**
 * A drawing over the turns, with one of them under the cursor: the pointer's, or that of the slider, which the arrow
 * keys move. A click or Enter opens the turn.
 */
export const Plot = (props: PlotProps) => {
  const { label, numbers, height, cursor, onCursor, onOpen, chosen, describe, levels, children } = props;
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const slot = numbers.length === 0 ? 0 : Math.max(0, width - LEFT - RIGHT) / numbers.length;
  const frame: PlotArea = {
    left: LEFT,
    right: Math.max(LEFT, width - RIGHT),
    top: TOP,
    bottom: height - BOTTOM,
    slot,
    x: (index) => LEFT + (index + 0.5) * slot,
  };
  const indexAt = (event: PointerEvent): number | null => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    if (slot === 0 || x < LEFT || x > frame.right) return null;
    return Math.min(numbers.length - 1, Math.floor((x - LEFT) / slot));
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || cursor === null) return;
    event.preventDefault();
    onOpen(cursor);
  };
  const held = chosen?.at ?? cursor ?? 0;
  return (
    <div ref={place} className={styles.plot} style={{ height }}>
      <svg
        aria-hidden
        width={width}
        height={height}
        onPointerMove={(event) => onCursor(indexAt(event))}
        // Lifting a finger also fires this event, but what it pointed at should stay.
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && onCursor(null)}
        onPointerUp={(event) => {
          const index = indexAt(event);
          if (index !== null && event.pointerType === 'mouse') onOpen(index);
          else if (index === null || chosen === undefined) onCursor(index);
          else chosen.onChoose(index);
        }}
      >
        {width > 0 && (
          <>
            <Axes frame={frame} numbers={numbers} levels={levels(frame)} />
            {children(frame)}
            {chosen !== undefined && <Upright className={styles.chosen} frame={frame} at={chosen.at} />}
            {cursor !== null && <Upright className={styles.cursor} frame={frame} at={cursor} />}
          </>
        )}
      </svg>
      <input
        type="range"
        className={styles.slider}
        aria-label={label}
        aria-valuetext={describe(held)}
        min={0}
        max={Math.max(0, numbers.length - 1)}
        value={held}
        onFocus={() => chosen === undefined && onCursor(held)}
        onChange={({ target }) => (chosen?.onChoose ?? onCursor)(Number(target.value))}
        onKeyDown={pressed}
      />
    </div>
  );
};

const Upright = ({ className, frame, at }: { className: string | undefined; frame: PlotArea; at: number }) => (
  <line className={className} x1={frame.x(at)} x2={frame.x(at)} y1={frame.top} y2={frame.bottom} />
);

const Axes = ({
  frame,
  numbers,
  levels,
}: {
  frame: PlotArea;
  numbers: readonly number[];
  levels: readonly Level[];
}) => {
  const { left, right, bottom } = frame;
  return (
    <g className={styles.axes}>
      {levels.map(({ y, words }) => (
        <g key={words}>
          <line x1={left} x2={right} y1={y} y2={y} />
          <text x={left - 8} y={y} textAnchor="end" dominantBaseline="central">
            {words}
          </text>
        </g>
      ))}
      {turnTicks(numbers, right - left).map((index) => (
        <text key={index} x={frame.x(index)} y={bottom + 14} textAnchor="middle">
          {numbers[index]}
        </text>
      ))}
    </g>
  );
};

/** Up to this many turns, each is drawn as a dot on its line; a lone one would hardly be visible. */
const FEW = 40;

interface LinesProps {
  readonly frame: PlotArea;
  readonly series: readonly Series[];
  /** The value at the top. */
  readonly most: number;
  /** The turn whose values are marked; null for none. */
  readonly cursor: number | null;
}

/** A line per series, the first one on top. */
export const Lines = ({ frame, series, most, cursor }: LinesProps) => {
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

/** A sample of a line, for the legend. */
export const Swatch = ({ colour, dash, strong }: Pick<Series, 'colour' | 'dash' | 'strong'>) => (
  <svg aria-hidden width="20" height="8">
    <line x1="0" x2="20" y1="4" y2="4" stroke={colour} strokeWidth={strong === true ? 2.5 : 2} strokeDasharray={dash} />
  </svg>
);
