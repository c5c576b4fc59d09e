import { Download } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { TurnContexts } from '../../engine/history/contexts-over-time.ts';
import { errorMessage } from '../../engine/model-failure.ts';
import { FailureList } from '../../engine/model-fallback.ts';
import { dueEvery } from '../../engine/tasks.ts';
import { useActions, useShownForest } from '../../ui/app-context.ts';
import { fallbackWords } from '../../ui/inspector/decision-words.ts';
import { Button } from '../../ui/parts/button.tsx';
import { Lines, Plot, Swatch } from '../../ui/parts/charts/plot.tsx';
import type { Series } from '../../ui/parts/charts/scale.ts';
import { drawnLevels, tokenLevels } from '../../ui/parts/charts/scale.ts';
import { download } from '../../ui/parts/download.ts';
import { count, savingLabel } from '../../ui/parts/format.ts';
import { PolicyChooser, useComparedPolicies } from '../../ui/parts/policies.tsx';
import { ProgressBar } from '../../ui/parts/progress.tsx';
import { type DecisionRow, means, type TokensByTurn, tokenSeries } from './analysis.ts';
import { tokensFile } from './analysis-export.ts';
import styles from './charts.module.css';
import { ChartFigure, type Cursor, ValueTable } from './figure.tsx';

/** Maximum number of turns compared without being asked: takes about a second. */
const AT_ONCE = 300;
const HEIGHT = 208;

/** Context tokens per turn: what was sent, and what other policies would have sent. */
export const TokensChart = ({ rows, cursor }: { rows: readonly DecisionRow[]; cursor: Cursor }) => {
  const names = useComparedPolicies();
  const comparison = useComparison(names, rows.length);
  const { compared, start } = comparison;
  const small = rows.length <= AT_ONCE;
  useEffect(() => {
    if (small) start();
  }, [small, start]);
  const series = useMemo(() => tokenSeries(rows, compared, names), [rows, compared, names]);
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const seen = series.filter(({ key }) => !hidden.includes(key));
  const levels = tokenLevels(seen);
  const describe = (index: number) =>
    `Turn ${rows[index]?.number}: ${seen
      .flatMap(({ name, values }) => (values[index] == null ? [] : [`${name} ${count(values[index])}`]))
      .join(' · ')}`;
  const toggle = (key: string) =>
    setHidden(hidden.includes(key) ? hidden.filter((one) => one !== key) : [...hidden, key]);
  return (
    <ChartFigure
      title="Context tokens"
      words="The context of each turn, and what other policies would have sent for the same turn."
      tools={
        <>
          <PolicyChooser />
          <Compare comparison={comparison} turns={rows.length} />
          <SaveTokens rows={rows} series={series} />
        </>
      }
      reading={cursor.at === null ? null : describe(cursor.at)}
      onGo={() => cursor.onOpen(cursor.at ?? 0)}
      table={() => (
        <ValueTable label="Context tokens" rows={rows} series={series} words={count} onOpen={cursor.onOpen} />
      )}
    >
      <div className={styles.withLegend}>
        <Plot
          label="Turn, context tokens"
          numbers={cursor.numbers}
          height={HEIGHT}
          cursor={cursor.at}
          onCursor={cursor.onMove}
          onOpen={cursor.onOpen}
          describe={describe}
          levels={(frame) => drawnLevels(levels, frame)}
        >
          {(frame) => <Lines frame={frame} series={seen} most={levels.at(-1) ?? 1} cursor={cursor.at} />}
        </Plot>
        <Means rows={rows} series={series} hidden={hidden} onToggle={toggle} />
      </div>
    </ChartFigure>
  );
};

/** Saves the chart's values per turn as a file. */
const SaveTokens = ({ rows, series }: { rows: readonly DecisionRow[]; series: readonly Series[] }) => {
  const forest = useShownForest();
  const save = () => {
    const { name, text } = tokensFile(rows, series, forest);
    download(name, text);
  };
  return (
    <Button size="small" onClick={save} aria-label="Context tokens as CSV">
      <Download size={14} aria-hidden />
      CSV
    </Button>
  );
};

/** Means per policy, also the legend of the chart: clicking a name hides or shows its line. */
const Means = ({
  rows: turns,
  series,
  hidden,
  onToggle,
}: {
  rows: readonly DecisionRow[];
  series: readonly Series[];
  hidden: readonly string[];
  onToggle: (key: string) => void;
}) => {
  const rows = means(series, turns);
  return (
    <table className={styles.means}>
      <caption>Mean tokens per turn (ACT)</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">Policy</th>
          <th scope="col">Mean</th>
          <th scope="col">Compared with a plain chat</th>
        </tr>
      </thead>
      <tbody>
        {series.map(({ key, name, colour, dash, strong }, index) => {
          const { mean = null, against = null } = rows[index] ?? {};
          return (
            <tr key={key}>
              <th scope="row">
                <button type="button" aria-pressed={!hidden.includes(key)} onClick={() => onToggle(key)}>
                  <Swatch colour={colour} {...(dash !== undefined && { dash })} strong={strong === true} />
                  {name}
                </button>
              </th>
              <td>{mean === null ? '–' : count(mean)}</td>
              <td>{mean === null || against === null ? '' : savingLabel(mean, against)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
};

const Compare = ({ comparison, turns }: { comparison: Comparison; turns: number }) => {
  const { state, complete, failure, fallbacks, start, stop, retry } = comparison;
  if (state === 'running') {
    return (
      <span className={styles.compare}>
        <ProgressBar
          label="Comparing policies"
          max={turns}
          // Progress is unknown until the first turn arrives: turns may have to be embedded again.
          value={complete === 0 ? null : complete}
        />
        <Button size="small" onClick={stop}>
          Stop
        </Button>
      </span>
    );
  }
  return (
    <span className={styles.compare}>
      {failure !== null && <span role="alert">Could not compare: {failure}</span>}
      {fallbacks.map((words) => (
        <span key={words} role="alert">
          {words}
        </span>
      ))}
      {failure !== null || complete < turns ? (
        <Button size="small" onClick={start}>
          Compare policies
        </Button>
      ) : (
        fallbacks.length > 0 && (
          <Button size="small" onClick={retry}>
            Try again
          </Button>
        )
      )}
    </span>
  );
};

/** How often new results are shown, in milliseconds. */
const SHOWN_EVERY = 200;

interface Comparison {
  readonly compared: TokensByTurn;
  /** Number of turns known for every named policy. */
  readonly complete: number;
  readonly state: 'idle' | 'running' | 'failed';
  readonly failure: string | null;
  /** What stood in for models that failed, in words. */
  readonly fallbacks: readonly string[];
  readonly start: () => void;
  readonly stop: () => void;
  /** Does again what something stood in for. */
  readonly retry: () => void;
}

/**
 * What each policy would have sent for every turn, as results arrive; known results are kept while others are chosen.
 * Stops when the component unmounts.
 */
const useComparison = (names: readonly string[], turns: number): Comparison => {
  const { contextsOverTime, retryMemories } = useActions();
  const [compared, setCompared] = useState<TokensByTurn>(new Map());
  const [state, setState] = useState<Comparison['state']>('idle');
  const [failure, setFailure] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);
  const known = useRef<TokensByTurn>(compared);
  const standIns = useRef<ReadonlyMap<string, FailureList>>(new Map());

  const stop = useCallback(() => {
    running.current?.abort();
    running.current = null;
    setState('idle');
  }, []);

  const start = useCallback(() => {
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    setState('running');
    setFailure(null);
    const missing = names.filter((name) => turnsOf(known.current, [name]) < turns);
    if (missing.length === 0) return setState('idle');
    const found = new Map(known.current);
    const isDue = dueEvery(SHOWN_EVERY);
    const show = () => {
      known.current = new Map(found);
      setCompared(known.current);
    };
    const take = (part: readonly TurnContexts[]) => {
      if (own.signal.aborted) return;
      for (const { nodeId, tokens, sent, sentTokens, fallbacks } of part) {
        for (const [name, all] of Object.entries(fallbacks)) {
          const list = standIns.current.get(name) ?? new FailureList();
          for (const one of all) list.add(one);
          standIns.current = new Map(standIns.current).set(name, list);
        }
        const counted = sent === null || sentTokens === null ? tokens : { ...tokens, [sent]: sentTokens };
        found.set(nodeId, { ...found.get(nodeId), ...counted });
      }
      if (isDue()) show();
    };
    contextsOverTime(missing, take, own.signal).then(
      () => {
        if (own.signal.aborted) return;
        show();
        setState('idle');
      },
      (error: unknown) => {
        if (own.signal.aborted) return;
        setFailure(errorMessage(error));
        setState('failed');
      },
    );
  }, [contextsOverTime, names, turns]);

  const retry = useCallback(() => {
    retryMemories();
    const isSound = ([name]: [string, unknown]) => !standIns.current.has(name);
    known.current = new Map(
      [...known.current].map(([nodeId, tokens]) => [
        nodeId,
        Object.fromEntries(Object.entries(tokens).filter(isSound)),
      ]),
    );
    standIns.current = new Map();
    start();
  }, [retryMemories, start]);

  useEffect(() => () => running.current?.abort(), []);
  const fallbacks = names.flatMap((name) =>
    (standIns.current.get(name)?.all ?? []).map((one) => `${name}: ${fallbackWords(one)}`),
  );
  return { compared, complete: turnsOf(compared, names), state, failure, fallbacks, start, stop, retry };
};

/** The number of turns for which all of these policies are known. */
const turnsOf = (compared: TokensByTurn, names: readonly string[]): number =>
  [...compared.values()].filter((tokens) => names.every((name) => name in tokens)).length;
