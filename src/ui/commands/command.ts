import type { Actions } from '../../app/actions.ts';
import type { AppState } from '../../app/state.ts';
import type { NodeId } from '../../domain/forest.ts';
import type { CommandId } from './default-keys.ts';

/** In display order. */
export const COMMAND_GROUPS = ['Chat', 'Turn', 'Go', 'Time', 'View', 'Conversations', 'Models', 'Coppice'] as const;
type Group = (typeof COMMAND_GROUPS)[number];

/** What a command works with. */
export interface CommandContext {
  readonly actions: Actions;
  readonly state: () => AppState;
}

/** A command, run by its keys or from the palette. */
export interface Command {
  readonly id: CommandId;
  readonly group: Group;
  /** What it does in general, for the list of shortcuts. */
  readonly words: string;
  /** What it would do now, where that says more. */
  readonly wordsNow?: (state: AppState) => string;
  /** Synonyms that people may search for. */
  readonly also?: string;
  /** Why it is unavailable now, in words that say what to do; null if it is available. */
  readonly unless?: (state: AppState) => string | null;
  readonly run: (reach: CommandContext) => void;
}

export const disabledReason = ({ unless }: Pick<Command, 'unless'>, state: AppState): string | null => {
  const refusal = unless?.(state) ?? null;
  // What is missing may just not have loaded yet.
  return refusal !== null && state.phase === 'opening' ? 'The conversation is still being opened.' : refusal;
};

/** Runs the command, or announces why it cannot. */
export const perform = (command: Pick<Command, 'unless' | 'run'>, reach: CommandContext): void => {
  const refusal = disabledReason(command, reach.state());
  if (refusal !== null) reach.actions.announce(refusal);
  else command.run(reach);
};

const PAST = 'The past is read-only. Go back to now to make changes.';
/** For commands that change the conversation. */
export const disabledInPast = ({ past }: AppState): string | null => (past === null ? null : PAST);

/** For dialogs that work with the conversation as it is now while the timeline shows the past. */
export const AS_OF_NOW = 'This is the conversation as it is now, not at the earlier moment that the timeline shows.';

/** Why nothing can be decided again from a turn on; null if it can. Whatever the timeline shows, it is done with the conversation as it is now. */
export const whyNotRerun = ({ turn, forest }: AppState, nodeId: NodeId): string | null => {
  // A re-run takes the conversation up to the message that is being answered.
  if (turn?.nodeId === nodeId)
    return turn.phase === 'summarising'
      ? 'This turn is still being summarised. Try again once that is done.'
      : 'This turn is still being answered. Stop the reply, or wait for it to finish.';
  if (forest.nodes[nodeId] !== undefined) return null;
  return 'What if re-runs the conversation as it is now, which no longer has this turn. Choose one that it has.';
};

export const NO_TURN = 'There is no turn yet.';

/** The turns a command applies to: the selected ones, else the active one. */
export const turnsMeant = ({ session, forest, past }: AppState): readonly NodeId[] => {
  const { nodes, active } = past?.forest ?? forest;
  const selected = session.selection.filter((id) => nodes[id] !== undefined);
  if (selected.length > 0) return selected;
  return active === null || active === undefined ? [] : [active.nodeId];
};

/** Clicks a button of the page, for actions that only that component can do. */
export const pressButton = (selector: string): void => document.querySelector<HTMLElement>(selector)?.click();
export const buttonThere = (selector: string): boolean => document.querySelector(`${selector}:not(:disabled)`) !== null;
