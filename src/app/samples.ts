import type { Dialogue } from '../engine/ports.ts';

/** A dialogue that shows what the app is for. Loaded when it is asked for: no first paint waits for it. */
export interface Sample {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** How many turns it has, to be told before it is loaded. */
  readonly turns: number;
  load(): Promise<Dialogue>;
}

export const samples: readonly Sample[] = [
  {
    id: 'trip',
    title: 'Six days in Portugal',
    description:
      'A family plans a trip, wanders off to port wine and phrases, tries the mountains and returns to the coast.',
    turns: 17,
    load: async () => (await import('./samples/trip.ts')).trip,
  },
  {
    id: 'code',
    title: 'A script that finds duplicates',
    description: 'A small program grows by refinements, with questions on hashes, batteries and dates in between.',
    turns: 19,
    load: async () => (await import('./samples/code.ts')).code,
  },
  {
    id: 'research',
    title: 'Reefs, sleep, gears and tokens',
    description: 'A teacher reads up on four subjects at once and comes back to each of them.',
    turns: 19,
    load: async () => (await import('./samples/research.ts')).research,
  },
];
