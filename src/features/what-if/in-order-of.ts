import type { Forest, Tree } from '../../domain/forest.ts';

/** The forest with its topics in the order, and so in the colours, that those of the other have; new ones come last. */
export const inOrderOf = (forest: Forest, other: Forest): Forest => {
  const orders = Object.values(other.trees).map(({ order }) => order);
  let next = Math.max(-1, ...orders) + 1;
  const trees = Object.values(forest.trees)
    .sort((a, b) => a.order - b.order)
    .map((tree): [string, Tree] => [tree.id, { ...tree, order: other.trees[tree.id]?.order ?? next++ }]);
  return { ...forest, trees: Object.fromEntries(trees) };
};
