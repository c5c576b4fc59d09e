import type { CSSProperties } from 'react';
import { count, counted } from '../../ui/parts/format.ts';
import styles from './confusions.module.css';
import type { Matrix } from './evaluation-port.ts';

const TITLES: Readonly<Record<Matrix['kind'], string>> = {
  topic: 'Topic action',
  shift: 'Shift or not',
  branch: 'Branch action',
  relation: 'Relation to earlier turns',
};

/** A confusion matrix: rows are labels, columns are answers, each row shaded by its own shares. */
export const HeatTable = ({
  matrix: { kind, labelled, decided, cells },
  chosen,
  onChoose,
}: {
  matrix: Matrix;
  chosen: { readonly labelled: string; readonly decided: string } | null;
  onChoose: (labelled: string, decided: string) => void;
}) => (
  <figure className={styles.matrix}>
    <table className={styles.heat}>
      <caption>{TITLES[kind]}</caption>
      <thead>
        <tr>
          <td>
            <span>labelled ↓</span> <span>decided →</span>
          </td>
          {decided.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {labelled.map((gold, row) => {
          const all = cells[row]?.reduce((sum, cell) => sum + cell.length, 0) ?? 0;
          return (
            <tr key={gold}>
              <th scope="row">
                {gold}
                <small className={styles.total}>{count(all)}</small>
              </th>
              {decided.map((answer, column) => {
                const own = cells[row]?.[column]?.length ?? 0;
                const share = all === 0 ? 0 : own / all;
                return (
                  <td key={answer}>
                    {own === 0 ? (
                      <span className={styles.none}>0</span>
                    ) : (
                      <button
                        type="button"
                        className={styles.cell}
                        aria-label={`${gold} decided as ${answer}: ${counted(own, 'decision')}`}
                        aria-pressed={chosen?.labelled === gold && chosen.decided === answer}
                        data-right={gold === answer}
                        style={{ '--share': share } as CSSProperties}
                        onClick={() => onChoose(gold, answer)}
                      >
                        <b>{count(own)}</b>
                        <small>{Math.round(100 * share)} %</small>
                      </button>
                    )}
                  </td>
                );
              })}
            </tr>
          );
        })}
      </tbody>
    </table>
  </figure>
);
