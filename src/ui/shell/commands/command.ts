import type { Actions } from '../../../app/actions.ts';
import type { AppState } from '../../../app/state.ts';
import type { NodeId } from '../../../domain/forest.ts';
import type { CommandId } from './default-keys.ts';

/** In the order of the list. */
export const GROUPS = ['Chat', 'Turn', 'Go', 'Time', 'View', 'Conversations', 'Models', 'Coppice'] as const;
export type Group = (typeof GROUPS)[number];

/** What a command works with. */
export interface Reach {
  readonly actions: Actions;
  readonly state: () => AppState;
}

/** Something that can be done, wherever it is asked for: by its keys or in the palette. */
export interface Command {
  readonly id: CommandId;
  readonly group: Group;
  /** What it does, whenever that is: for the list of shortcuts. */
  readonly words: string;
  /** What it would do now, where that says more. */
  readonly wordsNow?: (state: AppState) => string;
  /** Other words that people may look for. */
  readonly also?: string;
  /** Why it cannot be done now, in words that say what to do; null if it can. */
  readonly unless?: (state: AppState) => string | null;
  readonly run: (reach: Reach) => void;
}

export const whyNot = ({ unless }: Pick<Command, 'unless'>, state: AppState): string | null => {
  const refusal = unless?.(state) ?? null;
  // What is missing then may only not be there yet.
  return refusal !== null && state.phase === 'opening' ? 'The conversation is still being opened.' : refusal;
};

/** Does it, or says why not. */
export const perform = (command: Pick<Command, 'unless' | 'run'>, reach: Reach): void => {
  const refusal = whyNot(command, reach.state());
  if (refusal !== null) reach.actions.announce(refusal);
  else command.run(reach);
};

const PAST = 'This is the past. Come back to now to change it.';
/** For what changes the conversation. */
export const inThePast = ({ past }: AppState): string | null => (past === null ? null : PAST);

export const NO_TURN = 'There is no turn yet.';

/** The turns that a command is about: those selected, else the active one. */
export const turnsMeant = ({ session, forest, past }: AppState): readonly NodeId[] => {
  const { nodes, active } = past?.forest ?? forest;
  const selected = session.selection.filter((id) => nodes[id] !== undefined);
  if (selected.length > 0) return selected;
  return active === null || active === undefined ? [] : [active.nodeId];
};

/** Presses a button of the page, for what only that part of the page can do. */
export const pressButton = (selector: string): void => document.querySelector<HTMLElement>(selector)?.click();
export const buttonThere = (selector: string): boolean => document.querySelector(`${selector}:not(:disabled)`) !== null;
