import { type Kernel, notify, setSession } from '../../app/kernel.ts';
import { once } from '../../engine/tasks.ts';
import type { CompareRun } from './compare-run.ts';

/** Loads the comparison when it is first asked for. Rejects if it cannot be loaded. */
export const createCompareOpener = (kernel: Kernel, opened: Promise<void>): (() => Promise<CompareRun>) => {
  const ended = () =>
    notify(kernel, 'The comparison is done.', {
      label: 'Show',
      run: () => setSession(kernel, { dialog: 'compare' }),
    });
  return once(async () => {
    await opened;
    const { createCompareRun } = await import('./compare-run.ts');
    return createCompareRun(kernel, { ended });
  });
};
