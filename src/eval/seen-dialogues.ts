import type { LabelledDialogue } from './labelled-dialogue.ts';

/** Shortest message that tells one dialogue from another, in characters. */
const TELLING = 24;

export const telling = (message: string): boolean => message.length >= TELLING;

/** 32 bits of a message (FNV-1a): enough to recognise one, too little to read it. */
export const hashOf = (message: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < message.length; at++) hash = Math.imul(hash ^ message.charCodeAt(at), 0x01000193);
  return hash >>> 0;
};

export const FOLDS = 5;

/** Sets of few, long trees, which conversations are put together from: all of one are in the same fold. */
const WHOLE: Readonly<Record<string, number>> = { cast2022: 0, oasst: 1 };

type Grouped = Pick<LabelledDialogue, 'set' | 'group' | 'groups'>;

/** The parts of the cross-validation that a dialogue has texts of: one, but for those put together from several. */
export const foldsOf = ({ set, group, groups = [group] }: Grouped): number[] => {
  const whole = WHOLE[set.split('-')[0] ?? ''];
  return whole === undefined ? groups.map((name) => hashOf(name) % FOLDS) : [whole];
};

/** By fold, the first telling messages of each dialogue, as hashes: those that another fold has, too, are left out. */
export const seenIn = (dialogues: readonly LabelledDialogue[]): number[][] => {
  const folds = new Map<number, number>();
  const ambiguous = new Set<number>();
  for (const dialogue of dialogues) {
    const [fold = 0, ...others] = foldsOf(dialogue);
    // What it is put together from is there by itself.
    if (others.length > 0) continue;
    for (const { message } of dialogue.turns.filter(({ message }) => telling(message)).slice(0, 2)) {
      const hash = hashOf(message);
      if ((folds.get(hash) ?? fold) !== fold) ambiguous.add(hash);
      folds.set(hash, fold);
    }
  }
  return Array.from({ length: FOLDS }, (_, fold) =>
    [...folds].flatMap(([hash, of]) => (of === fold && !ambiguous.has(hash) ? [hash] : [])).sort((a, b) => a - b),
  );
};
