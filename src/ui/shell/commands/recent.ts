import { COMMAND_IDS, type CommandId } from './default-keys.ts';

/* The commands chosen last, newest first: what one does once one does again. */

const KEY = 'coppice-recent-commands';
const KEPT = 6;

let recent: readonly CommandId[] = read();

function read(): readonly CommandId[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? COMMAND_IDS.filter((id) => stored.includes(id)).sort(inOrderOf(stored)) : [];
  } catch {
    return [];
  }
}

function inOrderOf(stored: readonly unknown[]): (a: string, b: string) => number {
  return (a, b) => stored.indexOf(a) - stored.indexOf(b);
}

export const recentCommands = (): readonly CommandId[] => recent;

export const rememberUse = (id: CommandId): void => {
  recent = [id, ...recent.filter((one) => one !== id)].slice(0, KEPT);
  try {
    localStorage.setItem(KEY, JSON.stringify(recent));
  } catch {
    // Holds for this visit only.
  }
};
