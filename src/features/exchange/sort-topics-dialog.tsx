import { useEffect, useRef, useState } from 'react';
import type { Actions } from '../../app/actions.ts';
import { refusalInWords, revertible } from '../../app/edits.ts';
import type { Kernel } from '../../app/kernel.ts';
import type { Notice } from '../../app/state.ts';
import type { IntentOutcome } from '../../domain/handle.ts';
import { sizeOf } from '../../domain/table.ts';
import { createYielder, dueEvery } from '../../engine/tasks.ts';
import { useActions, usePart } from '../../ui/app-context.ts';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { counted } from '../../ui/parts/format.ts';
import { TaskProgress } from '../../ui/parts/progress.tsx';

/** Has the engine go through an imported conversation, and then move what belongs elsewhere. */
export const SortTopicsDialog = ({ onClose }: { onClose: () => void }) => {
  const actions = useActions();
  const part = usePart();
  const [progress, setProgress] = useState({ done: 0, of: 0 });
  // It changes when the window gets narrow, which is no reason to begin again.
  const close = useRef(onClose);
  close.current = onClose;

  useEffect(() => {
    const ending = new AbortController();
    const sort = async () => {
      const sorting = await part(createTopicSorting);
      const sorted = await sorting.sort((done, of) => setProgress({ done, of }), ending.signal);
      if (ending.signal.aborted) return;
      close.current();
      if (sorted.refusal !== null) actions.announce(sorted.refusal);
      else if (sorted.moved === 0) actions.announce('Every turn is where the engine would have put it.');
      else {
        const words = `Sorted into ${counted(sorted.topics, 'topic')}: ${counted(sorted.moved, 'turn')} moved.`;
        actions.announce(words, sorted.revert);
      }
    };
    sort().catch((error) => {
      if (ending.signal.aborted) return;
      close.current();
      actions.reportFailure('Sorting into topics', error);
    });
    return () => ending.abort();
  }, [actions, part]);

  return (
    <Dialog
      title="Sort into topics"
      description="The engine reads the conversation again, turn by turn, and says where each belongs. Nothing moves until it is done, and a single undo reverses it all."
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

/** Minimum time between progress updates on screen, in milliseconds. */
const SHOW_EVERY = 80;

/** The result of sorting. */
interface SortingOutcome {
  /** Number of turns that were moved. */
  readonly moved: number;
  /** Number of topics afterwards. */
  readonly topics: number;
  /** Why nothing could be moved. */
  readonly refusal: string | null;
  /** Takes it back; null if nothing was moved. */
  readonly revert: Notice['action'];
}

/** Finds the topics of the open conversation, in which turns stand where a file had them. */
export const createTopicSorting = (kernel: Kernel, { undo }: Pick<Actions, 'undo'>) => ({
  /** A single undo step. Rejects if the signal is aborted, without having changed anything. */
  sort: async (onProgress: (done: number, of: number) => void, signal: AbortSignal): Promise<SortingOutcome> => {
    const { ports, store, engine } = kernel;
    const { conversationId } = store.getState();
    const isDue = dueEvery(SHOW_EVERY, ports.elapsed);
    const turns = await engine.sortTopics({
      signal,
      breathe: createYielder(ports.elapsed),
      progress: (done, of) => {
        if (isDue() || done === of) onProgress(done, of);
      },
    });
    signal.throwIfAborted();
    if (store.getState().conversationId !== conversationId)
      throw new Error('Another conversation was opened in the meantime.');
    const handled = await kernel.commit({ type: 'arrange', turns, step: ports.newId() });
    return { ...resultOf(handled, kernel), revert: handled.ok ? revertible(kernel, 'Revert', undo) : null };
  },
});

const resultOf = (handled: IntentOutcome, { store }: Kernel): Omit<SortingOutcome, 'revert'> => {
  const topics = sizeOf(store.getState().forest.trees);
  if (handled.ok) {
    const moved = handled.events.flatMap((event) => (event.type === 'turns-arranged' ? event.turns : [])).length;
    return { moved, topics, refusal: null };
  }
  if (handled.refusal === 'already-there') return { moved: 0, topics, refusal: null };
  return { moved: 0, topics, refusal: refusalInWords(handled.refusal) };
};
