import { type Feature, ofFeatures } from '../../feature.ts';
import { chatCommands, conversationCommands, turnCommands } from './chat-commands.ts';
import { type Command, GROUPS, perform, type Reach } from './command.ts';
import type { CommandId } from './default-keys.ts';
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

/** Everything that can be done, by groups. */
export const commandsOf = ofFeatures((features): readonly Command[] =>
  [...SHELL, ...brought(features)].sort((a, b) => GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group)),
);

/** Does it, or says why not. */
export const runCommand = (id: CommandId, features: readonly Feature[], reach: Reach): void => {
  const command = commandsOf(features).find((one) => one.id === id);
  if (command !== undefined) perform(command, reach);
};

/** The same, chosen from the palette: it stands further up there the next time. */
export const chooseCommand = (id: CommandId, features: readonly Feature[], reach: Reach): void => {
  rememberUse(id);
  runCommand(id, features, reach);
};

/* The commands chosen last, newest first: what one does once one does again. */

const KEY = 'coppice-recent-commands';
const KEPT = 6;

let recent: readonly CommandId[] = read();

function read(): readonly CommandId[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    // What is no command (any more) is passed over where these are looked up.
    return Array.isArray(stored) ? [...new Set(stored as CommandId[])].slice(0, KEPT) : [];
  } catch {
    return [];
  }
}

export const recentCommands = (): readonly CommandId[] => recent;

const rememberUse = (id: CommandId): void => {
  recent = [id, ...recent.filter((one) => one !== id)].slice(0, KEPT);
  try {
    localStorage.setItem(KEY, JSON.stringify(recent));
  } catch {
    // Holds for this visit only.
  }
};
