import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { type Kernel, notify, setSession } from '../../app/kernel.ts';
import { useActions, useApp, usePart } from '../../ui/app-context.ts';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { Loaded } from '../../ui/parts/loaded.tsx';
import type { Measured } from './evaluation-port.ts';
import { createEvaluationRun, type EvaluationRun } from './evaluation-run.ts';
import { Results } from './results.tsx';
import { Setup } from './setup.tsx';

const DESCRIPTION =
  'How well turns are placed, and what the contexts cost, on your own labelled dialogues. The files stay in this page. Learning is paused here: what the decider learned from you does not affect the figures.';

/** Measures the deciders and policies on labelled dialogues. The run goes on while the dialog is closed. */
export const EvaluateDialog = ({ onClose }: { onClose: () => void }) => {
  const part = usePart();
  return (
    <Dialog title="Evaluate" description={DESCRIPTION} onClose={onClose} size="full">
      <Loaded load={() => part(openEvaluation)}>{(run) => <Evaluation run={run} />}</Loaded>
    </Dialog>
  );
};

/** Files and subjects, or the figures of the last measurement. */
const Evaluation = ({ run }: { run: EvaluationRun }) => {
  const measured = useStore(run.store, (state) => state.measured);
  const given = useApp(({ session }) => session.toEvaluate);
  const { session } = useActions();
  useEffect(() => {
    if (given === null) return;
    session({ toEvaluate: null });
    void run.give(given.map((file) => ({ path: file.name, size: file.size, text: () => file.text() })));
  }, [given, run, session]);
  const busy = useStore(run.store, (state) => state.task !== null);
  /** The result that was left for the files; a newer one is shown at once. */
  const [left, setLeft] = useState<Measured | null>(null);
  if (measured === null || busy || left === measured) {
    return <Setup run={run} {...(measured === null ? {} : { onResults: () => setLeft(null) })} />;
  }
  return <Results measured={measured} onSetup={() => setLeft(measured)} />;
};

/** The page's one evaluation. Rejects if what measures cannot be loaded. */
const openEvaluation = async (kernel: Kernel): Promise<EvaluationRun> => {
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
