import type { Colouring } from '../../app/state.ts';
import { type Context, listedTurns } from '../../domain/context.ts';
import type { Trace } from '../../domain/decision.ts';
import type { BranchId, Forest, Node, NodeId, PendingTurn, TreeId } from '../../domain/forest.ts';
import { activePath, nodeOf, replyOf } from '../../domain/queries.ts';
import { recordsOf } from '../../domain/table.ts';
import { referringTurns } from '../../domain/turns-in-order.ts';
import { TOPIC_COLOURS, topicColour } from '../topic-colour.ts';
import { nearestIds } from './find-cards.ts';
import { standInFor } from './folding.ts';
import { CARD, type Rect, ROW_GAP, SIBLING_GAP, TITLE_HEIGHT, TOPIC_GAP } from './geometry.ts';
import { boxOf, type CardRef, cardNodeId, cardOf, type ForestLayout, layoutForest } from './layout.ts';

/** Everything the canvas shows, except the view of it. */
export interface Scene {
  readonly forest: Forest;
  readonly layout: ForestLayout;
  readonly standings: ContextStates;
  readonly colours: Colours;
  readonly references: readonly DrawnReference[];
  /** The number of turns folded away below a card. */
  readonly folds: ReadonlyMap<NodeId, number>;
  /** The number of turns folded away in a topic. */
  readonly foldedIn: ReadonlyMap<TreeId, number>;
  /** Notes next to titles, replacing the number of turns. */
  readonly headings?: ReadonlyMap<TreeId, TitleNote>;
  readonly selectedId: NodeId | null;
  /** The whole selection. */
  readonly selection: ReadonlySet<NodeId>;
  /** What the decision shown in the inspector looked at; null if none is shown. */
  readonly lit: DecisionHighlight | null;
  /** Where a turn waits to be placed. */
  readonly ghost: Ghost | null;
  /** Turns being dragged. */
  readonly carry: DragPreview | null;
}

export interface TitleNote {
  readonly note: string;
  /** It does not name a topic, and has no topic colour. */
  readonly plain: boolean;
}

export interface DragPreview {
  /** Including everything under them. */
  readonly family: ReadonlySet<NodeId>;
  /** The one that was picked up. */
  readonly held: NodeId | null;
  /** The card under the pointer, if any. */
  readonly over: NodeId | null;
  readonly refused: boolean;
}

/** Steps of the scale for age and tokens, from low to high. */
export const SCALE_STEPS = 5;
const SCALE = TOPIC_COLOURS;
const STANDINGS: readonly ContextState[] = ['full', 'summary', 'left-out', 'hidden'];

/** All card colours, by index: the topics', then the scale's, then one per standing. */
export const COLOURS: readonly string[] = [
  ...Array.from({ length: TOPIC_COLOURS }, (_, order) => topicColour(order)),
  ...Array.from({ length: SCALE_STEPS }, (_, step) => `var(--scale-${step})`),
  ...STANDINGS.map((standing) => `var(--standing-${standing})`),
];
export const scaleColour = (step: number): string => COLOURS[SCALE + step] as string;
export const standingColour = (standing: ContextState): string => `var(--standing-${standing})`;

export interface Colours {
  readonly by: Colouring;
  /** The index of a turn's colour in COLOURS; `order` is its topic's. */
  readonly of: (id: NodeId, order: number) => number;
  /** The top of the scale; null without one. */
  readonly most: number | null;
}

const BY_TOPIC: Colours = { by: 'topic', of: (_, order) => order % TOPIC_COLOURS, most: null };

/** `mostTokens` is what `mostTokens` has found. Turns that it has not read yet are at the bottom of the scale. */
export const coloursOf = (
  forest: Forest,
  standings: ContextStates,
  by: Colouring,
  mostTokens: number | null = null,
): Colours => {
  switch (by) {
    case 'topic':
      return BY_TOPIC;
    case 'branch': {
      const places = branchPlaces(forest);
      return { by, most: null, of: (id) => (places.get(forest.nodes[id]?.branchId ?? '') ?? 0) % TOPIC_COLOURS };
    }
    case 'age': {
      const most = forest.turnCount;
      return { by, most, of: (id) => stepOf((forest.nodes[id]?.number ?? 1) - 1, most) };
    }
    case 'tokens': {
      const most = mostTokens ?? 0;
      const { nodes } = forest;
      return { by, most, of: (id) => stepOf(tokensRead.get(nodes[id] as Node) ?? 0, most) };
    }
    case 'context':
      return {
        by,
        most: null,
        of: (id) => SCALE + SCALE_STEPS + STANDINGS.indexOf(standingOf(forest, standings, id)),
      };
  }
};

const stepOf = (value: number, most: number): number =>
  SCALE + Math.min(SCALE_STEPS - 1, Math.floor((value / Math.max(most, 1)) * SCALE_STEPS));

/** Tokens of the contexts that turns were answered with. Of a long conversation, reading them takes seconds. */
const tokensRead = new WeakMap<Node, number>();

/** Turns read in a step: as many as take a few milliseconds. */
const PART = 64;

/** The largest number of tokens that a turn was answered with; found in steps, in each of which turns not read before are read. */
export function* mostTokens({ nodes }: Forest): Generator<undefined, number> {
  let most = 0;
  for (const [at, node] of recordsOf(nodes).entries()) {
    if (at > 0 && at % PART === 0) yield;
    const tokens = tokensRead.get(node) ?? replyOf(node)?.context?.tokens ?? 0;
    tokensRead.set(node, tokens);
    most = Math.max(most, tokens);
  }
  return most;
}

/** Branches numbered in the order they started, so that neighbours differ. */
const branchPlaces = ({ branches, nodes }: Forest): ReadonlyMap<BranchId, number> =>
  new Map(
    recordsOf(branches)
      .toSorted((a, b) => (nodes[a.headId]?.number ?? 0) - (nodes[b.headId]?.number ?? 0))
      .map(({ id }, place) => [id, place]),
  );

/** How much of a turn the chat model sees: all of it, its summary, or only a count. It never sees hidden ones. */
export type ContextState = 'full' | 'summary' | 'left-out' | 'hidden';

export interface ContextStates {
  readonly path: ReadonlySet<NodeId>;
  readonly full: ReadonlySet<NodeId>;
  /** Turns sent as summaries; null if no context says which. */
  readonly summarised: ReadonlySet<NodeId> | null;
}

/**
 * Derived from the context that the active turn was answered with, whatever policy built it. Without one, the path is
 * assumed to be sent, and everything else at least as a summary.
 */
export const standingsOf = (forest: Forest): ContextStates => {
  const path = new Set(activePath(forest).map((node) => node.id));
  const context = forest.active === null ? null : replyOf(nodeOf(forest, forest.active.nodeId))?.context;
  return context ? standingsBy(forest, context, path) : { path, full: path, summarised: null };
};

/** Derived from a context of this forest. */
export const standingsBy = (
  forest: Forest,
  context: Context,
  path: ReadonlySet<NodeId> = new Set(activePath(forest).map((node) => node.id)),
): ContextStates => ({ path, ...sentIn(forest, context) });

const sentIn = ({ overviews }: Forest, { segments }: Context) => {
  const full = new Set<NodeId>();
  const summarised = new Set<NodeId>();
  for (const segment of segments) {
    if (segment.kind === 'turn' || segment.kind === 'message') full.add(segment.nodeId);
    else if (segment.kind === 'fetched' && segment.message === null && segment.reply === null) full.add(segment.nodeId);
    else if ('nodeId' in segment) summarised.add(segment.nodeId);
    else if (segment.kind === 'memory') for (const id of segment.from) (segment.whole ? full : summarised).add(id);
    else if (segment.kind === 'overview') {
      const overview = overviews[segment.overviewId];
      for (const id of overview === undefined ? [] : listedTurns(overview)) summarised.add(id);
    }
  }
  return { full, summarised };
};

export const standingOf = ({ nodes }: Forest, { full, summarised }: ContextStates, id: NodeId): ContextState => {
  if (nodes[id]?.hidden === true) return 'hidden';
  if (full.has(id)) return 'full';
  return summarised === null || summarised.has(id) ? 'summary' : 'left-out';
};

/** What a decision looked at, to be highlighted in place. */
export interface DecisionHighlight {
  /** The message's similarity to each retrieved turn. */
  readonly near: ReadonlyMap<NodeId, number>;
  /** n*: the turn the gate looked at. */
  readonly point: NodeId | null;
  /** The topic the message went to; null for a new one. */
  readonly target: TreeId | null;
}

export const highlightOf = ({ topic, fork }: Pick<Trace, 'topic' | 'fork'>): DecisionHighlight => ({
  near: new Map(fork.candidates.map(({ nodeId, similarity }) => [nodeId, similarity])),
  point: fork.point,
  target: topic.target,
});

/** A reference as drawn: from card to card; for a turn that is folded away, from the card it is folded into. */
export interface DrawnReference {
  readonly from: NodeId;
  readonly to: NodeId;
  readonly fromBox: Rect;
  readonly toBox: Rect;
}

/** All references between visible cards. */
export const drawnReferences = (forest: Forest, layout: ForestLayout): readonly DrawnReference[] =>
  referringTurns(forest.nodes).flatMap(({ id, references }) =>
    references.flatMap(({ to }) => {
      const [from, end] = [shownCard(forest, layout, id), shownCard(forest, layout, to)];
      if (from === null || end === null) return [];
      const [a, b] = [cardNodeId(from), cardNodeId(end)];
      return a === b ? [] : [{ from: a, to: b, fromBox: boxOf(from), toBox: boxOf(end) }];
    }),
  );

/** A turn's card, or the one that it is folded into. */
const shownCard = (forest: Forest, layout: ForestLayout, id: NodeId): CardRef | null =>
  cardOf(layout, forest.nodes[standInFor(forest, (node) => cardOf(layout, node) !== null, id) ?? '']);

interface Ghost {
  readonly box: Rect;
  /** The card it continues from, if any. */
  readonly from: Rect | null;
}

/**
 * Where a turn waits while its place is being decided: at the nearest free spot under the turn it may continue from, or
 * under the one that turn is folded into, or next to the last topic if it is to start one.
 */
export const ghostOf = (forest: Forest, layout: ForestLayout, { target }: PendingTurn): Ghost => {
  const from = shownCard(forest, layout, target?.kind === 'under' ? target.nodeId : (forest.active?.nodeId ?? ''));
  const last = layout.trees.at(-1);
  if (last === undefined) return { box: { x: 0, y: TITLE_HEIGHT, ...CARD }, from: null };
  if (from === null || target?.kind === 'new-topic') {
    return { box: { x: last.x + last.tree.width + TOPIC_GAP, y: last.y, ...CARD }, from: null };
  }
  const card = boxOf(from);
  const y = card.y + CARD.height + ROW_GAP;
  for (let step = 0; ; step++) {
    const away = Math.ceil(step / 2) * (CARD.width + SIBLING_GAP) * (step % 2 === 0 ? -1 : 1);
    const box = { x: card.x + away, y, ...CARD };
    if (nearestIds(layout, box, 1).length === 0) return { box, from: card };
  }
};

/** A forest as the canvas draws it, with nothing selected, folded or dragged. */
export const bareScene = (forest: Forest, previous: ForestLayout | null = null): Scene =>
  bareSceneOf(forest, layoutForest(forest, previous), standingsOf(forest));

/** The same for a given layout. */
export const bareSceneOf = (forest: Forest, layout: ForestLayout, standings: ContextStates): Scene => ({
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

/** The active turn's card, or the one that it is folded into. */
export const shownActive = ({ forest, layout }: Scene): CardRef | null =>
  shownCard(forest, layout, forest.active?.nodeId ?? '');
