import type { Forest, NodeId } from '../../domain/forest.ts';
import type { ForestLayout } from './forest-layout.ts';
import type { Ghost } from './ghost-box.ts';
import type { Standings } from './standing.ts';

/** Everything that the canvas shows, apart from where it is looked at. */
export interface Scene {
  readonly forest: Forest;
  readonly layout: ForestLayout;
  readonly standings: Standings;
  readonly selectedId: NodeId | null;
  /** Where a turn waits for its place. */
  readonly ghost: Ghost | null;
}
