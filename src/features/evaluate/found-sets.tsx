import { count, counted } from '../../ui/parts/format.ts';
import type { EvaluationData } from './evaluation-port.ts';
import styles from './files.module.css';

/** The dialogues that were found, and how many of them the decider has seen before. */
export const FoundSets = ({ data: { sets, unlabelled } }: { data: EvaluationData }) => {
  return (
    <>
      {sets.length > 0 && (
        <table className={styles.sets}>
          <caption className="visually-hidden">Data sets found</caption>
          <thead>
            <tr>
              <th scope="col">Data set</th>
              <th scope="col">Dialogues</th>
              <th scope="col">Turns</th>
              <th scope="col">In training</th>
            </tr>
          </thead>
          <tbody>
            {sets.map(({ name, dialogues, turns, trained, mixed }) => (
              <tr key={name}>
                <th scope="row">
                  {name}
                  {mixed && <small>made from the trees above</small>}
                </th>
                <td>{count(dialogues)}</td>
                <td>{count(turns)}</td>
                <td>{count(trained)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {unlabelled > 0 && (
        <p className={styles.note}>
          {counted(unlabelled, 'conversation')} of NTM without labels: only the length of their contexts is measured.
        </p>
      )}
      {sets.length > 0 && <p className={styles.trained}>{trainedWords(sets)}</p>}
    </>
  );
};

/** Conversations that were put together from others are not counted twice. */
export const trainedWords = (sets: EvaluationData['sets']): string => {
  const own = sets.filter(({ mixed }) => !mixed);
  const dialogues = own.reduce((sum, set) => sum + set.dialogues, 0);
  const trained = own.reduce((sum, set) => sum + set.trained, 0);
  if (trained === 0) return `The shipped decider was trained on none of these ${counted(dialogues, 'dialogue')}.`;
  const some = trained === dialogues ? `all ${count(dialogues)}` : `${count(trained)} of these ${count(dialogues)}`;
  return `The shipped decider was trained on ${some} dialogues. It is measured on those with weights that were fitted without them.`;
};
