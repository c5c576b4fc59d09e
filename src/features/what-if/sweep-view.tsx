import { count } from '../../ui/parts/format.ts';
import { FIELDS } from '../../ui/parts/setting-fields.ts';
import { shapeOf } from './shape-of.ts';
import styles from './sweep.module.css';
import type { SweepPoint } from './sweep.ts';
import { type Series, SweepChart } from './sweep-chart.tsx';
import { useWhatIf } from './use-what-if.ts';
import type { Swept, WhatIfRun } from './what-if-run.ts';
import { otherwiseWords } from './what-if-title.ts';

/** What each value comes to, as charts and in figures; a value leads to its differences. */
export const SweepView = ({ run, swept, onShow }: { run: WhatIfRun; swept: Swept; onShow: () => void }) => {
  const failure = useWhatIf(run, (state) => state.failure);
  const origin = useWhatIf(run, (state) => state.origin);
  const question = useWhatIf(run, (state) => state.question);
  const busy = useWhatIf(run, (state) => state.task !== null);
  const { range, points } = swept;
  const label = FIELDS.find(({ name }) => name === range.parameter)?.label ?? range.parameter;
  const show = (point: SweepPoint) => {
    if (busy) return;
    run.show(point);
    onShow();
  };
  const flat = !busy && points.length > 1 && points.every(({ movedSince }) => movedSince === 0);
  return (
    <div className={styles.sweep}>
      {failure !== null && (
        <p role="alert" className={styles.failure}>
          The sweep ended early: {failure}. The values before that stay.
        </p>
      )}
      <header className={styles.head}>
        <h3>
          {label}, {range.from} to {range.to}
        </h3>
        <p>
          Simulated, beside the conversation as it is
          {otherwiseWords({ ...question, parameters: withoutSwept(question.parameters, range.parameter) }) ===
          'nothing changed'
            ? ''
            : `; otherwise: ${otherwiseWords({ ...question, parameters: withoutSwept(question.parameters, range.parameter) })}`}
          . Dashed lines: as it is. Choose a value to see its differences.
        </p>
        {flat && (
          <p className={styles.flat}>
            No value placed a turn otherwise than the one before: this parameter says nothing to the decider here.
          </p>
        )}
      </header>
      <div className={styles.charts}>
        {seriesOf(shapeOf(origin.forest)).map((series) => (
          <SweepChart key={series.name} series={series} points={points} range={range} onShow={show} />
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keys */}
      <div className={styles.scroll} tabIndex={0} role="group" aria-label="Values of the sweep">
        <table>
          <caption className="visually-hidden">{label}: what each value comes to</caption>
          <thead>
            <tr>
              <th scope="col">{range.parameter === 'theta' ? 'θ' : label}</th>
              <th scope="col">moved</th>
              <th scope="col">since the value before</th>
              <th scope="col">topics</th>
              <th scope="col">branches</th>
              <th scope="col">forks</th>
              <th scope="col">tokens</th>
              <th scope="col">
                <span className="visually-hidden">Differences</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {points.map((point, at) => (
              <tr key={point.value}>
                <th scope="row">{point.value}</th>
                <td>{point.moved}</td>
                <td>{at === 0 ? '–' : point.movedSince}</td>
                <td>{point.shape.topics}</td>
                <td>{point.shape.branches}</td>
                <td>{point.shape.forks}</td>
                <td>{count(point.shape.tokens)}</td>
                <td>
                  <button type="button" className={styles.show} disabled={busy} onClick={() => show(point)}>
                    Show<span className="visually-hidden"> {point.value}</span>
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
};

const withoutSwept = (parameters: SweepPoint['question']['parameters'], swept: string) =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => name !== swept));

const seriesOf = (as: SweepPoint['shape']): readonly Series[] => [
  { name: 'Turns moved', of: ({ moved }) => moved, now: null },
  { name: 'Topics', of: ({ shape }) => shape.topics, now: as.topics },
  { name: 'Branches', of: ({ shape }) => shape.branches, now: as.branches },
  { name: 'Forks', of: ({ shape }) => shape.forks, now: as.forks },
  { name: 'Tokens', of: ({ shape }) => shape.tokens, now: as.tokens },
];
