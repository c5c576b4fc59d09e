import { type Kernel, notify, setSession } from '../../app/kernel.ts';
import { once } from '../../engine/tasks.ts';
import type { EvaluationRun } from './evaluation-run.ts';

/** Loads the page's one evaluation when it is first asked for. Rejects if it cannot be loaded. */
export const createEvaluationOpener = (kernel: Kernel, opened: Promise<void>): (() => Promise<EvaluationRun>) => {
  const { store, ports } = kernel;

  const ended = (measured: boolean) => {
    if (store.getState().session.dialog === 'evaluate') return;
    const show = { label: 'Show', run: () => setSession(kernel, { dialog: 'evaluate' }) };
    notify(kernel, measured ? 'The evaluation is done.' : 'The evaluation has stopped.', show);
  };

  return once(async () => {
    await opened;
    const [{ createEvaluationRun }, evaluation] = await Promise.all([
      import('./evaluation-run.ts'),
      ports.openEvaluation({
        // By way of the kernel, for the storage may become another.
        cache: {
          readVectors: (model, hashes) => kernel.storage.readVectors(model, hashes),
          saveVectors: (model, vectors) => kernel.storage.saveVectors(model, vectors),
        },
        chosenDecider: () => {
          const { decide } = ports.models();
          return decide.name === ports.embedded.decide.name ? null : decide;
        },
      }),
    ]);
    return createEvaluationRun(evaluation, { elapsed: ports.elapsed, ended });
  });
};
