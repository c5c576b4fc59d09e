import { refusalInWords } from '../../app/edits.ts';
import type { Kernel } from '../../app/kernel.ts';
import type { Handled } from '../../domain/handle.ts';
import { sizeOf } from '../../domain/table.ts';
import { breathing } from '../../engine/tasks.ts';

/** Progress reaches the screen at most this often, in milliseconds. */
const SHOW_EVERY = 80;

/** What became of sorting. */
interface Sorted {
  /** Turns that hang elsewhere now. */
  readonly moved: number;
  /** Topics that there are now. */
  readonly topics: number;
  /** Why nothing could be moved, in words. */
  readonly refusal: string | null;
}

/** Finds the topics of the open conversation, where its turns stand as a file had them. */
export const createTopicSorting = (kernel: Kernel) => ({
  /** One step of undo. Rejects if the signal fires, and then has changed nothing. */
  sort: async (onProgress: (done: number, of: number) => void, signal: AbortSignal): Promise<Sorted> => {
    const { ports, store, engine } = kernel;
    const { conversationId } = store.getState();
    let shown = Number.NEGATIVE_INFINITY;
    const turns = await engine.sortTopics({
      signal,
      breathe: breathing(ports.elapsed),
      progress: (done, of) => {
        if (done < of && ports.elapsed() - shown < SHOW_EVERY) return;
        shown = ports.elapsed();
        onProgress(done, of);
      },
    });
    signal.throwIfAborted();
    if (store.getState().conversationId !== conversationId)
      throw new Error('Another conversation was opened meanwhile.');
    return outcomeOf(await kernel.commit({ type: 'arrange', turns, step: ports.newId() }), kernel);
  },
});

const outcomeOf = (handled: Handled, { store }: Kernel): Sorted => {
  const topics = sizeOf(store.getState().forest.trees);
  if (handled.ok) {
    const moved = handled.events.flatMap((event) => (event.type === 'turns-arranged' ? event.turns : [])).length;
    return { moved, topics, refusal: null };
  }
  if (handled.refusal === 'already-there') return { moved: 0, topics, refusal: null };
  return { moved: 0, topics, refusal: refusalInWords(handled.refusal) };
};
