import { randomFrom } from '../../../engine/figures/estimate.ts';
import type { LabelledDialogue, LabelledTurn } from '../datasets/dialogues.ts';

/** Turns that an interleaved conversation has at least, where there is enough to mix. */
const LEAST_TURNS = 20;
/** Longest run of one branch before the user goes elsewhere, in turns. */
const LONGEST_RUN = 4;
/** How often the user then goes to another branch of the same tree, where one can be gone on with. */
const SAME_TREE_RATE = 0.5;

/** A branch of one of the trees: turns of it, each under the one before, the first under a turn of another branch. */
interface Thread {
  readonly tree: number;
  /** Indices in the tree, in order. */
  readonly turns: readonly number[];
  said: number;
}

/**
 * Conversations of a user who goes back and forth between several trees, and between the branches of a tree:
 * follows a path for some turns, leaves it for another branch or another tree, and comes back to where it was
 * left. Every turn keeps its labelled parent, so leaving and coming back makes topic switches and branch
 * switches whose right answer is known. One conversation begins with each tree; the trees after it (in the
 * order given, round and round) join until there are two of them and twenty turns.
 */
export const interleavedConversations = (trees: readonly LabelledDialogue[], dataset: string): LabelledDialogue[] =>
  trees.flatMap((_, first) => {
    const joined: LabelledDialogue[] = [];
    let turns = 0;
    for (let at = 0; at < trees.length && (joined.length < 2 || turns < LEAST_TURNS); at++) {
      const tree = trees[(first + at) % trees.length];
      if (tree === undefined || tree.turns.length === 0) continue;
      joined.push(tree);
      turns += tree.turns.length;
    }
    return joined.length < 2 || turns < LEAST_TURNS ? [] : [interleaveTrees(joined, dataset, first)];
  });

/** One conversation out of all turns of the trees. The same for the same seed. */
export const interleaveTrees = (
  trees: readonly LabelledDialogue[],
  dataset: string,
  seed: number,
): LabelledDialogue => {
  const random = randomFrom(seed);
  const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)];
  const threads = trees.flatMap(({ turns }, tree) => branchesOf(turns, tree));
  /** Where each turn of each tree came to stand. */
  const places = trees.map((): number[] => []);
  const turns: LabelledTurn[] = [];

  const parentOf = ({ tree, turns: own, said }: Thread) => trees[tree]?.turns[own[said] ?? -1]?.parent ?? null;
  const isOpen = (thread: Thread): boolean => {
    const parent = parentOf(thread);
    return thread.said < thread.turns.length && (parent === null || places[thread.tree]?.[parent] !== undefined);
  };
  const say = (thread: Thread): void => {
    const index = thread.turns[thread.said] as number;
    const own = places[thread.tree] as number[];
    const turn = trees[thread.tree]?.turns[index] as LabelledTurn;
    const parent = parentOf(thread);
    own[index] = turns.push({ ...turn, parent: parent === null ? null : (own[parent] as number) }) - 1;
    thread.said++;
  };

  for (let current: Thread | undefined = threads[0]; current !== undefined; ) {
    const run = 1 + Math.floor(random() * LONGEST_RUN);
    for (let taken = 0; taken < run && isOpen(current); taken++) say(current);
    const here: Thread = current;
    const open = threads.filter((thread) => thread !== here && isOpen(thread));
    const near = open.filter(({ tree }) => tree === here.tree);
    const far = open.filter(({ tree }) => tree !== here.tree);
    const stays = near.length > 0 && (far.length === 0 || random() < SAME_TREE_RATE);
    current = pick(stays ? near : far) ?? (isOpen(here) ? here : undefined);
  }
  const groups = trees.map(({ group }) => group);
  const id = `${trees.map((tree) => tree.id).join('+')}#${seed}`;
  return { set: dataset, id, group: groups[0] ?? '', groups, labels: 'parents', turns };
};

/** A turn goes on with its parent's branch if it is the first to hang from it. */
const branchesOf = (turns: readonly LabelledTurn[], tree: number): Thread[] => {
  const threads: { tree: number; turns: number[]; said: number }[] = [];
  const continued = new Set<number>();
  for (const [at, { parent }] of turns.entries()) {
    const branch = parent === null || continued.has(parent) ? null : threads.find((one) => one.turns.at(-1) === parent);
    if (parent !== null) continued.add(parent);
    if (branch) branch.turns.push(at);
    else threads.push({ tree, turns: [at], said: 0 });
  }
  return threads;
};
