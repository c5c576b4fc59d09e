import type { Keystroke } from '../keystroke.ts';

/** A pressed key, with the modifiers held down. */
export const press = (key: string, held: Partial<Keystroke & { readonly repeat: boolean }> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...held,
});
