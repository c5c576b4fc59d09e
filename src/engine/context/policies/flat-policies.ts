import type { Node } from '../../../domain/forest.ts';
import { nodeOf } from '../../../domain/queries.ts';
import type { Policy, PolicyInput } from '../policy.ts';
import { searchCost } from '../tokens.ts';
import { flatContext, latestFirst } from './flat-context.ts';

/*
 * Policies that know of no topics: earlier turns in full, in order of time, chosen by their age or by what they say.
 */

/** Every earlier turn of the conversation in full. Of those that do not fit the window the oldest are left out. */
export const fullHistory: Policy = {
  name: 'full-history',
  about: 'Every earlier turn in full, as a plain chat sends it. When the window is full, the oldest are left out.',
  retrieval: 'similarity',
  sendsPath: false,
  build: (input) => flatContext(input, { policy: fullHistory.name, rank: latestFirst, most: null, gaps: false }),
};

/** The last turns by time in full, whatever their topic: `lastTurns` of them, or as many as `contextBudget` holds. */
export const truncation: Policy = {
  name: 'truncation',
  about: 'The last turns in full, whatever their topic.',
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

/** Puts the turns before a message in the order in which they are wanted, of equals the later first. */
type Rank = (turns: readonly Node[], input: PolicyInput) => Promise<Node[]>;

/**
 * Earlier turns in full, wherever they stand, in order of time: the foremost `retrievedTurns`, or as many as `contextBudget`
 * holds. The ablation “w/o Tree” of the paper (Hu et al. 2026).
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

/** Found by words and vectors together. Turns that have nothing of either come after all others, the latest first. */
export const flatRag = flat(
  'flat-rag',
  'The turns that match the message best by words and similarity, in full, wherever they stand: the paper’s ablation without the tree.',
  async (turns, { forest, nodeId, retrieve }) => {
    const found = await retrieve(nodeOf(forest, nodeId).message, { limit: turns.length });
    const placeOf = new Map(found.map((one, place) => [one.nodeId, place]));
    const place = ({ id }: Node): number => placeOf.get(id) ?? found.length;
    return latestFirst(turns).sort((a, b) => place(a) - place(b));
  },
);

/**
 * Found by vectors alone, as the paper has it. A turn whose similarity is not known comes after all others; where none is
 * known the latest turns are taken.
 */
export const vectorRag = flat(
  'vector-rag',
  'Like flat-rag, by the similarity of vectors alone.',
  async (turns, { nearness }) => {
    const near = ({ id }: Node): number => nearness(id) ?? Number.NEGATIVE_INFINITY;
    // The sort is stable: of equally near turns the later one comes first.
    return latestFirst(turns).sort((a, b) => (near(a) === near(b) ? 0 : near(b) - near(a)));
  },
);
