import { useActions, useAppState } from '../../ui/app-context.ts';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { Loaded } from '../../ui/parts/loaded.tsx';
import { WhatIf } from './what-if.tsx';

const DESCRIPTION =
  'The open conversation once more, with something otherwise. Simulated: replies stay as they were, and the conversation itself is not touched.';

/** Re-runs the open conversation beside the original. What is under way goes on while the dialog is closed. */
export const WhatIfDialog = ({ onClose }: { onClose: () => void }) => {
  const { whatIf, session } = useActions();
  const state = useAppState();
  const load = async () => {
    const run = await whatIf();
    run.take(state().session.whatIfFrom);
    session({ whatIfFrom: null });
    return run;
  };
  return (
    <Dialog title="What if" description={DESCRIPTION} onClose={onClose} size="full">
      <Loaded load={load}>{(run) => <WhatIf run={run} onClose={onClose} />}</Loaded>
    </Dialog>
  );
};
