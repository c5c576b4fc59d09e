import type { Forest } from '../../domain/forest.ts';
import { BY_TOPIC } from './colours.ts';
import { type ForestLayout, layoutForest } from './forest-layout.ts';
import type { Scene } from './scene.ts';
import { standingsOf } from './standing.ts';

/** A forest as the canvas draws it, with nothing selected, folded or dragged. */
export const bareScene = (forest: Forest, previous: ForestLayout | null = null): Scene => ({
  forest,
  layout: layoutForest(forest, previous),
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
