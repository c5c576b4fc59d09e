import { useActions } from '../../ui/app-context.ts';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { Loaded } from '../../ui/parts/loaded.tsx';
import { Evaluation } from './evaluation.tsx';

const DESCRIPTION =
  'How well turns are placed, and what the contexts cost, on labelled dialogues of yours. The files stay in this page.';

/** Measures the deciders and policies on labelled dialogues. The run goes on while the dialog is closed. */
export const EvaluateDialog = ({ onClose }: { onClose: () => void }) => {
  const { evaluation } = useActions();
  return (
    <Dialog title="Evaluate" description={DESCRIPTION} onClose={onClose} size="full">
      <Loaded load={evaluation}>{(run) => <Evaluation run={run} />}</Loaded>
    </Dialog>
  );
};
