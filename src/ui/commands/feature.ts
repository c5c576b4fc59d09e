import type { LucideIcon } from 'lucide-react';
import { type ComponentType, createContext, useContext } from 'react';
import type { DialogName } from '../../app/features.ts';
import type { Session } from '../../app/state.ts';
import type { App } from '../app-context.ts';
import type { Command } from './command.ts';

/**
 * A capability of the page: everything the rest of the app needs to know about it before it is used. Each folder of
 * `src/features` has one in its `feature.ts`, and `features/features.ts` lists them. It is part of the first paint, so
 * it only holds words and lazy-loads the rest.
 */
export interface Feature<Dialog extends string = string, Id extends string = string, Defined = FeatureCommand> {
  /** Each is loaded when it is first opened. */
  readonly dialogs: Readonly<Record<Dialog, () => Promise<ComponentType<FeatureDialogProps>>>>;
  /** Dialogs the user types in right away; loaded soon after the first paint. */
  readonly soon?: readonly NoInfer<Dialog>[];
  readonly commands: Readonly<Record<Id, Defined>>;
  /** Called once a conversation is open, for what the feature does unasked. Heavy work waits until the page is idle. */
  readonly start?: (app: App) => void;
}

/**
 * Defines a feature. The names of its dialogs and commands become part of its type, so that the rest of the page is
 * checked against them.
 *
 *     export const whatIf = defineFeature({
 *       dialogs: { 'what-if': async () => (await import('./what-if-dialog.tsx')).WhatIfDialog },
 *       commands: { 'what-if': { opens: 'what-if', group: 'Coppice', words: 'What if…' }, 'what-if-from': { … } },
 *     });
 */
export const defineFeature = <Dialog extends string, Id extends string>(
  feature: Feature<Dialog, Id, FeatureCommand | DialogCommand<NoInfer<Dialog>>>,
): Feature<Dialog, Id> => {
  const commands = Object.entries<FeatureCommand | DialogCommand<Dialog>>(feature.commands).map(
    ([id, command]) => [id, 'opens' in command ? opening(command) : command] as const,
  );
  return { ...feature, commands: Object.fromEntries(commands) as Record<Id, FeatureCommand> };
};

const opening = ({ opens, session, ...command }: DialogCommand<string>): FeatureCommand => ({
  ...command,
  run: ({ actions }) => actions.session({ ...session, dialog: opens as DialogName }),
});

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

/** A command that opens a dialog of its feature. */
interface DialogCommand<Dialog extends string> extends Omit<FeatureCommand, 'run'> {
  readonly opens: Dialog;
  /** What else it changes in the session. */
  readonly session?: Partial<Session>;
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
