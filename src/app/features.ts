/**
 * Registry of this page's features. `features/features.ts` adds its list here by declaration merging, so that all
 * layers know dialogs and commands by name while nothing below the features imports one.
 * @public
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled in from above
export interface FeatureRegistry {}

type FeatureOf<R> = R extends { readonly features: readonly (infer F)[] } ? F : never;
type KeysOf<T> = T extends object ? keyof T & string : never;
type DialogsOf<F> = F extends { readonly dialogs: infer D } ? D : never;
type Dialogs = DialogsOf<FeatureOf<FeatureRegistry>>;
type Commands<F> = F extends { readonly commands: infer C } ? KeysOf<C> : never;

/** Dialogs that can be open over the page. The list of conversations is part of the shell. */
export type DialogName = KeysOf<Dialogs> | 'conversations';

/** What the dialog that `Load` loads can be opened with: the type of its `with`. `never` if nothing. */
export type ArgumentOf<Load> = Load extends () => Promise<(props: infer Props) => unknown>
  ? NonNullable<Props['with' & keyof Props]>
  : never;

type Opening<D> = D extends object ? { [N in keyof D]: { dialog: N; with: ArgumentOf<D[N]> | null } }[keyof D] : never;

/** Opens a dialog, with an argument if it takes one, or closes the open one. */
export type DialogChange = { dialog?: DialogName | null; with?: never } | Opening<Dialogs>;

/** Commands provided by features. */
export type FeatureCommandId = Commands<FeatureOf<FeatureRegistry>>;
