import { FolderOpen } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { errorMessage } from '../../engine/model-failure.ts';
import { Button } from '../../ui/parts/button.tsx';
import { Select, useFilePicker } from '../../ui/parts/fields.tsx';
import { count, counted } from '../../ui/parts/format.ts';
import { droppedFiles, pathOf, useDropZone } from '../../ui/parts/hooks.ts';
import { Heading, Muted } from '../../ui/parts/text.tsx';
import styles from './files.module.css';
import type { EvaluationData, FileKind, GivenFile } from './in-page/evaluation-port.ts';

/** Drop target and pickers for files and folders; `disabled` pickers still let files be dropped. */
export const GiveFiles = ({
  small,
  disabled,
  onFiles,
  onUnreadable,
  children,
}: {
  small: boolean;
  disabled: boolean;
  onFiles: (files: readonly GivenFile[]) => void;
  onUnreadable: (message: string) => void;
  children?: ReactNode;
}) => {
  const give = (found: readonly File[]) => {
    if (found.length > 0) onFiles(pickedFiles(found));
  };
  const files = useFilePicker('Files', give, { multiple: true });
  const folder = useFilePicker('Folder', give, { folder: true });
  const zone = useDropZone((data) => {
    droppedFiles(data).then(give, (error: unknown) => onUnreadable(errorMessage(error)));
  });
  return (
    <div role="group" aria-label="Drop files or a folder" className={styles.drop} data-small={small} {...zone}>
      {!small && <FolderOpen size={26} strokeWidth={1.4} aria-hidden />}
      <p>{small ? 'Drop more here, or' : 'Drop a folder of labelled dialogues here, or individual files'}</p>
      <div className={styles.pick}>
        <Button
          look={small ? 'outline' : 'primary'}
          size={small ? 'small' : 'medium'}
          disabled={disabled}
          onClick={folder.pick}
        >
          Choose a folder
        </Button>
        <Button size={small ? 'small' : 'medium'} disabled={disabled} onClick={files.pick}>
          Choose files
        </Button>
      </div>
      {children}
      {files.input}
      {folder.input}
    </div>
  );
};

/** Picked or dropped files, to be read one at a time. */
export const pickedFiles = (files: Iterable<File>): GivenFile[] =>
  [...files].map((file) => ({ path: pathOf(file), size: file.size, text: () => file.text() }));

const LEAVE_OUT = '';

/** Asks the user for the kind of a file that could not be recognised, or to skip it. */
export const AskKind = ({
  path,
  kinds,
  disabled,
  onName,
}: {
  path: string;
  kinds: readonly FileKind[];
  disabled: boolean;
  onName: (path: string, kind: string | null) => Promise<void>;
}) => {
  const id = useId();
  return (
    <div className={styles.ask}>
      <label htmlFor={id}>
        What is <b>{path}</b>? Its folder, content and name don’t tell.
      </label>
      <Select
        id={id}
        disabled={disabled}
        value="ask"
        onChange={({ target }) => void onName(path, target.value === LEAVE_OUT ? null : target.value)}
      >
        <option value="ask" disabled>
          Choose…
        </option>
        {kinds.map(({ name, about }) => (
          <option key={name} value={name}>
            {about}
          </option>
        ))}
        <option value={LEAVE_OUT}>Skip this file</option>
      </Select>
    </div>
  );
};

/** The dialogues found, and how many of them the decider was trained on. */
interface FoundProps {
  readonly data: EvaluationData;
  readonly skipped: ReadonlySet<string>;
  readonly disabled: boolean;
  readonly onChoose: (name: string, measured: boolean) => void;
}

/** Whether there is anything to measure: unlabelled conversations show how contexts grow. */
export const measurable = ({ sets, unlabelled }: Pick<EvaluationData, 'sets' | 'unlabelled'>): boolean =>
  sets.length > 0 || unlabelled > 0;

export const FoundSets = ({ data: { sets, unlabelled }, skipped, disabled, onChoose }: FoundProps) => {
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
                  <label className={styles.set}>
                    <input
                      type="checkbox"
                      aria-label={`Measure ${name}`}
                      checked={!skipped.has(name)}
                      disabled={disabled}
                      onChange={({ target }) => onChoose(name, target.checked)}
                    />
                    {name}
                  </label>
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
        <Muted className={styles.note}>
          {counted(unlabelled, 'conversation')} from NTM without labels. Only the length of their contexts is measured.
        </Muted>
      )}
      {!measurable({ sets, unlabelled }) && (
        <Muted className={styles.note}>These files contain nothing that can be measured.</Muted>
      )}
      {sets.length > 0 && <p className={styles.trained}>{trainedWords(sets)}</p>}
    </>
  );
};

/** Conversations composed from others are not counted twice. */
export const trainedWords = (sets: EvaluationData['sets']): string => {
  const own = sets.filter(({ mixed }) => !mixed);
  const dialogues = own.reduce((sum, set) => sum + set.dialogues, 0);
  const trained = own.reduce((sum, set) => sum + set.trained, 0);
  if (dialogues === 0) return '';
  const one = dialogues === 1 && 'this dialogue';
  if (trained === 0)
    return `The embedded decider was not trained on ${one || `any of these ${count(dialogues)} dialogues`}.`;
  const some = trained === dialogues ? `all ${count(dialogues)}` : `${count(trained)} of these ${count(dialogues)}`;
  return `The embedded decider was trained on ${one || `${some} dialogues`}. On those, it is measured with weights fitted without them.`;
};

/** The supported kinds of files. */
export const Kinds = ({ kinds }: { kinds: readonly FileKind[] }) => (
  <div className={styles.kinds}>
    <Heading>Supported sets, in their public form</Heading>
    <dl>
      {kinds.map(({ name, about, files }) => (
        <div key={name}>
          <dt>{files}</dt>
          <dd>{about}</dd>
        </div>
      ))}
    </dl>
    <Muted className={styles.note}>
      A single file is recognised by its folder, its content or its name; otherwise you are asked.
    </Muted>
  </div>
);

/** From this many files on, the list is initially collapsed. */
const MANY = 4;

/** Skipped files, each with the reason. */
export const LeftOut = ({ files }: { files: EvaluationData['leftOut'] }) =>
  files.length > 0 && (
    <details className={styles.leftOut} open={files.length < MANY}>
      <summary>{counted(files.length, 'file')} left out</summary>
      <ul aria-label="Files left out">
        {files.map(({ path, why }) => (
          <li key={path}>
            <b>{path}</b>: {why}
          </li>
        ))}
      </ul>
    </details>
  );
