import type { LucideIcon } from 'lucide-react';
import { type ComponentType, createContext, useContext } from 'react';
import type { DialogName } from '../../app/features.ts';
import type { Session } from '../../app/state.ts';
import type { Command } from './command.ts';

/**
 * A capability of the page: everything the rest of the app needs to know about it before it is used. Each folder of
 * `src/features` has one in its `feature.ts`, and `features/features.ts` lists them. It is part of the first paint, so
 * it only holds words and lazy-loads the rest.
 *
 *     export const whatIf: Feature<'what-if', 'what-if' | 'what-if-from'> = {
 *       dialogs: { 'what-if': async () => (await import('./what-if-dialog.tsx')).WhatIfDialog },
 *       commands: { 'what-if': opens('what-if', { group: 'Coppice', words: 'What if…' }), 'what-if-from': { … } },
 *     };
 *
 * The names are part of the type so that the rest of the page is checked against them. They cannot be inferred from the
 * value, because a command may open another feature's dialog.
 */
export interface Feature<Dialog extends string = string, Id extends string = string> {
  /** Each is loaded when it is first opened. */
  readonly dialogs: Readonly<Record<Dialog, () => Promise<ComponentType<FeatureDialogProps>>>>;
  /** Dialogs the user types in right away; loaded soon after the first paint. */
  readonly soon?: readonly Dialog[];
  readonly commands: Readonly<Record<Id, FeatureCommand>>;
}

export interface FeatureDialogProps {
  readonly onClose: () => void;
}

/** A feature's command. Its id is its key in the feature. */
export interface FeatureCommand extends Omit<Command, 'id'> {
  /** The default key bindings. */
  readonly keys?: readonly string[];
  /** The keys also work while typing, because the command leads away from the field. */
  readonly whileTyping?: true;
  readonly button?: FeatureButton;
}

/** A header button that runs the command. */
export interface FeatureButton {
  readonly label: string;
  readonly place: ButtonPlace;
  /** Without an icon, the button shows words. */
  readonly icon?: LucideIcon;
}

/**
 * Where a button goes, and so the page width below which it moves to the More menu. `menu`: only in the menu;
 * `phone-menu`: only in the menu, and only on a phone.
 */
export type ButtonPlace = 'search' | 'files' | 'compare' | 'studies' | 'preferences' | 'help' | 'menu' | 'phone-menu';

/** The page's features. The same list for the page's whole life. */
export const FeaturesContext = createContext<readonly Feature[]>([]);
export const useFeatures = (): readonly Feature[] => useContext(FeaturesContext);

/** A command that opens a dialog. */
export const dialogCommand = (
  dialog: DialogName,
  command: Omit<FeatureCommand, 'run'>,
  session: Partial<Session> = {},
): FeatureCommand => ({ ...command, run: ({ actions }) => actions.session({ ...session, dialog }) });

/** Computes something from the page's features, once per feature list. */
export const memoByFeatures = <T>(
  workOut: (features: readonly Feature[]) => T,
): ((features: readonly Feature[]) => T) => {
  const known = new WeakMap<readonly Feature[], { readonly result: T }>();
  return (features) => {
    const kept = known.get(features) ?? { result: workOut(features) };
    known.set(features, kept);
    return kept.result;
  };
};
