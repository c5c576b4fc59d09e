import { type Kernel, notify, setSession } from '../../app/kernel.ts';
import { createEvaluationRun, type EvaluationRun } from './evaluation-run.ts';

/** The page's one evaluation. Rejects if what measures cannot be loaded. */
export const openEvaluation = async (kernel: Kernel): Promise<EvaluationRun> => {
  const { store, ports } = kernel;
  const { createEvaluation } = await import('./in-page/evaluation.ts');
  const evaluation = createEvaluation({
    embed: ports.embedded.embed,
    tokens: ports.embedded.chat.tokens,
    userAgent: navigator.userAgent,
    // By way of the kernel, for the storage may become another.
    cache: {
      readVectors: (model, hashes) => kernel.storage.readVectors(model, hashes),
      saveVectors: (model, vectors) => kernel.storage.saveVectors(model, vectors),
    },
    chosenDecider: () => {
      const { decide } = ports.models();
      return decide.name === ports.embedded.decide.name ? null : decide;
    },
  });
  const ended = (measured: boolean) => {
    if (store.getState().session.dialog === 'evaluate') return;
    const show = { label: 'Show', run: () => setSession(kernel, { dialog: 'evaluate' }) };
    notify(kernel, measured ? 'The evaluation is done.' : 'The evaluation has stopped.', show);
  };
  return createEvaluationRun(evaluation, { elapsed: ports.elapsed, ended });
};
