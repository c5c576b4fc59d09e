import { useEffect, useState } from 'react';
import { useActions, usePart } from '../../ui/app-context.ts';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { counted } from '../../ui/parts/format.ts';
import { TaskProgress } from '../../ui/parts/progress.tsx';
import { createTopicSorting } from './sort-topics.ts';

/** The engine goes through an imported conversation, and moves what belongs elsewhere once it has been through all of it. */
export const SortTopicsDialog = ({ onClose }: { onClose: () => void }) => {
  const actions = useActions();
  const part = usePart();
  const [progress, setProgress] = useState({ done: 0, of: 0 });

  useEffect(() => {
    const ending = new AbortController();
    const sort = async () => {
      const sorting = await part(createTopicSorting);
      const sorted = await sorting.sort((done, of) => setProgress({ done, of }), ending.signal);
      if (ending.signal.aborted) return;
      onClose();
      if (sorted.refusal !== null) actions.announce(sorted.refusal);
      else if (sorted.moved === 0) actions.announce('Every turn is where the engine would have put it.');
      else {
        actions.announce(`Sorted into ${counted(sorted.topics, 'topic')}: ${counted(sorted.moved, 'turn')} moved.`, {
          label: 'Take back',
          run: () => void actions.undo(),
        });
      }
    };
    sort().catch((error) => {
      if (ending.signal.aborted) return;
      onClose();
      actions.reportFailure('Sorting into topics', error);
    });
    return () => ending.abort();
  }, [actions, part, onClose]);

  return (
    <Dialog
      title="Sort into topics"
      description="The engine reads the conversation again, turn by turn, and says where each belongs. Nothing moves before it is through; one undo takes all of it back."
      onClose={onClose}
    >
      <TaskProgress
        label="Sorting"
        words={progress.of === 0 ? 'reading the turns' : `turn ${progress.done} of ${progress.of}`}
        done={progress.done}
        of={progress.of}
        onCancel={onClose}
      />
    </Dialog>
  );
};
