import type { SettingsUsed } from '../domain/decision.ts';
import { focused } from './context/policies/focused/focused.ts';
import type { Policy } from './context/policy.ts';
import { defaultParameters, type Parameters } from './parameters.ts';

/** Instructions for language models, by question. A chat's system prompt belongs to its conversation. */
export interface Prompts {
  /** Context-Agent §3.3, step 1. */
  readonly topic: string;
  /** Context-Agent §3.3, step 3. */
  readonly branch: string;
  /** Context-Agent §3.2. */
  readonly summary: string;
  readonly title: string;
}

/** What the person can set about the engine. Omitted parameters and prompts are as shipped. */
export interface Settings {
  /** Counts the changes, from 1; 0 means as shipped. */
  readonly version: number;
  readonly policy: Policy;
  readonly parameters: Partial<Parameters>;
  readonly prompts: Partial<Prompts>;
}

export const SHIPPED_SETTINGS: Settings = { version: 0, policy: focused, parameters: {}, prompts: {} };

/** Returns the settings as a trace records them: the version, and everything that differs from what is shipped. */
export const usedSettings = ({ version, parameters, prompts }: Settings): SettingsUsed => ({
  version,
  parameters: Object.fromEntries(
    Object.entries(parameters).filter(([name, value]) => value !== defaultParameters[name as keyof Parameters]),
  ),
  prompts: Object.keys(prompts),
  reconsiders: true,
});

/** Whether a record of settings differs in nothing from what is shipped. A re-run changes settings without giving them a version. */
export const isAsShipped = ({ parameters, prompts }: SettingsUsed): boolean =>
  Object.keys(parameters).length + prompts.length === 0;

/** Whether two records of settings say the same; nothing is known of what is not recorded. */
export const isSameSettings = (a: SettingsUsed, b: SettingsUsed | undefined): boolean =>
  b !== undefined && a.version === b.version && recordKey(a) === recordKey(b);

const recordKey = ({ parameters, prompts }: SettingsUsed): string =>
  JSON.stringify([Object.entries(parameters).sort(), prompts.toSorted()]);
