import type { Actions } from '../../../app/actions.ts';
import type { AppState } from '../../../app/state.ts';
import { subtree } from '../../../domain/queries.ts';
import { turnMeant } from './chat-commands.ts';
import { type Command, inThePast, NO_TURN, type Reach, turnsMeant } from './command.ts';
import { type TurnAction, type TurnActionId, turnActions } from './turn-action-list.ts';

/** In the list of shortcuts, where no turn is meant. */
const WORDS: Readonly<Record<TurnActionId, string>> = {
  'reply-from-here': 'Reply from here',
  'make-active': 'Make active',
  refer: 'Refer to another turn…',
  copy: 'Copy',
  move: 'Move under…',
  'own-topic': 'Make it a topic of its own',
  'take-out': 'Take it out of its path',
  'end-branch': 'End the branch here',
  pin: 'Pin or unpin',
  hide: 'Hide or show',
  note: 'Note…',
  summary: 'Edit summary…',
  'topic-title': 'Rename topic…',
  'branch-title': 'Rename branch…',
  delete: 'Delete',
  purge: 'Purge…',
};

const ALSO: Partial<Record<TurnActionId, string>> = {
  'reply-from-here': 'fork branch continue',
  'make-active': 'switch activate',
  refer: 'reference link',
  move: 're-parent merge',
  'own-topic': 'split',
  'take-out': 'extract',
  'end-branch': 'move tip back',
  delete: 'remove',
  purge: 'erase privacy for good',
};

/** None is run from here: it only tells what could be. */
const nobody = new Proxy({} as Actions, { get: () => () => undefined });

let last: { state: AppState; list: readonly TurnAction[] } | null = null;
const listed = (state: AppState): readonly TurnAction[] => {
  if (last?.state !== state) last = { state, list: turnActions(state, nobody, turnsMeant(state)).flat() };
  return last.list;
};

const whyNot = (state: AppState, id: TurnActionId): string | null => {
  if (turnsMeant(state).length === 0) return NO_TURN;
  const action = listed(state).find((one) => one.id === id);
  return action === undefined ? 'Select one turn only.' : action.refusal;
};

const meant = (state: AppState): string => {
  const ids = turnsMeant(state);
  const node = turnMeant(state);
  return ids.length > 1 ? `${ids.length} turns` : node === null ? 'no turn' : `turn ${node.number}`;
};

const runOne = ({ actions, state }: Reach, id: TurnActionId): void =>
  turnActions(state(), actions, turnsMeant(state()))
    .flat()
    .find((one) => one.id === id)
    ?.run();

const byAction = (id: TurnActionId): Command => ({
  id,
  group: 'Turn',
  words: WORDS[id],
  wordsNow: (state) => `${listed(state).find((one) => one.id === id)?.words ?? WORDS[id]} · ${meant(state)}`,
  ...(ALSO[id] === undefined ? {} : { also: ALSO[id] }),
  unless: (state) => whyNot(state, id),
  run: (reach) => runOne(reach, id),
});

/** What is done to turns with all under them. */
const withAllUnder = (id: 'hide-all' | 'delete-all', like: 'hide' | 'delete', words: string): Command => ({
  id,
  group: 'Turn',
  words,
  wordsNow: (state) => `${words} · ${meant(state)}`,
  unless: (state) => whyNot(state, like),
  run: ({ actions, state }) => {
    const ids = turnsMeant(state());
    const { forest } = state();
    if (id === 'delete-all') return void actions.deleteTurns(ids, false);
    const family = [...new Set(ids.flatMap((one) => subtree(forest, one).map((node) => node.id)))];
    void actions.hideTurns(
      family,
      ids.some((one) => forest.nodes[one]?.hidden === false),
    );
  },
});

export const turnCommands: readonly Command[] = [
  ...(Object.keys(WORDS) as TurnActionId[]).map(byAction),
  withAllUnder('hide-all', 'hide', 'Hide or show with all under it'),
  withAllUnder('delete-all', 'delete', 'Delete with all under it'),
  {
    id: 'confirm',
    group: 'Turn',
    words: 'Confirm that it is in the right place',
    also: 'confirm annotate label',
    wordsNow: (state) => `Confirm that it is in the right place · ${meant(state)}`,
    unless: (state) => {
      const node = turnMeant(state);
      if (node === null) return turnsMeant(state).length > 1 ? 'Select one turn only.' : NO_TURN;
      return inThePast(state) ?? (node.label === null ? null : 'You have already said where it belongs.');
    },
    run: ({ actions, state }) => {
      const node = turnMeant(state());
      if (node !== null) void actions.confirm(node.id);
    },
  },
];
