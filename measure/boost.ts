import { randomFrom } from '../src/features/evaluate/measurement/random.ts';
import { type Choice, type Model, namesOf, rowOf, type Trees } from '../src/models/embedded/boosted-trees.ts';
import { type Binned, binned } from './boost-bins.ts';
import { type GrownNode, type Growth, growTree, valueIn } from './boost-tree.ts';

/** A decision that was labelled: the choices, and which was right. */
export interface Example {
  readonly choices: readonly Choice[];
  readonly right: number;
  readonly weight: number;
}

export interface Boosting extends Growth {
  readonly rounds: number;
  /** Share of the examples that each round's trees are grown on. */
  readonly sample: number;
  readonly seed: number;
  /** By action and feature: 1 or −1 where the score may only rise or fall with it. */
  readonly directions: Readonly<Record<string, Readonly<Record<string, 1 | -1>>>>;
}

/** The choices of one action over all examples, while their trees grow. */
interface Side {
  readonly action: string;
  readonly features: readonly string[];
  readonly table: Binned;
  readonly direction: Int8Array;
  readonly score: Float64Array;
  readonly slope: Float64Array;
  readonly curvature: Float64Array;
  readonly grown: GrownNode[];
}

/** Flattest that the loss is taken to be, so that no leaf is unbounded. */
const LEAST_CURVATURE = 1e-6;

/**
 * Trees for every action but `resting` (which scores 0) that maximise the likelihood of the right choices
 * under a softmax over each example's choices: gradient boosting on the conditional logit, one tree an
 * action and round. The same examples in the same order give the same trees.
 */
export const boost = (examples: readonly Example[], resting: string, settings: Boosting): Model => {
  const { places, sides } = lay(examples, resting, settings.directions);
  // Of each side's rows the example that they are choices of.
  const owner = sides.map((_, side) =>
    Int32Array.from(places.flatMap((place, at) => place.flatMap(([of]) => (of === side ? [at] : [])))),
  );
  const random = randomFrom(settings.seed);
  for (let round = 0; round < settings.rounds; round++) {
    slopes(examples, places, sides);
    const taken = examples.map(() => random() < settings.sample);
    for (const [of, side] of sides.entries()) {
      const owners = owner[of] as Int32Array;
      const rows = Int32Array.from(owners.keys()).filter((row) => taken[owners[row] as number] === true);
      const tree = growTree(side.table, side, rows, settings, side.direction, random);
      for (let row = 0; row < side.score.length; row++) {
        side.score[row] = (side.score[row] as number) + valueIn(tree, side.table, row);
      }
      side.grown.push(tree);
    }
  }
  return Object.fromEntries(sides.map((side) => [side.action, treesOf(side)]));
};

/** Where each choice of each example lies: its side, and its row there; side −1 for the resting one. */
type Places = readonly (readonly (readonly [side: number, row: number])[])[];

const lay = (
  examples: readonly Example[],
  resting: string,
  directions: Boosting['directions'],
): { places: Places; sides: Side[] } => {
  const actions: string[] = [];
  const choices: Choice[][] = [];
  const places = examples.map((example) =>
    example.choices.map((choice): readonly [number, number] => {
      if (choice.action === resting) return [-1, 0];
      if (!actions.includes(choice.action)) choices[actions.push(choice.action) - 1] = [];
      const side = actions.indexOf(choice.action);
      return [side, (choices[side]?.push(choice) ?? 0) - 1];
    }),
  );
  const sides = actions.map((action, at) => sideOf(action, choices[at] ?? [], directions[action] ?? {}));
  return { places, sides };
};

const sideOf = (action: string, choices: readonly Choice[], directions: Readonly<Record<string, 1 | -1>>): Side => {
  const names = new Set(choices.flatMap(namesOf));
  const features = [...names].sort();
  const unknown = Object.keys(directions).filter((name) => !names.has(name));
  if (unknown.length > 0) throw new Error(`no feature of ${action} is called ${unknown.join(', ')}`);
  const size = choices.length;
  return {
    action,
    features,
    table: binned(
      choices.map((choice) => rowOf(choice, features)),
      features.length,
    ),
    direction: Int8Array.from(features, (name) => directions[name] ?? 0),
    score: new Float64Array(size),
    slope: new Float64Array(size),
    curvature: new Float64Array(size),
    grown: [],
  };
};

/** Writes slope and curvature of the loss by each choice's score. */
const slopes = (examples: readonly Example[], places: Places, sides: readonly Side[]): void => {
  for (const [at, { right, weight }] of examples.entries()) {
    const place = places[at] ?? [];
    const scores = place.map(([side, row]) => sides[side]?.score[row] ?? 0);
    const top = Math.max(...scores);
    const sum = scores.reduce((total, score) => total + Math.exp(score - top), 0);
    for (const [choice, [of, row]] of place.entries()) {
      const side = sides[of];
      if (side === undefined) continue;
      const chance = Math.exp((scores[choice] as number) - top) / sum;
      side.slope[row] = weight * (chance - (choice === right ? 1 : 0));
      side.curvature[row] = weight * Math.max(chance * (1 - chance), LEAST_CURVATURE);
    }
  }
};

/** A side's trees in one block, in preorder. */
const treesOf = ({ features, table, grown }: Side): Trees => {
  const roots: number[] = [];
  const column: number[] = [];
  const threshold: number[] = [];
  const skip: number[] = [];
  const value: number[] = [];
  const lay = (node: GrownNode): void => {
    const at = column.push(node.column) - 1;
    threshold.push(node.column < 0 ? 0 : (table.bounds[node.column]?.[node.bin] ?? 0));
    value.push(node.value);
    skip.push(0);
    if (node.below === null || node.above === null) return;
    lay(node.below);
    skip[at] = column.length - at;
    lay(node.above);
  };
  for (const root of grown) {
    roots.push(column.length);
    lay(root);
  }
  return {
    features,
    roots: Uint32Array.from(roots),
    column: Int16Array.from(column),
    threshold: Float32Array.from(threshold),
    skip: Uint16Array.from(skip),
    value: Float32Array.from(value),
  };
};
