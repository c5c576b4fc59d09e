import { useMemo } from 'react';
import { useActions } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { FramedTable } from '../../ui/parts/figure-tables.tsx';
import { count, counted } from '../../ui/parts/format.ts';
import { Muted, Note, Row } from '../../ui/parts/text.tsx';
import { Tooltip } from '../../ui/parts/tooltip.tsx';
import styles from './coordinate.module.css';
import {
  type Coordination,
  eventsOf,
  FAST,
  type LabellingProgress,
  type PersonRow,
  peopleTable,
  withLatestLabels,
} from './coordinate-data.ts';
import { labelsOf } from './label-events.ts';
import { progressWords, workedWords } from './label-words.ts';
import { codesOf, everybodyLabelsAll } from './study.ts';

/** How much each person did, how fast, and how well where that is known. */
export const PeoplePage = ({ shelf, kept, events, mode, look }: Coordination) => {
  const { study, leftOut } = kept;
  const { reportFailure } = useActions();
  const rows = useMemo(() => peopleTable(study, events, mode), [study, events, mode]);
  const missing = everybodyLabelsAll(study)
    ? []
    : codesOf(study).filter((code) => !leftOut.includes(code) && rows.every((row) => row.person !== code));
  const leaveOut = (made: (before: readonly string[]) => string[]) =>
    void shelf
      .change(kept.id, ({ leftOut: before }) => ({ leftOut: made(before) }))
      .catch((error: unknown) => reportFailure('Saving who is left out', error));
  const absent = leftOut.length > 0 && (
    <Row className={styles.note}>
      <Muted>Left out of everything here:</Muted>
      {leftOut.map((person) => (
        <Button key={person} size="small" onClick={() => leaveOut((before) => before.filter((one) => one !== person))}>
          Take {person} in again
        </Button>
      ))}
    </Row>
  );
  if (rows.length === 0) {
    return (
      <Note>
        <b>No labels yet.</b>
        <p>
          Send the study file to your annotators. They open it in Studies, label, and send back a label file. Drop those
          files here as often as you like. Nothing is counted twice.
        </p>
        {absent}
      </Note>
    );
  }
  const dialogues = study.dialogues;
  const openDialogue = ({ person }: PersonRow, { dialogue }: LabellingProgress) =>
    look({
      title: `${person}, ${dialogue.name}`,
      turns: dialogue.turns.map((_, turn) => ({ dialogue: dialogue.id, turn })),
      people: [person],
      ...(dialogue.part === 'training' && {
        dialogues: withLatestLabels(dialogues, eventsOf(events, ['training', 'norming'], mode)),
      }),
    });
  const openGuesses = ({ person, guesses }: PersonRow) =>
    look({ title: `${person}, in less than ${FAST / 1000} s`, turns: guesses });
  const openGold = ({ person }: PersonRow) => {
    const golds = new Map(dialogues.filter(({ part }) => part === 'work').map(({ id, gold }) => [id, gold]));
    const wrong = labelsOf(eventsOf(events, ['work'], mode)).filter((event) => {
      const gold = golds.get(event.dialogue)?.[event.turn];
      return event.person === person && gold != null && event.label !== null && event.label.parent !== gold.parent;
    });
    look({ title: `${person}, differs from the gold`, turns: wrong.map(({ dialogue, turn }) => ({ dialogue, turn })) });
  };
  return (
    <div className={styles.scroll}>
      <FramedTable label="people and dialogues" caption="People and dialogues" className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Person</th>
            <th scope="col">Done</th>
            <th scope="col">Time</th>
            <Explained words="Their median time per label, excluding training. Fast and slow mean at most half or at least twice the median of everybody’s.">
              A label
            </Explained>
            <Explained words={`Labels given in under ${FAST / 1000} seconds, too fast to have read the turn.`}>
              Fast guesses
            </Explained>
            <Explained words="Turns with hidden gold, unknown to them, that got the right parent.">
              Gold right
            </Explained>
            <Explained words="Training turns that ended with the right parent.">Training</Explained>
            {dialogues.map(({ id, name, part }) => (
              <th key={id} scope="col" className={styles.dialogue} title={name}>
                {name}
                {part === 'training' && <small>training</small>}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.person}>
              <th scope="row">{row.person}</th>
              <td>
                <b>{progressWords(row)}</b>
                <small>
                  {count(row.labelled)} of {count(row.of)}
                </small>
              </td>
              <td>{workedWords(row.worked)}</td>
              <td>
                {row.pace === null ? '–' : `${(row.pace / 1000).toFixed(1)} s`}
                {row.outlier !== null && <small className={styles.warn}>{row.outlier}</small>}
              </td>
              <td>
                {row.guesses.length === 0 ? (
                  '0'
                ) : (
                  <button
                    type="button"
                    className={styles.cell}
                    aria-label={`${row.person}: ${counted(row.guesses.length, 'fast guess', 'fast guesses')}`}
                    onClick={() => openGuesses(row)}
                  >
                    {count(row.guesses.length)}
                  </button>
                )}
              </td>
              <td>
                {row.gold.of === 0 ? (
                  '–'
                ) : row.gold.right === row.gold.of ? (
                  shareWords(row.gold)
                ) : (
                  <button
                    type="button"
                    className={styles.cell}
                    aria-label={`${row.person}: gold right ${shareWords(row.gold)}`}
                    onClick={() => openGold(row)}
                  >
                    {shareWords(row.gold)}
                  </button>
                )}
              </td>
              <td>{row.training.of === 0 ? '–' : shareWords(row.training)}</td>
              {row.cells.map((cell) => (
                <td key={cell.dialogue.id}>
                  <WorkCell row={row} cell={cell} onOpen={() => openDialogue(row, cell)} />
                </td>
              ))}
              <td>
                <Button
                  look="quiet"
                  size="small"
                  aria-label={`Leave out ${row.person}`}
                  title="Their labels count for nothing here until you take them in again"
                  onClick={() => leaveOut((before) => [...new Set([...before, row.person])])}
                >
                  Leave out
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </FramedTable>
      {absent}
      {missing.length > 0 && <Muted className={styles.note}>Nothing from {missing.join(', ')} yet.</Muted>}
    </div>
  );
};

const Explained = ({ words, children }: { words: string; children: string }) => (
  <th scope="col">
    <Tooltip text={words}>
      <button type="button" className={styles.explained}>
        {children}
      </button>
    </Tooltip>
  </th>
);

const WorkCell = ({
  row: { person },
  cell: { dialogue, assigned, labelled, flagged },
  onOpen,
}: {
  row: PersonRow;
  cell: LabellingProgress;
  onOpen: () => void;
}) => {
  const of = dialogue.turns.length;
  if (labelled === 0 && flagged === 0) return <span className={styles.none}>{assigned ? `0 of ${of}` : ''}</span>;
  const flags = flagged === 0 ? '' : `, ${flagged} flagged`;
  return (
    <button
      type="button"
      className={styles.cell}
      data-done={labelled === of}
      aria-label={`${person}, ${dialogue.name}: ${labelled} of ${of}${flags}`}
      onClick={onOpen}
    >
      {labelled === of ? 'done' : `${labelled} of ${of}`}
      {flagged > 0 && <small>{flagged} flagged</small>}
    </button>
  );
};

const shareWords = ({ right, of }: { right: number; of: number }): string => `${right} of ${of}`;
