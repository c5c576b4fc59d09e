import type { LabelledDialogue, LabelledTurn } from './labelled-dialogue.ts';
import { randomFrom } from './random.ts';

/** How threads are mixed: in runs of several turns each, or one thread with single turns of the others between. */
export type Mixing = 'runs' | 'digressions';

/** Longest run of one thread before another takes over, in turns. */
const LONGEST_RUN = 4;
/** How often a turn of the main thread is followed by a digression; about as often as in NTM. */
const DIGRESSION_RATE = 0.4;

/** Mixes threads into one dialogue by a seeded rule. Each thread keeps its order and its parents. */
export const interleave = (
  threads: readonly LabelledDialogue[],
  mixing: Mixing,
  seed: number,
  longest: number,
): LabelledDialogue => {
  const random = randomFrom(seed);
  const turns: LabelledTurn[] = [];
  const places = threads.map((): number[] => []);
  const take = (thread: number): boolean => {
    const place = places[thread];
    const turn = threads[thread]?.turns[place?.length ?? 0];
    if (place === undefined || turn === undefined || turns.length >= longest) return false;
    const parent = turn.parent === null ? null : (place[turn.parent] ?? null);
    place.push(turns.push({ ...turn, parent }) - 1);
    return true;
  };
  if (mixing === 'digressions') {
    let digression = 1;
    while (take(0)) {
      while (digression < threads.length && random() < DIGRESSION_RATE) take(digression++);
    }
  } else {
    let thread = 0;
    for (let idle = 0; idle < threads.length; thread = (thread + 1) % threads.length) {
      const run = 1 + Math.floor(random() * LONGEST_RUN);
      let taken = 0;
      while (taken < run && take(thread)) taken++;
      idle = taken === 0 ? idle + 1 : 0;
    }
  }
  const ids = threads.map(({ id }) => id).join('+');
  const [first] = threads;
  return {
    set: `${first?.set ?? ''}-${mixing}`,
    id: `${ids}#${seed}`,
    group: first?.group ?? '',
    labels: 'parents',
    turns,
  };
};
