import type { Forest } from '../../domain/forest.ts';
import { BY_TOPIC } from './colours.ts';
import { type ForestLayout, layoutForest } from './forest-layout.ts';
import type { Scene } from './scene.ts';
import { type Standings, standingsOf } from './standing.ts';

/** A forest as the canvas draws it, with nothing selected, folded or dragged. */
export const bareScene = (forest: Forest, previous: ForestLayout | null = null): Scene =>
  bareSceneOf(forest, layoutForest(forest, previous), standingsOf(forest));

/** The same where it is laid out otherwise. */
export const bareSceneOf = (forest: Forest, layout: ForestLayout, standings: Standings): Scene => ({
  forest,
  layout,
  standings,
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
