import type { Forest } from '../../../domain/forest.ts';
import { BY_TOPIC } from '../colours.ts';
import { layoutForest } from '../forest-layout.ts';
import type { Scene } from '../scene.ts';
import { standingsOf } from '../standing.ts';

/** A forest as the canvas shows it, with nothing selected, folded or dragged but what `more` says. */
export const sceneOf = (forest: Forest, more: Partial<Scene> = {}): Scene => ({
  forest,
  layout: layoutForest(forest, null),
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
  ...more,
});
