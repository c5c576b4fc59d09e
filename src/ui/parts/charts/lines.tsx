import { useMemo } from 'react';
import styles from './lines.module.css';
import { dotsPath, linePath } from './paths.ts';
import type { Frame } from './plot.tsx';
import { type Bin, bins, linear } from './scale.ts';
import type { Series } from './series.ts';

/** Of so few turns each is a point on its line; one alone would hardly be seen. */
const FEW = 40;

interface Props {
  readonly frame: Frame;
  readonly series: readonly Series[];
  /** The value at the top. */
  readonly most: number;
  /** The turn whose values are marked; null is none. */
  readonly cursor: number | null;
}

/** A line for each series, the first over the rest. */
export const Lines = ({ frame, series, most, cursor }: Props) => {
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
