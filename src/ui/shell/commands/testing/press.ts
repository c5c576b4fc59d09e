import type { Keystroke } from '../keystroke.ts';

/** A key that is pressed, with what is held down. */
export const press = (key: string, held: Partial<Keystroke & { readonly repeat: boolean }> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...held,
});
