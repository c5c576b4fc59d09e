import type { Why } from '../../domain/context.ts';

const WORDS: Readonly<Record<Why['reason'], string>> = {
  'last-exchange': 'the last exchange',
  recent: 'recent',
  'same-words': 'the same words',
  alike: 'like the message',
  unsure: 'the message may go on from there',
  pinned: 'pinned',
  'referred-to': 'referred to',
  'whole-is-shorter': 'off the path, and no dearer than leaving it out',
};

/** Why a turn is in a context: ` · the same words (“thermostat”)`; empty where nothing is told. */
export const whyWords = (why: readonly Why[] | undefined): string => {
  if (why === undefined || why.length === 0) return '';
  const told = why.map(({ reason, words = [] }) => {
    const quoted = words.slice(0, 3).map((word) => `“${word}”`);
    return `${WORDS[reason]}${quoted.length === 0 ? '' : ` (${quoted.join(', ')})`}`;
  });
  return ` · ${told.join(', ')}`;
};
