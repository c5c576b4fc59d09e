import type { LabelledDialogue, LabelledTurn } from '../src/features/evaluate/datasets/labelled-dialogue.ts';
import { randomFrom } from '../src/features/evaluate/measurement/random.ts';

/** How often a turn of the main thread is followed by a digression; about as often as in NTM. */
const RATE = 0.4;
/** Longest conversation, in turns; NTM has up to 29. */
const LONGEST = 26;

/** The first turn of another dialogue, and that one's group. */
export interface Opener {
  readonly turn: LabelledTurn;
  readonly group: string;
}

/** A thread with single questions between its turns, each a topic of its own, by a seeded rule. */
export const withDigressions = (main: LabelledDialogue, asides: readonly Opener[], seed: number): LabelledDialogue => {
  const random = randomFrom(seed);
  const turns: LabelledTurn[] = [];
  /** Where each turn of the main thread came to stand. */
  const places: number[] = [];
  let next = 0;
  for (const turn of main.turns) {
    if (turns.length >= LONGEST) break;
    const parent = turn.parent === null ? null : (places[turn.parent] ?? null);
    places.push(turns.push({ ...turn, parent }) - 1);
    for (let aside = asides[next]; aside !== undefined && random() < RATE; aside = asides[next]) {
      if (turns.length >= LONGEST) break;
      turns.push({ ...aside.turn, parent: null });
      next++;
    }
  }
  const { set, id, group } = main;
  const groups = [...new Set([group, ...asides.slice(0, next).map((aside) => aside.group)])];
  return { set: `${set}-digressions`, id: `${id}#${seed}`, group, groups, labels: 'parents', turns };
};
