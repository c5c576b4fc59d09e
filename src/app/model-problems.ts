import { ModelFailure } from '../engine/model-failure.ts';
import { type Kernel, report, reportUnexpected, setSession } from './kernel.ts';

/** Shows what went wrong with a model where nobody else does. What the person ended themselves is no problem. */
export const reportModelFailure = (kernel: Kernel, what: string, error: unknown): void => {
  if (!(error instanceof ModelFailure)) return reportUnexpected(kernel, what, error);
  if (error.kind === 'closed') return;
  report(kernel, {
    id: `models-${what}`,
    title: `${what} failed.`,
    advice: error.message,
    action: { label: 'Open Models', run: () => setSession(kernel, { dialog: 'models', modelsPage: null }) },
  });
};
