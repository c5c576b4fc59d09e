import { refusalInWords } from '../../app/edits.ts';
import { type Kernel, notify } from '../../app/kernel.ts';
import type { Scene } from '../../domain/story.ts';

/** Keeps the story of the open conversation; none is every step again. */
export const createStory = (kernel: Kernel) => ({
  tell: async (scenes: readonly Scene[]): Promise<void> => {
    if (kernel.store.getState().past !== null)
      return notify(kernel, 'Come back to now first: a story is kept with the conversation.');
    const told = await kernel.does({ type: 'story-told', scenes: [...scenes] });
    if (!told.ok) notify(kernel, refusalInWords(told.refusal));
  },
});
