import type { Node } from '../../../domain/forest.ts';
import { nodeOf } from '../../../domain/queries.ts';
import type { Policy, PolicyInput } from '../policy.ts';
import { searchCost } from '../tokens.ts';
import { flatContext, latestFirst } from './flat-context.ts';

/*
 * Policies without topics: earlier turns in full, in chronological order, chosen by age or content.
 */

/** Every earlier turn of the conversation in full. If they do not fit the window, the oldest are left out. */
export const fullHistory: Policy = {
  name: 'full-history',
  about: 'Every earlier turn in full, as a plain chat sends it. When the window is full, the oldest are left out.',
  retrieval: 'similarity',
  sendsPath: false,
  build: (input) => flatContext(input, { policy: fullHistory.name, rank: latestFirst, most: null, gaps: false }),
};

/** The latest turns in full, regardless of topic: `lastTurns` of them, or as many as `contextBudget` holds. */
export const truncation: Policy = {
  name: 'truncation',
  about: 'The latest turns in full, regardless of topic.',
  retrieval: 'similarity',
  sendsPath: false,
  build: (input) =>
    flatContext(input, {
      policy: truncation.name,
      rank: latestFirst,
      most: input.parameters.lastTurns,
      gaps: false,
    }),
};

/** Ranks the turns before a message, most wanted first; among equals the later one first. */
type Rank = (turns: readonly Node[], input: PolicyInput) => Promise<Node[]>;

/**
 * Earlier turns in full, wherever they stand, in chronological order: the top `retrievedTurns`, or as many as
 * `contextBudget` holds. The paper's “w/o Tree” ablation (Hu et al. 2026).
 */
const flat = (name: string, about: string, rank: Rank): Policy => ({
  name,
  about,
  retrieval: 'similarity',
  sendsPath: false,
  build: async (input) => {
    const { forest, nodeId, tokens, parameters } = input;
    const built = await flatContext(input, {
      policy: name,
      rank: (turns) => rank(turns, input),
      most: parameters.retrievedTurns,
      gaps: true,
    });
    return { ...built, cost: async () => searchCost(forest, nodeId, tokens) };
  },
});

/** Retrieves by words and vectors combined. Turns without a match in either come last, the latest first. */
export const flatRag = flat(
  'flat-rag',
  'The turns that best match the message by words and similarity, in full, wherever they are. The paper’s ablation without the tree.',
  async (turns, { forest, nodeId, retrieve }) => {
    const found = await retrieve(nodeOf(forest, nodeId).message, { limit: turns.length });
    const placeOf = new Map(found.map((one, place) => [one.nodeId, place]));
    const place = ({ id }: Node): number => placeOf.get(id) ?? found.length;
    return latestFirst(turns).sort((a, b) => place(a) - place(b));
  },
);

/**
 * Retrieves by vectors alone, as in the paper. Turns of unknown similarity come last; if none is known, the latest
 * turns are taken.
 */
export const vectorRag = flat(
  'vector-rag',
  'Like flat-rag, but by vector similarity alone.',
  async (turns, { nearness }) => {
    const near = ({ id }: Node): number => nearness(id) ?? Number.NEGATIVE_INFINITY;
    // The sort is stable: among equally near turns the later one comes first.
    return latestFirst(turns).sort((a, b) => (near(a) === near(b) ? 0 : near(b) - near(a)));
  },
);
