import type { Forest, Node } from '../../../domain/forest.ts';
import type { PolicyContext } from '../../../engine/history/compare-contexts.ts';
import { counted } from '../../parts/format.ts';
import { bareScene } from '../bare-scene.ts';
import { type Standing, type Standings, standingOf, standingsBy } from '../standing.ts';
import type { Picture, PictureCard, Strength } from './picture.ts';
import { placeGroups } from './place-groups.ts';

/** Policies that send by the forest's own shape. */
const keepsForest = (policy: string): boolean => policy === 'focused' || policy.startsWith('context-agent');

const STRENGTH: Readonly<Record<Standing, Strength>> = {
  full: 'forward',
  summary: 'quiet',
  'left-out': 'back',
  hidden: 'back',
};
const NOTE: Readonly<Record<Standing, string>> = {
  full: 'in full',
  summary: 'summary',
  'left-out': 'left out',
  hidden: 'hidden',
};
const WHY: Readonly<Record<Standing, string>> = {
  full: 'Sent in full',
  summary: 'Sent as a summary',
  'left-out': 'Left out of the context',
  hidden: 'Hidden, and never sent',
};

/**
 * What a policy that keeps no memory of its own sends for a turn: in the forest as it then stood, where it goes by
 * that, else among the turns in order of time. `aspect` is the pane's shape.
 */
export const contextScene = ({ policy, context, forest }: PolicyContext, aspect: number): Picture => {
  const standings = standingsBy(forest, context);
  const turns = Object.values(forest.nodes).sort((a, b) => a.number - b.number);
  const cards = new Map(turns.map((node) => [node.id, cardOf(forest, standings, node)]));
  const forward = turns.flatMap(({ id }) => (cards.get(id)?.strength === 'forward' ? [id] : []));
  if (keepsForest(policy)) return { scene: { ...bareScene(forest), standings }, cards, forward };
  const run = {
    id: 'in order of time',
    title: 'In order of time',
    heading: { note: counted(turns.length, 'turn'), plain: true },
    order: 0,
    pieces: turns.map(({ id }) => ({ id, parent: null })),
    as: 'rows' as const,
  };
  return { scene: placeGroups(turns.length === 0 ? [] : [run], aspect), cards, forward };
};

const cardOf = (forest: Forest, standings: Standings, node: Node): PictureCard => {
  const { id, number, message, treeId } = node;
  const standing = standingOf(forest, standings, id);
  const asked = forest.active?.nodeId === id;
  return {
    id,
    name: `Turn ${number}`,
    number: String(number),
    words: message,
    note: asked ? 'the message' : NOTE[standing],
    strength: STRENGTH[standing],
    order: forest.trees[treeId]?.order ?? 0,
    from: [id],
    why: asked ? 'The message that is answered' : WHY[standing],
  };
};
