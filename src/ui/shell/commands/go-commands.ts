import { type AppState, shownForest } from '../../../app/state.ts';
import type { Forest, NodeId } from '../../../domain/forest.ts';
import { subtree } from '../../../domain/queries.ts';
import { type Command, NO_TURN, turnsMeant } from './command.ts';
import type { CommandId } from './default-keys.ts';
import { goToTurn } from './go-to-turn.ts';
import { nextFork, previousFork, rootFrom, sibling, tipFrom } from './navigate.ts';

/** Goes from the turn that is meant to the one that `way` leads to. */
const go = (
  id: CommandId,
  words: string,
  nowhere: string,
  way: (forest: Forest, from: NodeId) => NodeId | null,
): Command => {
  const target = (state: AppState): NodeId | null => {
    const from = state.session.selectedId ?? turnsMeant(state)[0];
    const forest = shownForest(state);
    return from === undefined || forest.nodes[from] === undefined ? null : way(forest, from);
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
  go('next-fork', 'Next fork', 'No fork follows on this branch.', nextFork),
  go('previous-fork', 'Previous fork', 'Nothing forks above this turn.', previousFork),
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
      const all = new Set(ids.flatMap((id) => subtree(forest, id).map((node) => node.id)));
      actions.selectMany([...all], ids[0] ?? null);
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
