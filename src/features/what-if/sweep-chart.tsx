import { count } from '../../ui/parts/format.ts';
import styles from './sweep.module.css';
import type { Range, SweepPoint } from './sweep.ts';

export interface Series {
  readonly name: string;
  readonly of: (point: SweepPoint) => number;
  /** As the conversation is; null where it is 0 by definition. */
  readonly now: number | null;
}

const WIDTH = 260;
const HEIGHT = 104;
const PAD = { left: 40, right: 12, top: 10, bottom: 20 };

/** One figure over the values, drawn as far as the sweep has come. The table beside it says the same. */
export const SweepChart = ({
  series,
  points,
  range,
  onShow,
}: {
  series: Series;
  points: readonly SweepPoint[];
  range: Range;
  onShow: (point: SweepPoint) => void;
}) => {
  const { name, of, now } = series;
  const values = [...points.map(of), ...(now === null ? [0] : [now])];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const span = high - low || 1;
  const x = (value: number) =>
    PAD.left + ((value - range.from) / (range.to - range.from || 1)) * (WIDTH - PAD.left - PAD.right);
  const y = (value: number) =>
    high === low
      ? (PAD.top + HEIGHT - PAD.bottom) / 2
      : HEIGHT - PAD.bottom - ((value - low) / span) * (HEIGHT - PAD.top - PAD.bottom);
  const line = points.map((point, at) => `${at === 0 ? 'M' : 'L'}${x(point.value)} ${y(of(point))}`).join('');
  const step = Math.abs(WIDTH - PAD.left - PAD.right) / Math.max(1, range.steps - 1);
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
            <title>as it is: {count(now)}</title>
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
