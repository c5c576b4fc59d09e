/**
 * Registry of this page's features. `features/features.ts` adds its list here by declaration merging, so that all
 * layers know dialogs and commands by name while nothing below the features imports one.
 * @public
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled in from above
export interface FeatureRegistry {}

type FeatureOf<R> = R extends { readonly features: readonly (infer F)[] } ? F : never;
type KeysOf<T> = T extends object ? keyof T & string : never;
type Dialogs<F> = F extends { readonly dialogs: infer D } ? KeysOf<D> : never;
type Commands<F> = F extends { readonly commands: infer C } ? KeysOf<C> : never;

/** Dialogs that can be open over the page. The list of conversations is part of the shell. */
export type DialogName = Dialogs<FeatureOf<FeatureRegistry>> | 'conversations';

/** Commands provided by features. */
export type FeatureCommandId = Commands<FeatureOf<FeatureRegistry>>;
