import type { Colouring } from '../../app/state.ts';
import type { BranchId, Forest, NodeId } from '../../domain/forest.ts';
import { replyOf } from '../../domain/queries.ts';
import { TOPIC_COLOURS, topicColour } from '../topic-colour.ts';
import { type Standing, type Standings, standingOf } from './standing.ts';

/** Steps of the scale for age and tokens, from little to much. */
export const SCALE_STEPS = 5;
const SCALE = TOPIC_COLOURS;
const STANDINGS: readonly Standing[] = ['full', 'summary', 'left-out', 'hidden'];

/** All colours that a card can have, by number: the topics', then the scale's, then one for each standing. */
export const COLOURS: readonly string[] = [
  ...Array.from({ length: TOPIC_COLOURS }, (_, order) => topicColour(order)),
  ...Array.from({ length: SCALE_STEPS }, (_, step) => `var(--scale-${step})`),
  ...STANDINGS.map((standing) => `var(--standing-${standing})`),
];
export const scaleColour = (step: number): string => COLOURS[SCALE + step] as string;
export const standingColour = (standing: Standing): string => `var(--standing-${standing})`;

export interface Colours {
  readonly by: Colouring;
  /** The number of a turn's colour among COLOURS; `order` is its topic's. */
  readonly of: (id: NodeId, order: number) => number;
  /** Where the scale ends; null without one. */
  readonly most: number | null;
}

export const BY_TOPIC: Colours = { by: 'topic', of: (_, order) => order % TOPIC_COLOURS, most: null };

export const coloursOf = (forest: Forest, standings: Standings, by: Colouring): Colours => {
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
      const most = Object.keys(forest.nodes).reduce((max, id) => Math.max(max, tokensOf(forest, id)), 0);
      return { by, most, of: (id) => stepOf(tokensOf(forest, id), most) };
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

/** Of the context that a turn was answered from. */
const tokensOf = ({ nodes }: Forest, id: NodeId): number => {
  const node = nodes[id];
  return (node === undefined ? undefined : replyOf(node)?.context?.tokens) ?? 0;
};

/** Branches counted in the order they began, so that neighbours differ. */
const branchPlaces = ({ branches, nodes }: Forest): ReadonlyMap<BranchId, number> =>
  new Map(
    Object.values(branches)
      .sort((a, b) => (nodes[a.headId]?.number ?? 0) - (nodes[b.headId]?.number ?? 0))
      .map(({ id }, place) => [id, place]),
  );
