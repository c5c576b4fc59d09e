import type { LabelledDialogue } from '../datasets/dialogues.ts';
import type { VectorOf } from './embedded-texts.ts';
import { type Mode, type Placements, type Placing, placeDialogue } from './placements.ts';

/** Called after each dialogue of each run, in turns; what it returns is awaited, so that a page can draw. */
export type Progress = (done: number, of: number, what: string) => void | Promise<void>;

/** Goes through dialogues one after the other, and says how far it is. */
export class Steps {
  readonly #progress: Progress;
  readonly #signal: AbortSignal | undefined;
  #done = 0;
  #of = 0;

  constructor(progress: Progress = () => undefined, signal?: AbortSignal) {
    this.#progress = progress;
    this.#signal = signal;
  }

  /** Counts dialogues that will be gone through later. */
  expect(dialogues: readonly LabelledDialogue[]): void {
    this.#of += turnsIn(dialogues);
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

export const turnsIn = (dialogues: readonly LabelledDialogue[]): number =>
  dialogues.reduce((sum, { turns }) => sum + turns.length, 0);

export type Place = (dataset: string, dialogue: LabelledDialogue, placing: Placing, mode: Mode) => Promise<Placements>;

/** Places a dialogue's turns as `placeDialogue` does, each dialogue once for each subject and mode. */
export const createPlace = (vectorOf: VectorOf): Place => {
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
