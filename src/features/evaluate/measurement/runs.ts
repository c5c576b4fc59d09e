import type { LabelledDialogue } from '../datasets/dialogues.ts';
import type { VectorOf } from './embedded-texts.ts';
import { type EvaluationMode, type PlacementSubject, type Placements, placeDialogue } from './placements.ts';

/** Called after each dialogue of each run, counted in turns; the result is awaited so that a page can draw. */
export type ReportProgress = (done: number, of: number, what: string) => void | Promise<void>;

/** Iterates over dialogues and reports progress. */
export class ProgressCounter {
  readonly #progress: ReportProgress;
  readonly #signal: AbortSignal | undefined;
  #done = 0;
  #of = 0;

  constructor(progress: ReportProgress = () => undefined, signal?: AbortSignal) {
    this.#progress = progress;
    this.#signal = signal;
  }

  /** Adds dialogues to the expected total. */
  expect(dialogues: readonly LabelledDialogue[]): void {
    this.#of += countTurns(dialogues);
  }

  async through<D extends LabelledDialogue, R>(
    dialogues: readonly D[],
    what: string,
    step: (dialogue: D) => Promise<R>,
  ): Promise<R[]> {
    const results: R[] = [];
    for (const dialogue of dialogues) {
      this.#signal?.throwIfAborted();
      results.push(await step(dialogue));
      this.#done += dialogue.turns.length;
      await this.#progress(this.#done, this.#of, what);
    }
    return results;
  }
}

export const countTurns = (dialogues: readonly LabelledDialogue[]): number =>
  dialogues.reduce((sum, { turns }) => sum + turns.length, 0);

export type PlaceDialogue = (
  dataset: string,
  dialogue: LabelledDialogue,
  placing: PlacementSubject,
  mode: EvaluationMode,
) => Promise<Placements>;

/** Places turns as `placeDialogue` does, once per dialogue, subject and mode. */
export const createPlace = (vectorOf: VectorOf): PlaceDialogue => {
  const known = new WeakMap<LabelledDialogue, Map<string, Promise<Placements>>>();
  return (dataset, dialogue, placing, mode) => {
    const own = known.get(dialogue) ?? new Map<string, Promise<Placements>>();
    known.set(dialogue, own);
    const key = `${mode} ${placing.subject}`;
    const placed = own.get(key) ?? placeDialogue(dataset, dialogue, placing, mode, vectorOf);
    own.set(key, placed);
    return placed;
  };
};
