import { parsedJson } from '../../../domain/expectation.ts';
import { COMMAND_GROUPS, type Command, type CommandContext, perform } from '../../commands/command.ts';
import type { CommandId } from '../../commands/default-keys.ts';
import { type Feature, memoByFeatures } from '../../commands/feature.ts';
import { createStored } from '../../parts/hooks.ts';
import { chatCommands, conversationCommands, turnCommands } from './chat-commands.ts';
import { goCommands, timeCommands } from './go-commands.ts';
import { viewCommands } from './view-commands.ts';

const SHELL: readonly Command[] = [
  ...chatCommands,
  ...turnCommands,
  ...goCommands,
  ...timeCommands,
  ...viewCommands,
  ...conversationCommands,
];

const brought = (features: readonly Feature[]): Command[] =>
  features.flatMap(({ commands }) =>
    Object.entries(commands).map(([id, command]) => ({ ...command, id: id as CommandId })),
  );

/** All commands, by group. */
export const commandsOf = memoByFeatures((features): readonly Command[] =>
  [...SHELL, ...brought(features)].sort((a, b) => COMMAND_GROUPS.indexOf(a.group) - COMMAND_GROUPS.indexOf(b.group)),
);

/** Runs the command, or announces why it cannot. */
export const runCommand = (id: CommandId, features: readonly Feature[], reach: CommandContext): void => {
  const command = commandsOf(features).find((one) => one.id === id);
  if (command !== undefined) perform(command, reach);
};

/** Runs a command chosen from the palette, and ranks it higher there next time. */
export const chooseCommand = (id: CommandId, features: readonly Feature[], reach: CommandContext): void => {
  rememberUse(id);
  runCommand(id, features, reach);
};

/* The most recently chosen commands, newest first: people repeat what they have just done. */

const KEPT = 6;

const recent = createStored('coppice-recent-commands', (text): readonly CommandId[] => {
  const ids = parsedJson(text ?? '[]');
  // Ids that are no longer commands are skipped on lookup.
  return Array.isArray(ids) ? [...new Set(ids as CommandId[])].slice(0, KEPT) : [];
});

export const recentCommands = recent.get;

const rememberUse = (id: CommandId): void =>
  recent.set([id, ...recent.get().filter((one) => one !== id)].slice(0, KEPT));
