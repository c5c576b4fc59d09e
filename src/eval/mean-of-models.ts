import type { Model } from '../adapters/models/boosted-choice.ts';
import type { Trees } from '../adapters/models/boosted-trees.ts';

/** The mean of models of the same actions and features: the trees of all, each worth its part. */
export const meanOf = (models: readonly Model[]): Model => {
  const actions = Object.keys(models[0] ?? {});
  return Object.fromEntries(
    actions.map((action) => [action, treesOfAll(models.map((model) => model[action] as Trees))]),
  );
};

const treesOfAll = (all: readonly Trees[]): Trees => {
  let start = 0;
  const roots = all.flatMap((trees) => {
    const moved = Array.from(trees.roots, (root) => start + root);
    start += trees.column.length;
    return moved;
  });
  return {
    features: all[0]?.features ?? [],
    roots: Uint32Array.from(roots),
    column: Int16Array.from(all.flatMap(({ column }) => [...column])),
    threshold: Float32Array.from(all.flatMap(({ threshold }) => [...threshold])),
    skip: Uint16Array.from(all.flatMap(({ skip }) => [...skip])),
    value: Float32Array.from(all.flatMap(({ value }) => Array.from(value, (one) => one / all.length))),
  };
};
