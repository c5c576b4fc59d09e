import { type AppState, shownForest } from '../../../app/state.ts';
import type { Forest, Node, NodeId } from '../../../domain/forest.ts';
import { childrenOf, familyOf, isAncestor, nodeOf, pathTo, tipOf, treesOf } from '../../../domain/queries.ts';
import { askCanvas } from '../../canvas/canvas-keys.ts';
import {
  buttonThere,
  type Command,
  type CommandContext,
  disabledInPast,
  NO_TURN,
  pressButton,
  turnsMeant,
} from '../../commands/command.ts';
import type { CommandId } from '../../commands/default-keys.ts';
import { countAt, filmStrip, positionAt } from '../../timeline/film-strip.ts';
import { changeAfter, changeBefore } from '../../timeline/player.ts';

/* Ways to move from a turn, for commands. Each returns the turn it leads to; null if it leads nowhere. */

/** The nearest fork before a turn on its path: a turn with several children. */
export const previousFork = (forest: Forest, id: NodeId): NodeId | null =>
  pathTo(forest, nodeOf(forest, id).parentId).findLast((node) => isFork(forest, node))?.id ?? null;

/** The nearest fork after a turn on its branch. */
export const nextFork = (forest: Forest, id: NodeId): NodeId | null =>
  after(forest, id).find((node) => isFork(forest, node))?.id ?? null;

/**
 * The next or previous sibling of the nearest turn, from this one upwards, that has siblings; the siblings of a topic's
 * first turn are those of the other topics.
 */
export const sibling = (forest: Forest, id: NodeId, step: 1 | -1): NodeId | null => {
  for (const node of pathTo(forest, id).reverse()) {
    const row =
      node.parentId === null ? treesOf(forest).map(({ rootId }) => rootId) : childrenOf(forest, node.parentId);
    if (row.length > 1) return row[row.indexOf(node.id) + step] ?? null;
  }
  return null;
};

/** The first turn of its topic. */
export const rootFrom = (forest: Forest, id: NodeId): NodeId | null => {
  const root = pathTo(forest, id)[0]?.id ?? id;
  return root === id ? null : root;
};

/** The last turn of its branch. */
export const tipFrom = (forest: Forest, id: NodeId): NodeId | null => {
  const tip = tipOf(forest, nodeOf(forest, id)).id;
  return tip === id ? null : tip;
};

const isFork = (forest: Forest, { id }: Node): boolean => childrenOf(forest, id).length > 1;

/** The turns after this one on its branch, in order. */
const after = (forest: Forest, id: NodeId): Node[] => {
  const path = pathTo(forest, tipOf(forest, nodeOf(forest, id)).id);
  return path.slice(path.findIndex((node) => node.id === id) + 1);
};

/** A command that goes from the current turn to the one that `way` returns. */
const go = (
  id: CommandId,
  words: string,
  nowhere: string,
  way: (forest: Forest, from: NodeId) => NodeId | null,
): Command => {
  const target = (state: AppState): NodeId | null => {
    const forest = shownForest(state);
    const { selectedId } = state.session;
    // At the moment shown, the selected turn may not be there yet.
    const from = selectedId !== null && forest.nodes[selectedId] !== undefined ? selectedId : turnsMeant(state)[0];
    return from === undefined ? null : way(forest, from);
  };
  return {
    id,
    group: 'Go',
    words,
    unless: (state) => (turnsMeant(state).length === 0 ? NO_TURN : target(state) === null ? nowhere : null),
    run: (reach) => {
      const to = target(reach.state());
      if (to !== null) goToTurn(reach, to);
    },
  };
};

export const goCommands: readonly Command[] = [
  go('next-fork', 'Next fork', 'This branch has no more forks.', nextFork),
  go('previous-fork', 'Previous fork', 'There is no fork above this turn.', previousFork),
  go('sibling-left', 'Branch or topic to the left', 'There is nothing to the left.', (forest, id) =>
    sibling(forest, id, -1),
  ),
  go('sibling-right', 'Branch or topic to the right', 'There is nothing to the right.', (forest, id) =>
    sibling(forest, id, 1),
  ),
  go('root', 'First turn of the topic', 'This is the first turn of its topic.', rootFrom),
  go('tip', 'Last turn of the branch', 'This is the last turn of its branch.', tipFrom),
  {
    id: 'active-turn',
    group: 'Go',
    words: 'The active turn',
    unless: (state) => (shownForest(state).active === null ? NO_TURN : null),
    run: (reach) => {
      const { active } = shownForest(reach.state());
      if (active !== null) goToTurn(reach, active.nodeId);
    },
  },
  {
    id: 'select-under',
    group: 'Go',
    words: 'Select everything below the turn',
    also: 'subtree branch',
    unless: (state) => (turnsMeant(state).length === 0 ? NO_TURN : null),
    run: ({ actions, state }) => {
      const forest = shownForest(state());
      const ids = turnsMeant(state());
      actions.selectMany(familyOf(forest, ids), ids[0] ?? null);
    },
  },
  {
    id: 'select-none',
    group: 'Go',
    words: 'Clear the selection',
    unless: ({ session }) => (session.selection.length === 0 ? 'Nothing is selected.' : null),
    run: ({ actions }) => actions.select(null),
  },
];

const PLAY = '[aria-label="Timeline: play"], [aria-label="Timeline: pause"]';

/** Why there is no step later or earlier. */
const NOWHERE = { 1: 'You are already at the latest turn.', [-1]: 'You are already at the beginning.' } as const;

/** The moment shown, or on its way; null for now. */
const momentOf = ({ past, reaching }: AppState): number | null => reaching ?? past?.count ?? null;

/** Where a step along the turns leads: `undefined` for nowhere, null for now. */
const step = (state: AppState, by: 1 | -1): number | null | undefined => {
  const frames = filmStrip(state);
  const to = positionAt(frames, momentOf(state)) + by;
  return to < 1 || to > frames.length ? undefined : countAt(frames, to);
};

const walk = (by: 1 | -1): Command => ({
  id: by === 1 ? 'later' : 'earlier',
  group: 'Time',
  words: by === 1 ? 'One turn later' : 'One turn earlier',
  also: 'timeline travel',
  unless: (state) => (step(state, by) === undefined ? NOWHERE[by] : null),
  run: ({ actions, state }) => {
    const to = step(state(), by);
    if (to !== undefined) actions.travel(to);
  },
});

/** Steps from change to change of the forest: edits between two turns are moments of their own. */
const walkChanges = (by: 1 | -1): Command => ({
  id: by === 1 ? 'change-later' : 'change-earlier',
  group: 'Time',
  words: by === 1 ? 'One change later' : 'One change earlier',
  also: 'timeline travel event edit step',
  unless: (state) => (toChange(state, by) === undefined ? NOWHERE[by] : null),
  run: ({ actions, state }) => {
    const to = toChange(state(), by);
    if (to !== undefined) actions.travel(to);
  },
});

const toChange = (state: AppState, by: 1 | -1): number | null | undefined =>
  by === 1 ? changeAfter(state.entries, momentOf(state)) : changeBefore(state.entries, momentOf(state));

const needsPast = ({ past }: AppState): string | null =>
  past === null ? 'You are in the present. Go to an earlier moment on the timeline first.' : null;

const atPast = ({ actions, state }: CommandContext, action: 'branchOff' | 'restore'): void => {
  const { past } = state();
  if (past !== null) void actions[action](past.count);
};

export const timeCommands: readonly Command[] = [
  {
    id: 'undo',
    group: 'Time',
    words: 'Undo',
    unless: (state) =>
      disabledInPast(state) ?? (state.forest.history.past.length === 0 ? 'There is nothing to undo.' : null),
    run: ({ actions }) => void actions.undo(),
  },
  {
    id: 'redo',
    group: 'Time',
    words: 'Redo',
    unless: (state) =>
      disabledInPast(state) ?? (state.forest.history.future.length === 0 ? 'There is nothing to redo.' : null),
    run: ({ actions }) => void actions.redo(),
  },
  walk(-1),
  walk(1),
  walkChanges(-1),
  walkChanges(1),
  {
    id: 'beginning',
    group: 'Time',
    words: 'To the first turn',
    also: 'timeline travel start',
    unless: (state) => (filmStrip(state).length < 2 ? NO_TURN : null),
    run: ({ actions, state }) => actions.travel(countAt(filmStrip(state()), 1)),
  },
  {
    id: 'now',
    group: 'Time',
    words: 'Back to now',
    unless: (state) => (momentOf(state) === null ? NOWHERE[1] : null),
    run: ({ actions }) => actions.travel(null),
  },
  {
    id: 'play',
    group: 'Time',
    words: 'Play the conversation like a film, or pause',
    also: 'timeline',
    unless: () => (buttonThere(PLAY) ? null : 'Show the timeline below the forest first.'),
    run: () => pressButton(PLAY),
  },
  {
    id: 'branch-off',
    group: 'Time',
    words: 'Start a new conversation from this moment',
    unless: needsPast,
    run: (reach) => atPast(reach, 'branchOff'),
  },
  {
    id: 'restore',
    group: 'Time',
    words: 'Restore this moment',
    unless: needsPast,
    run: (reach) => atPast(reach, 'restore'),
  },
];

/**
 * Goes to a turn: selects it, scrolls to it in the chat and shows it on the canvas, unfolding only what leads to it.
 * This only looks: the active turn stays the same, and nothing is logged. A turn off the active path is read in the
 * view of everything.
 */
export const goToTurn = ({ actions, state }: CommandContext, nodeId: NodeId): void => {
  if (shownForest(state()).nodes[nodeId] === undefined) actions.travel(null);
  const { session } = state();
  const forest = shownForest(state());
  if (forest.nodes[nodeId] === undefined) return actions.announce('That turn no longer exists.');
  const activeId = forest.active?.nodeId ?? null;
  const onPath = activeId !== null && pathTo(forest, activeId).some(({ id }) => id === nodeId);

  const collapsed = session.collapsed.filter((id) => forest.nodes[id] === undefined || !isAncestor(forest, id, nodeId));
  const pane = session.pane === 'inspector' ? ('chat' as const) : session.pane;
  actions.session({
    collapsed: collapsed.length === session.collapsed.length ? session.collapsed : collapsed,
    pane,
    ...(!onPath && { reading: 'everything' }),
  });
  // A turn that is already selected may be far out of view: selecting it again scrolls back to it.
  if (session.selectedId === nodeId) actions.select(null);
  requestAnimationFrame(() => {
    actions.select(nodeId);
    // The canvas has applied the selection by the next frame.
    requestAnimationFrame(() => requestAnimationFrame(() => askCanvas({ do: 'actual-size' })));
  });
};
