import { type CSSProperties, useMemo, useState } from 'react';
import { Segmented } from '../../ui/parts/fields.tsx';
import { count, counted } from '../../ui/parts/format.ts';
import { subjectName } from '../../ui/parts/policies.tsx';
import styles from './confusions.module.css';
import { DialogueView, Examples } from './decisions.tsx';
import type { EvaluatedDecision, Matrix, Measured } from './evaluation-port.ts';

interface Cell {
  readonly kind: Matrix['kind'];
  readonly labelled: string;
  readonly decided: string;
}

/** What one decider took for what; a cell leads to its decisions, and each of them to its dialogue. */
export const Confusions = ({ measured, dataset, mode }: { measured: Measured; dataset: string; mode: string }) => {
  const own = useMemo(
    () => measured.deciders.filter((subject) => measured.matrices({ dataset, mode, subject }).length > 0),
    [measured, dataset, mode],
  );
  const [asked, setAsked] = useState('');
  const subject = own.includes(asked) ? asked : (own[0] ?? '');
  const matrices = useMemo(() => measured.matrices({ dataset, mode, subject }), [measured, dataset, mode, subject]);
  const [cell, setCell] = useState<Cell | null>(null);
  const [opened, setOpened] = useState<{ decision: EvaluatedDecision; of: string } | null>(null);
  const run = `${mode} ${subject}`;
  const open = opened?.of === run ? opened.decision : null;

  const matrix = matrices.find(({ kind }) => kind === cell?.kind);
  const decisions =
    matrix?.cells[matrix.labelled.indexOf(cell?.labelled ?? '')]?.[matrix.decided.indexOf(cell?.decided ?? '')];
  const close = () => {
    setCell(null);
    setOpened(null);
  };
  const showsPanel = open !== null || (cell !== null && decisions !== undefined);
  return (
    <div className={styles.confusions} data-panel={showsPanel}>
      <div className={styles.matrices}>
        {own.length > 1 && (
          <div className={styles.deciders}>
            <Segmented
              label="Decider"
              options={own.map((value) => ({ value, label: subjectName(value) }))}
              value={subject}
              onChange={setAsked}
            />
          </div>
        )}
        {matrices.map((one) => (
          <HeatTable
            key={one.kind}
            matrix={one}
            chosen={cell?.kind === one.kind ? cell : null}
            onChoose={(labelled, decided) => {
              setCell({ kind: one.kind, labelled, decided });
              setOpened(null);
            }}
          />
        ))}
        {matrices.length === 0 && <p className={styles.note}>No decisions of this set were measured.</p>}
        {matrices.length > 0 && <p className={styles.note}>Choose a cell to see its decisions.</p>}
      </div>
      {open !== null ? (
        <DialogueView
          key={`${run} ${open.dialogue.id} ${open.turn}`}
          decision={open}
          decisions={measured.decisionsIn(open.dialogue, { dataset, mode, subject })}
          title={`${dataset} ${open.dialogue.id}`}
          mode={mode}
          onBack={() => setOpened(null)}
          onClose={close}
        />
      ) : (
        cell !== null &&
        decisions !== undefined && (
          <Examples
            key={`${run} ${cell.kind} ${cell.labelled} ${cell.decided}`}
            title={
              cell.labelled === cell.decided
                ? `${cell.labelled}, decided so`
                : `${cell.labelled}, decided as ${cell.decided}`
            }
            kind={cell.kind}
            decisions={decisions}
            onOpen={(decision) => setOpened({ decision, of: run })}
            onClose={close}
          />
        )
      )}
    </div>
  );
};

const TITLES: Readonly<Record<Matrix['kind'], string>> = {
  topic: 'Topic action',
  shift: 'Shift or not',
  branch: 'Branch action',
  relation: 'Relation to earlier turns',
};

/** A confusion matrix: rows are labels, columns are answers, each row shaded by its own shares. */
const HeatTable = ({
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
