import type { Entry } from '../../domain/events.ts';
import type { Forest } from '../../domain/forest.ts';
import { stepWords } from './history-words.ts';
import { subjectsOf } from './step-subjects.ts';

/** A moment of the history: how it is after a step, or (the first) before any. */
export interface HistoryRow {
  /** How many steps are done at that moment: what `goToStep` takes. */
  readonly steps: number;
  readonly words: string;
  /** Milliseconds since 1970; null for the beginning. */
  readonly at: number | null;
  /** It was undone: going there brings it back. */
  readonly undone: boolean;
  /** Where the conversation is. */
  readonly now: boolean;
}

/** Every moment that can be gone to, the newest first; those undone stand above where we are. */
export const historyRows = (forest: Forest, entries: readonly Entry[]): HistoryRow[] => {
  const { past, future } = forest.history;
  const subjects = subjectsOf(forest, entries);
  const rows = [...past, ...future.toReversed()].map(
    (step, index): HistoryRow => ({
      steps: index + 1,
      words: stepWords(step, subjects),
      at: subjects.entriesOf(step.id)[0]?.at ?? null,
      undone: index >= past.length,
      now: index === past.length - 1,
    }),
  );
  const beginning: HistoryRow = {
    steps: 0,
    words: beginsAfterPurge(entries) ? 'As it was after the last purge' : 'The beginning',
    at: null,
    undone: false,
    now: past.length === 0,
  };
  return [beginning, ...rows].reverse();
};

/** What was before a purge cannot be gone back to. */
const beginsAfterPurge = (entries: readonly Entry[]): boolean =>
  entries.some(({ event }) => event.type === 'turns-purged');
