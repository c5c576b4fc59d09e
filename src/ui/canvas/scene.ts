import type { Forest, NodeId, TreeId } from '../../domain/forest.ts';
import type { Colours } from './colours.ts';
import type { ForestLayout } from './forest-layout.ts';
import type { Ghost } from './ghost-box.ts';
import type { Lit } from './lit.ts';
import type { DrawnReference } from './references.ts';
import type { Standings } from './standing.ts';

/** Everything that the canvas shows, apart from where it is looked at. */
export interface Scene {
  readonly forest: Forest;
  readonly layout: ForestLayout;
  readonly standings: Standings;
  readonly colours: Colours;
  readonly references: readonly DrawnReference[];
  /** How many turns are folded away below a card, … */
  readonly folds: ReadonlyMap<NodeId, number>;
  /** … and how many of a topic. */
  readonly foldedIn: ReadonlyMap<TreeId, number>;
  /** What stands beside titles, where that is not how many turns there are below. */
  readonly headings?: ReadonlyMap<TreeId, Heading>;
  readonly selectedId: NodeId | null;
  /** All that is selected. */
  readonly selection: ReadonlySet<NodeId>;
  /** What the decision looked at that the inspector shows; null where it shows none. */
  readonly lit: Lit | null;
  /** Where a turn waits for its place. */
  readonly ghost: Ghost | null;
  /** Turns that are being dragged. */
  readonly carry: Carry | null;
}

export interface Heading {
  readonly note: string;
  /** It names no topic, and has no topic's colour. */
  readonly plain: boolean;
}

export interface Carry {
  /** With all under them. */
  readonly family: ReadonlySet<NodeId>;
  /** The card under the pointer, if it is on one. */
  readonly over: NodeId | null;
  readonly refused: boolean;
}
