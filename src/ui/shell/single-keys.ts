import { useSyncExternalStore } from 'react';

/* Whether shortcuts without a modifier are on: people who speak to their computer need them off (WCAG 2.1.4). */

const KEY = 'coppice-single-keys';
const listeners = new Set<() => void>();
let on = read();

function read(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true;
  }
}

export const singleKeys = (): boolean => on;

export const setSingleKeys = (value: boolean): void => {
  on = value;
  try {
    localStorage.setItem(KEY, value ? 'on' : 'off');
  } catch {
    // Holds for this visit only.
  }
  for (const changed of listeners) changed();
};

export const useSingleKeys = (): boolean =>
  useSyncExternalStore((changed) => {
    listeners.add(changed);
    return () => listeners.delete(changed);
  }, singleKeys);
