import type { Actions } from '../../app/actions.ts';
import { type Kernel, notify, setSession } from '../../app/kernel.ts';
import { once } from '../../engine/tasks.ts';
import type { WhatIfRun } from './what-if-run.ts';

interface Parts {
  readonly opened: Promise<void>;
  readonly adopt: Actions['adopt'];
}

/** Loads what re-runs conversations when it is first asked for. Rejects if it cannot be loaded. */
export const createWhatIfOpener = (kernel: Kernel, { opened, adopt }: Parts): (() => Promise<WhatIfRun>) => {
  const ended = () => {
    if (kernel.store.getState().session.dialog === 'what-if') return;
    notify(kernel, 'The what-if is done.', {
      label: 'Show',
      run: () => setSession(kernel, { dialog: 'what-if' }),
    });
  };
  return once(async () => {
    await opened;
    const [{ createWhatIfRun }, own] = await Promise.all([import('./what-if-run.ts'), kernel.ports.openWhatIf()]);
    return createWhatIfRun(kernel, { ...own, adopt, ended });
  });
};
