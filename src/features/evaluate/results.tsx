import { Download, FileText, Settings2 } from 'lucide-react';
import { useState } from 'react';
import { clamp } from '../../domain/numbers.ts';
import { useActions } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { Swatch } from '../../ui/parts/charts/plot.tsx';
import { linear, lineThrough } from '../../ui/parts/charts/scale.ts';
import { download } from '../../ui/parts/download.ts';
import { Segmented } from '../../ui/parts/fields.tsx';
import { FigureSection, FramedTable } from '../../ui/parts/figure-tables.tsx';
import { count, counted } from '../../ui/parts/format.ts';
import { policyLook, subjectName } from '../../ui/parts/policies.tsx';
import { Ellipsis, Heading, Muted } from '../../ui/parts/text.tsx';
import { Tooltip } from '../../ui/parts/tooltip.tsx';
import { Confusions } from './decisions.tsx';
import stylesOfDialog from './evaluate-dialog.module.css';
import stylesOfTable from './figure-table.module.css';
import { trainedWords } from './files.tsx';
import type {
  DataSetSummary,
  Measurements,
  MetricEstimate,
  NeedCurve,
  FigureTable as Table,
} from './in-page/evaluation-port.ts';
import stylesOfCurves from './need-curves.module.css';
import styles from './results.module.css';

type ResultsView = 'figures' | 'confusions';

const SHOWN = [
  { value: 'figures', label: 'Figures' },
  { value: 'confusions', label: 'Confusions' },
] as const satisfies readonly { value: ResultsView; label: string }[];

const MODES: Readonly<Record<string, string>> = {
  'teacher-forced': 'every earlier turn stands where its label says',
  'free-running': 'every earlier turn stands where the engine itself put it',
};

const NOTHING_MEASURED =
  'Nothing of this set was measured. Some sets need deciders, others policies: choose both. Without labels, only conversations of ten turns or more are measured.';

/** The results, one data set at a time. */
export const Results = ({ measured, onSetup }: { measured: Measurements; onSetup: () => void }) => {
  const { announce } = useActions();
  const [dataset, setDataset] = useState(measured.sets[0]?.name ?? '');
  const [wanted, setMode] = useState('');
  const [shown, setShown] = useState<ResultsView>('figures');
  const set = measured.sets.find(({ name }) => name === dataset);
  const tables = measured.tables(dataset);
  const modes = measured.modes.filter((value) => tables.some((table) => table.mode === value));
  const mode = modes.find((value) => value === wanted) ?? modes[0] ?? '';
  const curves = measured.curves(dataset);
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
              <Heading size="large">{dataset}</Heading>
              {set !== undefined && <p>{setWords(set)}</p>}
            </div>
            {modes.length > 0 && (
              <Segmented
                label="History"
                options={modes.map((value) => ({ value, label: value }))}
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
              <Muted className={styles.reading}>
                {MODES[mode] !== undefined && `${mode}: ${MODES[mode]}. `}
                {trainedWords(measured.sets)}
              </Muted>
              {tables
                .filter((table) => table.mode === mode || table.mode === '')
                .map((table) => (
                  <FigureTable key={`${table.dataset} ${table.mode} ${table.kind}`} table={table} />
                ))}
              {(mode === 'free-running' || modes.length === 0) && (
                <NeedCurves curves={curves} remark={measured.remark(dataset)} />
              )}
              {tables.length === 0 && curves.length === 0 ? (
                <Muted>{NOTHING_MEASURED}</Muted>
              ) : (
                <Legend measured={measured} dataset={dataset} />
              )}
            </div>
          )}
        </section>
      </div>
      <footer className={stylesOfDialog.foot}>
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

const setWords = ({ dialogues, turns, trained }: Measurements['sets'][number]): string =>
  [
    counted(dialogues, 'dialogue'),
    ...(turns === 0 ? [] : [counted(turns, 'turn')]),
    ...(trained === 0 ? [] : [`${count(trained)} in training`]),
  ].join(' · ');

/** The data sets: beside the figures if there is room, otherwise one field above them. */
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
          <Ellipsis fit>{name}</Ellipsis>
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

/** The notes on all figures and the definition of each metric, for users who neither hover nor tab. */
const Legend = ({ measured, dataset }: { measured: Measurements; dataset: string }) => {
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

/** Renders sentences written for the Markdown report: `**bold**` and code. */
const marked = (line: string) =>
  line
    .replaceAll('`', '')
    .split('**')
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one sentence never change
    .map((piece, at) => (at % 2 === 1 ? <b key={at}>{piece}</b> : piece));

/** The subjects that all others in a table are compared with. */
const CHOSEN = new Set(['learned', 'context-agent']);

/** Figures with their intervals: one metric per row, one subject per column, the chosen subject first. */
const FigureTable = ({ table: { dataset, mode, kind, subjects, metrics } }: { table: Table }) => {
  const part = partWords(dataset);
  const title = [dataset, kind, mode].filter((part) => part !== '').join(', ');
  return (
    <FigureSection
      label={title}
      title={kind === 'contexts' ? 'Contexts' : 'Decisions'}
      aside={[part, mode === '' ? 'as conversations grow' : ''].join(' ').trim()}
    >
      <FramedTable label={title} className={stylesOfTable.table}>
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
            const most = scaleEnd(known, unit);
            return (
              <tr key={name}>
                <th scope="row">
                  <Tooltip text={definition}>
                    <button type="button" className={stylesOfTable.metric}>
                      {name}
                    </button>
                  </Tooltip>
                </th>
                <td className={stylesOfTable.n}>{common === undefined ? '' : count(common)}</td>
                {figures.map((figure, at) => (
                  <td key={subjects[at]} data-chosen={CHOSEN.has(subjects[at] ?? '')}>
                    {figure === null ? (
                      <span className={stylesOfTable.none}>–</span>
                    ) : (
                      <Cell figure={figure} unit={unit} most={most} withN={common === undefined} />
                    )}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </FramedTable>
    </FigureSection>
  );
};

const Cell = ({
  figure,
  unit,
  most,
  withN,
}: {
  figure: MetricEstimate;
  unit: 'share' | 'tokens';
  most: number;
  withN: boolean;
}) => {
  const { left, width, dot } = spanOf(figure, most);
  return (
    <div className={stylesOfTable.cell}>
      <b>{figureText(figure.value, unit)}</b>
      <span className={stylesOfTable.track} aria-hidden>
        <span style={{ left: `${left}%`, width: `${width}%` }} />
        <i style={{ left: `${dot}%` }} />
      </span>
      <small>{[intervalText(figure, unit), withN ? `n ${count(figure.n)}` : ''].filter(Boolean).join(' · ')}</small>
    </div>
  );
};

/** `0.61`, or `1,204` tokens. */
export const figureText = (value: number, unit: 'share' | 'tokens'): string =>
  unit === 'tokens' ? count(value) : value.toFixed(2);

/** `0.52–0.70`; empty over a single dialogue, which has none. */
export const intervalText = ({ low, high }: MetricEstimate, unit: 'share' | 'tokens'): string =>
  Number.isNaN(low) ? '' : `${figureText(low, unit)}–${figureText(high, unit)}`;

/** The part of a set's dialogues or turns that a table covers; empty for all. */
export const partWords = (dataset: string): string =>
  Object.entries(PARTS).find(([end]) => dataset.endsWith(end))?.[1] ?? '';

const PARTS = {
  '-undisputed': 'where the annotators agreed',
  '-en': 'in English',
  '-other': 'in other languages',
};

/** The end of the scale that a row's figures are drawn on. A figure without an interval reaches as far as its value. */
export const scaleEnd = (figures: readonly MetricEstimate[], unit: 'share' | 'tokens'): number =>
  Math.max(unit === 'share' ? 1 : 0, ...figures.map(({ value, high }) => (Number.isNaN(high) ? value : high)));

/** Position of an interval, if any, and its figure between 0 and the maximum, in percent. */
export const spanOf = ({ value, low, high }: MetricEstimate, most: number) => {
  const percent = (part: number) => (most === 0 ? 0 : Math.round((1000 * part) / most) / 10);
  const [from, to] = Number.isNaN(low) ? [value, value] : [low, high];
  return { left: percent(from), width: percent(to - from), dot: percent(value) };
};

const WIDTH = 320;
const HEIGHT = 176;
const PAD = { left: 32, right: 12, top: 8, bottom: 20 };
const LEVELS = [0, 0.25, 0.5, 0.75, 1];
/** In percent, a little beyond the full history because some policies send more. */
const WIDEST = 150;

/** Coverage of needs by budget; the tables below the charts show the same data. */
const NeedCurves = ({ curves, remark }: { curves: readonly NeedCurve[]; remark: string | null }) => {
  if (curves.length === 0 && remark === null) return null;
  const subjects = [...new Set(curves.flatMap(({ lines }) => lines.map(({ subject }) => subject)))];
  return (
    <section className={stylesOfCurves.part} aria-label="By size">
      {curves.length > 0 && (
        <>
          <Heading level={4}>By size</Heading>
          <p className={stylesOfCurves.about}>
            The horizontal axis shows what a policy may send, as a percentage of the full history’s tokens. A ring marks
            the policy’s natural size.
          </p>
          <ul className={stylesOfCurves.legend}>
            {subjects.map((subject) => (
              <li key={subject}>
                <Swatch {...policyLook(subject)} />
                {subjectName(subject)}
              </li>
            ))}
          </ul>
          <div className={stylesOfCurves.curves}>
            {curves.map((curve) => (
              <Curve key={`${curve.dataset} ${curve.metric}`} curve={curve} />
            ))}
          </div>
        </>
      )}
      {remark !== null && <p className={stylesOfCurves.remark}>{remark.replaceAll('`', '')}</p>}
    </section>
  );
};

export const Curve = ({ curve }: { curve: NeedCurve }) => {
  const { title, lines, oracle } = curve;
  // Some policies have a size of their own only.
  const budgets = [...new Set(lines.flatMap(({ points }) => points.map(({ x }) => x)))].toSorted((a, b) => a - b);
  const least = budgets[0] ?? 1;
  // Logarithmic, so that policies that send little can be told apart.
  const logs = linear([Math.log(least), Math.log(WIDEST)], [PAD.left, WIDTH - PAD.right]);
  const x = (percent: number) => logs(Math.log(clamp(percent, least, WIDEST)));
  const y = linear([0, 1], [HEIGHT - PAD.bottom, PAD.top]);
  return (
    <figure className={stylesOfCurves.curve}>
      <figcaption>{title}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden>
        {LEVELS.map((level) => (
          <g key={level}>
            <line className={stylesOfCurves.axis} x1={PAD.left} x2={WIDTH - PAD.right} y1={y(level)} y2={y(level)} />
            <text x={PAD.left - 6} y={y(level) + 4} textAnchor="end">
              {level}
            </text>
          </g>
        ))}
        {budgets.map((budget) => (
          <text key={budget} x={x(budget)} y={HEIGHT - 5} textAnchor="middle">
            {budget}
          </text>
        ))}
        {oracle !== null && (
          <line className={stylesOfCurves.oracle} x1={x(oracle)} x2={x(oracle)} y1={y(0)} y2={y(1)}>
            <title>Cost of an oracle that sends exactly the path</title>
          </line>
        )}
        {lines.map(({ subject, points, own }) => {
          const { colour, dash } = policyLook(subject);
          const path = lineThrough(points.map((point) => ({ x: x(point.x), y: y(point.y) })));
          return (
            <g key={subject} stroke={colour}>
              <path d={path} strokeDasharray={dash} />
              {own !== null && <circle cx={x(own.x)} cy={y(own.y)} r={4} />}
            </g>
          );
        })}
      </svg>
      <details>
        <summary>As a table</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keys */}
        <div className={stylesOfCurves.frame} role="region" aria-label={`Table: ${title}`} tabIndex={0}>
          <table>
            <caption className="visually-hidden">{title}</caption>
            <thead>
              <tr>
                <th scope="col">policy</th>
                <th scope="col">own size</th>
                <th scope="col">at it</th>
                {budgets.map((budget) => (
                  <th key={budget} scope="col">
                    {budget} %
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {lines.map(({ subject, points, own }) => (
                <tr key={subject}>
                  <th scope="row">{subjectName(subject)}</th>
                  <td>{own === null ? '–' : `${own.x.toFixed(0)} %`}</td>
                  <td>{own === null ? '–' : own.y.toFixed(2)}</td>
                  {budgets.map((budget) => (
                    <td key={budget}>{points.find((point) => point.x === budget)?.y.toFixed(2) ?? '–'}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
};
