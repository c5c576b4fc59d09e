import { Download, FileText, Settings2 } from 'lucide-react';
import { useState } from 'react';
import { useActions } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { download } from '../../ui/parts/download.ts';
import { Segmented } from '../../ui/parts/fields.tsx';
import { count, counted } from '../../ui/parts/format.ts';
import { Confusions } from './confusions.tsx';
import page from './evaluate.module.css';
import type { DataSetSummary, Measured } from './evaluation-port.ts';
import { FigureTable } from './figure-table.tsx';
import { trainedWords } from './files.tsx';
import { NeedCurves } from './need-curves.tsx';
import styles from './results.module.css';

type Shown = 'figures' | 'confusions';

const SHOWN = [
  { value: 'figures', label: 'Figures' },
  { value: 'confusions', label: 'Confusions' },
] as const satisfies readonly { value: Shown; label: string }[];

const MODES: Readonly<Record<string, string>> = {
  'teacher-forced': 'every earlier turn stands where its label says',
  'free-running': 'every earlier turn stands where the engine itself put it',
};

/** What was measured, a data set at a time. */
export const Results = ({ measured, onSetup }: { measured: Measured; onSetup: () => void }) => {
  const { announce } = useActions();
  const [dataset, setDataset] = useState(measured.sets[0]?.name ?? '');
  const [mode, setMode] = useState(measured.modes[0] ?? '');
  const [shown, setShown] = useState<Shown>('figures');
  const set = measured.sets.find(({ name }) => name === dataset);
  const tables = measured.tables(dataset);
  const confusable = tables.some(({ kind }) => kind === 'decisions');
  const save = (name: string, text: string) => {
    download(name, text);
    announce(`Saved as ${name}.`);
  };
  return (
    <>
      <div className={styles.results}>
        <SetList sets={measured.sets} chosen={dataset} onChoose={setDataset} />
        <section className={styles.shown} aria-label={dataset}>
          <header className={styles.bar}>
            <div className={styles.of}>
              <h3>{dataset}</h3>
              {set !== undefined && <p>{setWords(set)}</p>}
            </div>
            {measured.modes.length > 0 && (
              <Segmented
                label="History"
                options={measured.modes.map((value) => ({ value, label: value }))}
                value={mode}
                onChange={setMode}
              />
            )}
            {confusable && <Segmented label="Show" options={SHOWN} value={shown} onChange={setShown} />}
          </header>
          {shown === 'confusions' && confusable ? (
            <Confusions key={dataset} measured={measured} dataset={dataset} mode={mode} />
          ) : (
            <div className={styles.scroll}>
              <p className={styles.reading}>
                {MODES[mode] !== undefined && `${mode}: ${MODES[mode]}. `}
                {trainedWords(measured.sets)}
              </p>
              {tables
                .filter((table) => table.mode === mode || table.mode === '')
                .map((table) => (
                  <FigureTable key={`${table.dataset} ${table.mode} ${table.kind}`} table={table} />
                ))}
              {(mode === 'free-running' || measured.modes.length === 0) && (
                <NeedCurves curves={measured.curves(dataset)} remark={measured.remark(dataset)} />
              )}
              <Legend measured={measured} dataset={dataset} />
            </div>
          )}
        </section>
      </div>
      <footer className={page.foot}>
        <p>
          {measured.notes.map((note) => (
            <span key={note}> {note}</span>
          ))}
        </p>
        <Button onClick={onSetup}>
          <Settings2 size={14} aria-hidden />
          Files and subjects
        </Button>
        <Button onClick={() => save('coppice-evaluation.md', measured.report())}>
          <FileText size={14} aria-hidden />
          Export report
        </Button>
        <Button look="primary" onClick={() => save('coppice-evaluation.json', measured.rowsFile())}>
          <Download size={14} aria-hidden />
          Export JSON
        </Button>
      </footer>
    </>
  );
};

const setWords = ({ dialogues, turns, trained }: Measured['sets'][number]): string =>
  [
    counted(dialogues, 'dialogue'),
    ...(turns === 0 ? [] : [counted(turns, 'turn')]),
    ...(trained === 0 ? [] : [`${count(trained)} in training`]),
  ].join(' · ');

/** The data sets: beside the figures where there is room, else one field above them. */
const SetList = ({
  sets,
  chosen,
  onChoose,
}: {
  sets: readonly DataSetSummary[];
  chosen: string;
  onChoose: (name: string) => void;
}) => (
  <>
    <nav aria-label="Data sets" className={styles.list}>
      {sets.map(({ name, dialogues }) => (
        <button key={name} type="button" aria-current={name === chosen} onClick={() => onChoose(name)}>
          <span>{name}</span>
          <small>{count(dialogues)}</small>
        </button>
      ))}
    </nav>
    <select
      aria-label="Data set"
      className={styles.oneOf}
      value={chosen}
      onChange={({ target }) => onChoose(target.value)}
    >
      {sets.map(({ name }) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  </>
);

/** What holds for every figure, and what each metric means: for those who neither point nor tab. */
const Legend = ({ measured, dataset }: { measured: Measured; dataset: string }) => {
  const definitions = new Map(
    measured
      .tables(dataset)
      .flatMap(({ metrics }) => metrics.map(({ name, definition }) => [name, definition] as const)),
  );
  return (
    <details className={styles.legend}>
      <summary>What the figures mean</summary>
      <ul>
        {measured.reading.map((line) => (
          <li key={line}>{marked(line)}</li>
        ))}
      </ul>
      <dl>
        {[...definitions].map(([name, definition]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{definition}.</dd>
          </div>
        ))}
      </dl>
    </details>
  );
};

/** The sentences are written for the report, in Markdown: `**bold**` and code. */
const marked = (line: string) =>
  line
    .replaceAll('`', '')
    .split('**')
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one sentence never change
    .map((piece, at) => (at % 2 === 1 ? <b key={at}>{piece}</b> : piece));
