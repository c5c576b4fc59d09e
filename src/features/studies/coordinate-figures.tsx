import { useEffect, useState } from 'react';
import { clamp } from '../../domain/numbers.ts';
import { errorMessage } from '../../engine/model-failure.ts';
import { askWorker } from '../../engine/tasks.ts';
import { FramedTable } from '../../ui/parts/figure-tables.tsx';
import { count } from '../../ui/parts/format.ts';
import { Tooltip } from '../../ui/parts/tooltip.tsx';
import styles from './coordinate.module.css';
import type { FiguresAnswer, FiguresRequest } from './figures-worker.ts';
import { leastShown, MEASURES, type StudyFigure } from './study-figures.ts';

/** One measure per row, one comparison per column; `figures` is null while they are computed. */
export const FiguresTable = ({
  label,
  columns,
  figures,
}: {
  label: string;
  columns: readonly { readonly title: string; readonly about: string }[];
  figures: readonly (readonly StudyFigure[])[] | null;
}) => {
  const least = leastShown(figures?.flat() ?? []);
  return (
    <FramedTable label={label} busy={figures === null} className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Measure</th>
          {columns.map(({ title, about }) => (
            <th key={title} scope="col">
              {title}
              <small>{about}</small>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {MEASURES.map(({ id, title, definition }, row) => (
          <tr key={id} data-lead={row === 0}>
            <th scope="row">
              <Tooltip text={definition}>
                <button type="button" className={styles.explained}>
                  {title}
                </button>
              </Tooltip>
            </th>
            {columns.map((column, at) => {
              const figure = figures?.[at]?.[row];
              return (
                <td key={column.title}>{figure === undefined ? '…' : <FigureCell figure={figure} least={least} />}</td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </FramedTable>
  );
};

const FigureCell = ({ figure: { value, interval, n }, least }: { figure: StudyFigure; least: number }) =>
  typeof value === 'number' ? (
    <span className={styles.figure}>
      <b>{value.toFixed(3)}</b>
      <Span value={value} interval={interval} least={least} />
      <small>
        {interval === null ? 'no interval: one dialogue' : `${interval[0].toFixed(2)}–${interval[1].toFixed(2)}`} · n{' '}
        {count(n)}
      </small>
    </span>
  ) : (
    <span className={styles.undefined}>undefined, because {value.because}</span>
  );

/** A figure between `least` and 1, drawn with its interval; 0 is marked where that is not the beginning. */
const Span = ({ value, interval, least }: { value: number; interval: StudyFigure['interval']; least: number }) => {
  const [low, high] = interval ?? [value, value];
  const percent = (part: number) => `${100 * clamp((part - least) / (1 - least), 0, 1)}%`;
  return (
    <span className={styles.track} aria-hidden>
      {least < 0 && <em style={{ left: percent(0) }} />}
      <span style={{ left: percent(low), width: `calc(${percent(high)} - ${percent(low)})` }} />
      <i style={{ left: percent(value) }} />
    </span>
  );
};

/** Computes figures in a dedicated worker; rejects if the signal is aborted. */
export const askFigures = (request: FiguresRequest, signal: AbortSignal): Promise<FiguresAnswer> => {
  const worker = new Worker(new URL('./figures-worker.ts', import.meta.url), { type: 'module', name: 'figures' });
  return askWorker(worker, request, { failed: 'Could not calculate the figures.', signal });
};

type Figures =
  | { readonly state: 'working' }
  | { readonly state: 'done'; readonly of: FiguresRequest; readonly figures: FiguresAnswer }
  | { readonly state: 'failed'; readonly why: string };

/** The figures of a request, which must keep its identity until something new is asked. */
export const useFigures = (request: FiguresRequest): Figures => {
  const [figures, setFigures] = useState<Figures>({ state: 'working' });
  useEffect(() => {
    const gone = new AbortController();
    askFigures(request, gone.signal).then(
      (found) => setFigures({ state: 'done', of: request, figures: found }),
      (error: unknown) => !gone.signal.aborted && setFigures({ state: 'failed', why: errorMessage(error) }),
    );
    return () => gone.abort();
  }, [request]);
  return figures.state === 'done' && figures.of !== request ? { state: 'working' } : figures;
};
