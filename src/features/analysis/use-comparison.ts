import { useCallback, useEffect, useRef, useState } from 'react';
import type { TurnContexts } from '../../engine/history/contexts-over-time.ts';
import { useActions } from '../../ui/app-context.ts';
import type { Compared } from './series.ts';

/** How often what has come is shown, in milliseconds. */
const SHOWN_EVERY = 200;

export interface Comparison {
  readonly compared: Compared;
  /** Turns of which every policy named is known. */
  readonly complete: number;
  readonly state: 'idle' | 'running' | 'failed';
  readonly failure: string | null;
  readonly start: () => void;
  readonly stop: () => void;
}

/** What each of the policies would have sent for every turn, as it comes; what is known is kept while others are chosen. Ends with the part of the page that asked. */
export const useComparison = (names: readonly string[], turns: number): Comparison => {
  const { contextsOverTime } = useActions();
  const [compared, setCompared] = useState<Compared>(new Map());
  const [state, setState] = useState<Comparison['state']>('idle');
  const [failure, setFailure] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);
  const known = useRef<Compared>(compared);

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
    let shown = performance.now();
    const show = () => {
      shown = performance.now();
      known.current = new Map(found);
      setCompared(known.current);
    };
    const take = (part: readonly TurnContexts[]) => {
      if (own.signal.aborted) return;
      for (const { nodeId, tokens } of part) found.set(nodeId, { ...found.get(nodeId), ...tokens });
      if (performance.now() - shown > SHOWN_EVERY) show();
    };
    contextsOverTime(missing, take, own.signal).then(
      () => {
        if (own.signal.aborted) return;
        show();
        setState('idle');
      },
      (error: unknown) => {
        if (own.signal.aborted) return;
        setFailure(error instanceof Error ? error.message : String(error));
        setState('failed');
      },
    );
  }, [contextsOverTime, names, turns]);

  useEffect(() => () => running.current?.abort(), []);
  return { compared, complete: turnsOf(compared, names), state, failure, start, stop };
};

/** Of how many turns it is known what each of these would have sent. */
const turnsOf = (compared: Compared, names: readonly string[]): number =>
  [...compared.values()].filter((tokens) => names.every((name) => name in tokens)).length;
