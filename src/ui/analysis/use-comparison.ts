import { useCallback, useEffect, useRef, useState } from 'react';
import { useActions } from '../app-context.ts';
import type { Compared } from './series.ts';

/** How often what has come is shown, in milliseconds. */
const SHOWN_EVERY = 200;

export interface Comparison {
  readonly compared: Compared;
  readonly state: 'idle' | 'running' | 'failed';
  readonly failure: string | null;
  readonly start: () => void;
  readonly stop: () => void;
}

/** What every policy would have sent for every turn, as it comes. Ends with the part of the page that asked. */
export const useComparison = (): Comparison => {
  const { contextsOverTime } = useActions();
  const [compared, setCompared] = useState<Compared>(new Map());
  const [state, setState] = useState<Comparison['state']>('idle');
  const [failure, setFailure] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);

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
    const found = new Map<string, Readonly<Record<string, number>>>();
    let shown = performance.now();
    const show = () => {
      shown = performance.now();
      setCompared(new Map(found));
    };
    contextsOverTime((turns) => {
      if (own.signal.aborted) return;
      for (const { nodeId, tokens } of turns) found.set(nodeId, tokens);
      if (performance.now() - shown > SHOWN_EVERY) show();
    }, own.signal).then(
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
  }, [contextsOverTime]);

  useEffect(() => () => running.current?.abort(), []);
  return { compared, state, failure, start, stop };
};
