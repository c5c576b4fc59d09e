import type { CompareRun } from './compare-run.ts';
import { type Kernel, notify, setSession } from './kernel.ts';

/** Loads the comparison when it is first asked for; asked again after that failed, it is tried again. */
export const createCompareOpener = (kernel: Kernel, opened: Promise<void>): (() => Promise<CompareRun>) => {
  const ended = () =>
    notify(kernel, 'The comparison is done.', {
      label: 'Show',
      run: () => setSession(kernel, { dialog: 'compare' }),
    });
  const open = async (): Promise<CompareRun> => {
    await opened;
    const { createCompareRun } = await import('./compare-run.ts');
    return createCompareRun(kernel, { ended });
  };

  let run: Promise<CompareRun> | null = null;
  return () => {
    run ??= open();
    run.catch(() => {
      run = null;
    });
    return run;
  };
};
