import type { LucideIcon } from 'lucide-react';
import { createContext, type ReactNode, useContext } from 'react';
import type { ArgumentOf } from '../../app/features.ts';
import type { SessionChange } from '../../app/state.ts';
import type { App } from '../app-context.ts';
import type { Command } from './command.ts';

/**
 * A capability of the page: everything the rest of the app needs to know about it before it is used. Each folder of
 * `src/features` has one in its `feature.ts`, and `features/features.ts` lists them. It is part of the first paint, so
 * it only holds words and lazy-loads the rest.
 */
export interface Feature<Dialogs extends Loaders = Loaders, Id extends string = string, Defined = FeatureCommand> {
  readonly dialogs: Dialogs;
  /** Dialogs the user types in right away; loaded soon after the first paint. */
  readonly soon?: readonly NoInfer<keyof Dialogs & string>[];
  readonly commands: Readonly<Record<Id, Defined>>;
  /** Called once a conversation is open, for what the feature does unasked. Heavy work waits until the page is idle. */
  readonly start?: (app: App) => void;
}

/** A feature's dialogs by name. Each is loaded when it is first opened. */
type Loaders = Readonly<Record<string, () => Promise<(props: FeatureDialogProps) => ReactNode>>>;

/**
 * Defines a feature. The names of its dialogs and commands, and what each dialog takes, become part of its type, so
 * that the rest of the page is checked against them.
 *
 *     export const whatIf = defineFeature({
 *       dialogs: { 'what-if': async () => (await import('./what-if-dialog.tsx')).WhatIfDialog },
 *       commands: { 'what-if': { opens: 'what-if', group: 'Coppice', words: 'What if…' }, 'what-if-from': { … } },
 *     });
 */
export const defineFeature = <Dialogs extends Loaders, Id extends string>(
  feature: Feature<Dialogs, Id, FeatureCommand | OpeningCommand<NoInfer<Dialogs>>>,
): Feature<Dialogs, Id> => {
  const commands = Object.entries<FeatureCommand | DialogCommand>(feature.commands).map(
    ([id, command]) => [id, 'opens' in command ? opening(command) : command] as const,
  );
  return { ...feature, commands: Object.fromEntries(commands) as Record<Id, FeatureCommand> };
};

const opening = ({ opens, with: argument = null, ...command }: DialogCommand): FeatureCommand => ({
  ...command,
  run: ({ actions }) => actions.session({ dialog: opens, with: argument } as SessionChange),
});

/** Props of a dialog that can be opened with an `Argument`. */
export interface FeatureDialogProps<Argument = never> {
  /** null if it was opened without. */
  readonly with: Argument | null;
  readonly onClose: () => void;
}

/** A feature's command. Its id is its key in the feature. */
interface FeatureCommand extends Omit<Command, 'id'> {
  /** The default key bindings. */
  readonly keys?: readonly string[];
  /** The keys also work while typing, because the command leads away from the field. */
  readonly whileTyping?: true;
  readonly button?: FeatureButton;
}

/** A command that opens a dialog, with an argument if the dialog takes one. */
interface DialogCommand<Name = unknown, Argument = unknown> extends Omit<FeatureCommand, 'run'> {
  readonly opens: Name;
  readonly with?: Argument;
}

/** A command that opens one of these dialogs. */
type OpeningCommand<D> = { [Name in keyof D]: DialogCommand<Name, ArgumentOf<D[Name]>> }[keyof D];

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
