import type { AppState } from '../../../app/state.ts';
import { countAt, film, positionAt } from '../../timeline/film.ts';
import { changeAfter, changeBefore } from '../../timeline/player.ts';
import { buttonThere, type Command, inThePast, NO_TURN, pressButton, type Reach } from './command.ts';

const PLAY = '[aria-label="Timeline: play"], [aria-label="Timeline: pause"]';

/** Where a step along the turns leads: `undefined` if nowhere, null for now. */
const step = ({ forest, entries, past }: AppState, by: 1 | -1): number | null | undefined => {
  const frames = film(forest, entries);
  const to = positionAt(frames, past?.count ?? null) + by;
  return to < 1 || to > frames.length ? undefined : countAt(frames, to);
};

const walk = (by: 1 | -1): Command => ({
  id: by === 1 ? 'later' : 'earlier',
  group: 'Time',
  words: by === 1 ? 'One turn later' : 'One turn earlier',
  also: 'timeline travel',
  unless: (state) => (step(state, by) === undefined ? (by === 1 ? 'This is now.' : 'This is the beginning.') : null),
  run: ({ actions, state }) => {
    const to = step(state(), by);
    if (to !== undefined) actions.travel(to);
  },
});

/** From change to change of the forest: what was done between two turns has moments of its own. */
const walkChanges = (by: 1 | -1): Command => ({
  id: by === 1 ? 'change-later' : 'change-earlier',
  group: 'Time',
  words: by === 1 ? 'One change later' : 'One change earlier',
  also: 'timeline travel event edit step',
  unless: (state) =>
    toChange(state, by) === undefined ? (by === 1 ? 'This is now.' : 'This is the beginning.') : null,
  run: ({ actions, state }) => {
    const to = toChange(state(), by);
    if (to !== undefined) actions.travel(to);
  },
});

const toChange = ({ entries, past }: AppState, by: 1 | -1): number | null | undefined =>
  by === 1 ? changeAfter(entries, past?.count ?? null) : changeBefore(entries, past?.count ?? null);

const needsPast = ({ past }: AppState): string | null =>
  past === null ? 'This is now. Go to an earlier moment on the timeline first.' : null;

const atPast = ({ actions, state }: Reach, does: 'branchOff' | 'restore'): void => {
  const { past } = state();
  if (past !== null) void actions[does](past.count);
};

export const timeCommands: readonly Command[] = [
  {
    id: 'undo',
    group: 'Time',
    words: 'Undo',
    unless: (state) =>
      inThePast(state) ?? (state.forest.history.past.length === 0 ? 'There is nothing to undo.' : null),
    run: ({ actions }) => void actions.undo(),
  },
  {
    id: 'redo',
    group: 'Time',
    words: 'Redo',
    unless: (state) =>
      inThePast(state) ?? (state.forest.history.future.length === 0 ? 'There is nothing to redo.' : null),
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
    unless: ({ forest, entries }) => (film(forest, entries).length < 2 ? NO_TURN : null),
    run: ({ actions, state }) => {
      const { forest, entries } = state();
      actions.travel(countAt(film(forest, entries), 1));
    },
  },
  {
    id: 'now',
    group: 'Time',
    words: 'Back to now',
    unless: ({ past }) => (past === null ? 'This is now.' : null),
    run: ({ actions }) => actions.travel(null),
  },
  {
    id: 'play',
    group: 'Time',
    words: 'Play the conversation like a film, or pause',
    also: 'timeline',
    unless: () => (buttonThere(PLAY) ? null : 'Show the timeline, below the forest, first.'),
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
