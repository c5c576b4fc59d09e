import type { CommandId } from './default-keys.ts';

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

export const rememberUse = (id: CommandId): void => {
  recent = [id, ...recent.filter((one) => one !== id)].slice(0, KEPT);
  try {
    localStorage.setItem(KEY, JSON.stringify(recent));
  } catch {
    // Holds for this visit only.
  }
};
