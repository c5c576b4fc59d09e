import type { Learned } from '../../engine/place/lessons.ts';
import { counted } from '../../ui/parts/format.ts';

/** How many corrections taught nothing, and why, in a line; null where all of them are learned. */
export const unlearnedWords = ({ corrections: { of, missed }, share }: Learned): string | null => {
  if (missed === 0) return null;
  const why = 'too little in them tells them from messages that belong elsewhere';
  const held = share < 1 ? ', or to learn it would spoil answers to messages of other kinds' : '';
  return `${missed} of ${counted(of, 'correction')} ${missed === 1 ? 'is' : 'are'} not learned: ${why}${held}.`;
};
