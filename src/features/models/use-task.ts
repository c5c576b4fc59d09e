import { useEffect, useRef, useState } from 'react';
import { ModelFailure } from '../../engine/model-failure.ts';
import { useActions } from '../../ui/app-context.ts';

export interface Task {
  readonly busy: boolean;
  /** Why the last one failed; null while another is under way. */
  readonly failure: string | null;
  /** Resolves to whether it was done. */
  run(task: () => Promise<unknown>): Promise<boolean>;
}

/** Something asked of the models. Its failure is shown where this is; once that is gone, as a problem. */
export const useTask = (what: string): Task => {
  const { reportModelFailure } = useActions();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const shown = useRef(false);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  const run = async (task: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    setFailure(null);
    try {
      await task();
      return true;
    } catch (error) {
      if (!shown.current) reportModelFailure(what, error);
      else if (!(error instanceof ModelFailure && error.kind === 'closed')) {
        setFailure(error instanceof Error ? error.message : String(error));
      }
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, failure, run };
};
