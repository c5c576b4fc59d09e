import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { DialogName } from '../app/features.ts';
import type { Session } from '../app/state.ts';
import type { Command } from './shell/commands/command.ts';

/**
 * A capability of the page: everything that others need to know of it before it is used. A folder of `src/features` has
 * one, in its `feature.ts`, and `features/features.ts` lists them. It is part of the first paint, so it holds words
 * and loads the rest.
 *
 *     export const whatIf: Feature<'what-if', 'what-if' | 'what-if-from'> = {
 *       dialogs: { 'what-if': async () => (await import('./what-if-dialog.tsx')).WhatIfDialog },
 *       commands: { 'what-if': opens('what-if', { group: 'Coppice', words: 'What if…' }), 'what-if-from': { … } },
 *     };
 *
 * The names stand in the type, so that the rest of the page is checked against them. From the value they could not be
 * read: what a command does may open any other feature's dialog.
 */
export interface Feature<Dialog extends string = string, Id extends string = string> {
  /** Each is loaded when it is first opened. */
  readonly dialogs: Readonly<Record<Dialog, () => Promise<ComponentType<DialogProps>>>>;
  /** Those of its dialogs that people type on in at once: loaded soon after the first paint. */
  readonly soon?: readonly Dialog[];
  readonly commands: Readonly<Record<Id, FeatureCommand>>;
}

export interface DialogProps {
  readonly onClose: () => void;
}

/** Its id is the name it goes by in the feature. */
export interface FeatureCommand extends Omit<Command, 'id'> {
  /** The keys that it comes with. */
  readonly keys?: readonly string[];
  /** Its keys hold while one writes, too: it leads away from the field. */
  readonly whileTyping?: true;
  readonly button?: FeatureButton;
}

/** A button of the header that does what the command does. */
export interface FeatureButton {
  readonly label: string;
  readonly place: ButtonPlace;
  /** Without one it is a button with words. */
  readonly icon?: LucideIcon;
}

/**
 * Where a button stands, and so down to which width of the page; below that it is in the menu More. `menu`: only there;
 * `phone-menu`: only there, and on a phone alone.
 */
export type ButtonPlace = 'search' | 'files' | 'compare' | 'studies' | 'preferences' | 'help' | 'menu' | 'phone-menu';

/** The command that opens a dialog. */
export const opens = (
  dialog: DialogName,
  command: Omit<FeatureCommand, 'run'>,
  session: Partial<Session> = {},
): FeatureCommand => ({ ...command, run: ({ actions }) => actions.session({ ...session, dialog }) });

/** Works something out of the page's features, once. */
export const ofFeatures = <T>(workOut: (features: readonly Feature[]) => T): ((features: readonly Feature[]) => T) => {
  const known = new WeakMap<readonly Feature[], { readonly result: T }>();
  return (features) => {
    const kept = known.get(features) ?? { result: workOut(features) };
    known.set(features, kept);
    return kept.result;
  };
};
