import { count } from '../../ui/parts/format.ts';
import { subjectName } from '../../ui/parts/policies.tsx';
import { Tooltip } from '../../ui/parts/tooltip.tsx';
import type { Figure, FigureTable as Table } from './evaluation-port.ts';
import styles from './figure-table.module.css';

/** What everything else in a table is compared with. */
const CHOSEN = new Set(['learned', 'context-agent']);

/** Figures with their intervals: a metric a line, a subject a column, the chosen one first. */
export const FigureTable = ({ table: { dataset, mode, kind, subjects, metrics } }: { table: Table }) => {
  const part = partWords(dataset);
  const title = [dataset, kind, mode].filter((part) => part !== '').join(', ');
  return (
    <section className={styles.part} aria-label={title}>
      <h4>
        {kind === 'contexts' ? 'Contexts' : 'Decisions'}
        {part !== '' && <span className={styles.aside}> {part}</span>}
        {mode === '' && <span className={styles.aside}> as conversations grow</span>}
      </h4>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keys */}
      <div className={styles.frame} role="region" aria-label={`Table: ${title}`} tabIndex={0}>
        <table className={styles.table}>
          <caption className="visually-hidden">{title}</caption>
          <thead>
            <tr>
              <th scope="col">metric</th>
              <th scope="col">n</th>
              {subjects.map((subject) => (
                <th key={subject} scope="col" data-chosen={CHOSEN.has(subject)}>
                  {subjectName(subject)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {metrics.map(({ name, definition, unit, figures }) => {
              const known = figures.flatMap((figure) => figure ?? []);
              const common = known.every(({ n }) => n === known[0]?.n) ? known[0]?.n : undefined;
              const most = Math.max(unit === 'share' ? 1 : 0, ...known.map(({ high }) => high));
              return (
                <tr key={name}>
                  <th scope="row">
                    <Tooltip text={definition}>
                      <button type="button" className={styles.metric}>
                        {name}
                      </button>
                    </Tooltip>
                  </th>
                  <td className={styles.n}>{common === undefined ? '' : count(common)}</td>
                  {figures.map((figure, at) => (
                    <td key={subjects[at]} data-chosen={CHOSEN.has(subjects[at] ?? '')}>
                      {figure === null ? (
                        <span className={styles.none}>–</span>
                      ) : (
                        <Cell figure={figure} unit={unit} most={most} withN={common === undefined} />
                      )}
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
};

const Cell = ({
  figure,
  unit,
  most,
  withN,
}: {
  figure: Figure;
  unit: 'share' | 'tokens';
  most: number;
  withN: boolean;
}) => {
  const { left, width, dot } = spanOf(figure, most);
  return (
    <div className={styles.cell}>
      <b>{figureText(figure.value, unit)}</b>
      <span className={styles.track} aria-hidden>
        <span style={{ left: `${left}%`, width: `${width}%` }} />
        <i style={{ left: `${dot}%` }} />
      </span>
      <small>
        {figureText(figure.low, unit)}–{figureText(figure.high, unit)}
        {withN && ` · n ${count(figure.n)}`}
      </small>
    </div>
  );
};

/** `0.61`, or `1,204` tokens. */
export const figureText = (value: number, unit: 'share' | 'tokens'): string =>
  unit === 'tokens' ? count(value) : value.toFixed(2);

/** Which of a set's dialogues or turns a table is of; empty for all. */
export const partWords = (dataset: string): string =>
  Object.entries(PARTS).find(([end]) => dataset.endsWith(end))?.[1] ?? '';

const PARTS = {
  '-undisputed': 'where the annotators agreed',
  '-en': 'in English',
  '-other': 'in other languages',
};

/** Where an interval and its figure lie between 0 and the most, in percent. */
export const spanOf = ({ value, low, high }: Figure, most: number) => {
  const percent = (part: number) => (most === 0 ? 0 : Math.round((1000 * part) / most) / 10);
  return { left: percent(low), width: percent(high - low), dot: percent(value) };
};
