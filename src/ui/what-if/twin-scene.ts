import type { Forest, Tree } from '../../domain/forest.ts';
import { BY_TOPIC } from '../canvas/colours.ts';
import { UNFOLDED } from '../canvas/folding.ts';
import { type ForestLayout, layoutForest } from '../canvas/forest-layout.ts';
import type { Scene } from '../canvas/scene.ts';
import { standingsOf } from '../canvas/standing.ts';

/** A forest as the canvas draws it, with nothing selected or dragged. */
export const sceneOf = (forest: Forest, previous: ForestLayout | null): Scene => ({
  forest,
  layout: layoutForest(forest, previous, UNFOLDED),
  standings: standingsOf(forest),
  colours: BY_TOPIC,
  references: [],
  folds: new Map(),
  foldedIn: new Map(),
  selectedId: null,
  selection: new Set(),
  lit: null,
  ghost: null,
  carry: null,
});

/** The forest with its topics in the order, and so in the colours, that those of the other have; new ones come last. */
export const inOrderOf = (forest: Forest, other: Forest): Forest => {
  const orders = Object.values(other.trees).map(({ order }) => order);
  let next = Math.max(-1, ...orders) + 1;
  const trees = Object.values(forest.trees)
    .sort((a, b) => a.order - b.order)
    .map((tree): [string, Tree] => [tree.id, { ...tree, order: other.trees[tree.id]?.order ?? next++ }]);
  return { ...forest, trees: Object.fromEntries(trees) };
};
