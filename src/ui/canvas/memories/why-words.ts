import type { MemoryThen } from '../../../engine/history/memory-then.ts';
import type { Recalled } from '../../../engine/memories/memory.ts';
import { counted, ratio } from '../../parts/format.ts';
import type { PictureCard } from './picture.ts';

interface Became {
  readonly skipped: boolean;
  /** It stands below one that was passed over. */
  readonly below: boolean;
  readonly hadRoom: boolean;
}

/** Why a piece of a memory was recalled for a message, or was not. */
export const whyCell = (
  items: readonly Recalled[],
  { skipped, below, hadRoom }: Became,
): Pick<PictureCard, 'why' | 'note' | 'strength'> => {
  if (items.length > 0) {
    const scores = items.flatMap(({ score }) => score ?? []);
    const best = scores.length === 0 ? null : ratio(Math.max(...scores));
    const why = best === null ? 'Recalled, as it is for every message' : `Recalled, rated ${best} for the message`;
    if (!hadRoom) return { strength: 'quiet', note: 'no room', why: `${why}; it had no room in the context` };
    return { strength: 'forward', note: best ?? 'recalled', why };
  }
  if (skipped) return { strength: 'back', note: 'passed over', why: 'Passed over, with all below it' };
  if (below) return { strength: 'back', note: '', why: 'Not looked at: one above it was passed over' };
  return { strength: 'quiet', note: '', why: 'Not recalled for this message' };
};

/** What was found for the message, and what the memory went through for it, part by part. */
export const recallWords = ({ cells, recall, cost }: MemoryThen): string[] => {
  if (cells.length === 0) return ['It is empty: nothing was said before this turn.'];
  const { items, levels, skipped = [], read = [] } = recall;
  return [
    counted(cells.length, 'piece'),
    `${items.length} recalled for this message`,
    ...(levels === undefined ? [] : [`${counted(levels, 'level')} visited`]),
    ...(skipped.length === 0 ? [] : [`${skipped.length} passed over with all below`]),
    ...(read.length === 0 ? [] : [`${counted(read.length, 'text')} read on the way`]),
    ...(cost.calls === 0
      ? []
      : [`${counted(cost.calls, 'question')} to models, ${counted(cost.read, 'token')} read for it`]),
  ];
};
