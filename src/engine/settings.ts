import type { SettingsUsed } from '../domain/decision.ts';
import { focused } from './context/policies/focused/focused.ts';
import type { Policy } from './context/policy.ts';
import { defaultParameters, type Parameters } from './parameters.ts';

/** What language models are told before each of their questions. A chat's system prompt belongs to its conversation. */
export interface Prompts {
  /** Context-Agent §3.3, step 1. */
  readonly topic: string;
  /** Context-Agent §3.3, step 3. */
  readonly branch: string;
  /** Context-Agent §3.2. */
  readonly summary: string;
  readonly title: string;
}

/** What the person can set about the engine. What is left out of parameters and prompts is as shipped. */
export interface Settings {
  /** Counts the changes, from 1; 0 is as shipped. */
  readonly version: number;
  readonly policy: Policy;
  readonly parameters: Partial<Parameters>;
  readonly prompts: Partial<Prompts>;
}

export const SHIPPED_SETTINGS: Settings = { version: 0, policy: focused, parameters: {}, prompts: {} };

/** How a trace names them: by version, and by all that differs from what is shipped. */
export const usedSettings = ({ version, parameters, prompts }: Settings): SettingsUsed => ({
  version,
  parameters: Object.fromEntries(
    Object.entries(parameters).filter(([name, value]) => value !== defaultParameters[name as keyof Parameters]),
  ),
  prompts: Object.keys(prompts),
  reconsiders: true,
});
