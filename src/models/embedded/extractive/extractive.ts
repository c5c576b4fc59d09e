import type { Summariser } from '../../../engine/ports.ts';
import { SUMMARISER } from '../embedded-names.ts';
import { summaryOf } from './summary.ts';
import { titleOf } from './title.ts';

/** Role `summarise` by rules alone, for English; other languages are quoted. Takes about a millisecond. */
export const createExtractive = (): Summariser => ({
  name: SUMMARISER,
  summarise: async (turn, signal) => {
    signal?.throwIfAborted();
    return summaryOf(turn);
  },
  title: async (turn, signal) => {
    signal?.throwIfAborted();
    return titleOf(turn);
  },
});
