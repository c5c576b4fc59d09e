import { useEffect } from 'react';
import { useActions, useAppState } from '../../ui/app-context.ts';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { Loaded } from '../../ui/parts/loaded.tsx';
import { Compare } from './compare.tsx';

const DESCRIPTION =
  'The same conversation under several memories at once: what each would have sent to the model, turn by turn, and what that costs.';

/** Compares policies over the open conversation. What came of it is kept while the dialog is closed. */
export const CompareDialog = ({ onClose }: { onClose: () => void }) => {
  const { comparison, closeNotice } = useActions();
  const state = useAppState();
  useEffect(() => {
    // It is here that the notice leads.
    if (state().notice?.action?.label === 'Compare') closeNotice();
  }, [state, closeNotice]);
  return (
    <Dialog title="Compare" description={DESCRIPTION} onClose={onClose} size="full">
      <Loaded load={comparison}>{(run) => <Compare run={run} onClose={onClose} />}</Loaded>
    </Dialog>
  );
};
