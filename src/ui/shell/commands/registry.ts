import type { AppState } from '../../../app/state.ts';
import { canvasCommands } from './canvas-commands.ts';
import { chatCommands } from './chat-commands.ts';
import { type Command, GROUPS, type Reach } from './command.ts';
import type { CommandId } from './default-keys.ts';
import { goCommands } from './go-commands.ts';
import { pageCommands } from './page-commands.ts';
import { rememberUse } from './recent.ts';
import { timeCommands } from './time-commands.ts';
import { turnCommands } from './turn-commands.ts';
import { viewCommands } from './view-commands.ts';

/** Everything that can be done, by groups. */
export const commands: readonly Command[] = [
  ...chatCommands,
  ...turnCommands,
  ...goCommands,
  ...timeCommands,
  ...viewCommands,
  ...canvasCommands,
  ...pageCommands,
].sort((a, b) => GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group));

const byId = new Map(commands.map((command) => [command.id, command]));

export const whyNot = ({ unless }: Command, state: AppState): string | null => unless?.(state) ?? null;

/** Does it, or says why not. */
export const runCommand = (id: CommandId, reach: Reach): void => {
  const command = byId.get(id);
  if (command === undefined) return;
  const refusal = whyNot(command, reach.state());
  if (refusal !== null) return reach.actions.announce(refusal);
  command.run(reach);
};

/** The same, chosen from the palette: it stands further up there the next time. */
export const chooseCommand = (id: CommandId, reach: Reach): void => {
  rememberUse(id);
  runCommand(id, reach);
};
