import type { Dialogue } from '../engine/ports.ts';

/** A dialogue that demonstrates the app. Loaded on demand, so it does not delay the first paint. */
export interface Sample {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Number of turns, shown before it is loaded. */
  readonly turns: number;
  load(): Promise<Dialogue>;
}

export const samples: readonly Sample[] = [
  // Planning with changes of mind: an alternative to the second turn is tried and abandoned, and two digressions return.
  {
    id: 'trip',
    title: 'Six days in Portugal',
    description:
      'A family plans a trip, digresses to port wine and phrases, considers the mountains, and returns to the coast.',
    turns: 17,
    load: async () => (await import('./samples/trip.json')).default,
  },
  // A program refined turn by turn: an alternative approach is considered and abandoned, and three digressions return.
  {
    id: 'code',
    title: 'A script that finds duplicates',
    description: 'A small program grows step by step, with questions about hashes, batteries and dates along the way.',
    turns: 19,
    load: async () => (await import('./samples/code.json')).default,
  },
  // Reading up on four subjects: each is left and resumed, and two of them fork at an earlier turn.
  {
    id: 'research',
    title: 'Reefs, sleep, gears and tokens',
    description: 'A teacher explores four subjects at once and returns to each of them.',
    turns: 19,
    load: async () => (await import('./samples/research.json')).default,
  },
];
