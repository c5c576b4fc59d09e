import type { Trace } from '../../domain/decision.ts';
import { ALL_POLICIES } from '../context/policies/policies.ts';
import type { Policy } from '../context/policy.ts';
import type { Parameters } from '../parameters.ts';
import type { Embedder } from '../ports.ts';
import { type Prompts, type Settings, SHIPPED_SETTINGS } from '../settings.ts';
import type { WhatIf } from './question.ts';

/** What a re-run can know of the settings of a moment. */
export interface SettingsKnown {
  readonly now: Settings;
  of(version: number): Settings | null;
  readonly embedder: Pick<Embedder, 'name' | 'theta'>;
}

/** The settings that a turn is decided with: those of `base`, and over them what is to be otherwise. */
export const settingsFor = (trace: Trace | null, question: WhatIf, known: SettingsKnown): Settings => {
  const base = question.base === 'now' ? known.now : settingsThen(trace, known);
  return {
    version: base.version,
    policy: namedPolicy(question.policy) ?? base.policy,
    parameters: { ...base.parameters, ...question.parameters },
    prompts: { ...base.prompts, ...question.prompts },
  };
};

/** As a trace names them; as shipped where there is none. */
const settingsThen = (trace: Trace | null, { of, embedder }: SettingsKnown): Settings => {
  if (trace === null) return SHIPPED_SETTINGS;
  const { settings, fork } = trace;
  const policy = namedPolicy(trace.policy) ?? SHIPPED_SETTINGS.policy;
  const ownTheta = policy.theta ?? embedder.theta;
  // Of an embedder whose own θ has been calibrated anew since, the one of then.
  const other = trace.embedder === embedder.name && fork.theta !== null && fork.theta !== ownTheta;
  return {
    version: settings?.version ?? 0,
    policy,
    parameters: { ...(settings?.parameters as Partial<Parameters>), ...(other && { theta: fork.theta }) },
    prompts: promptsThen(trace, settings === undefined ? null : of(settings.version)),
  };
};

/** Their words stand with their version, or else in what a language model was asked. */
const promptsThen = ({ settings, topic, branch }: Trace, version: Settings | null): Partial<Prompts> => {
  const names = settings?.prompts ?? [];
  const words = {
    // What stands with a path is not what the person can set.
    topic: topic.rule === 'asked-by-path' ? undefined : topic.answer?.prompt?.[0]?.content,
    branch: branch.answer?.prompt?.[0]?.content,
    ...version?.prompts,
  };
  return Object.fromEntries(
    Object.entries(words).filter(([name, text]) => names.includes(name) && text !== undefined),
  ) as Partial<Prompts>;
};

/** null for a name that no policy has. */
const namedPolicy = (name: string | null): Policy | null => ALL_POLICIES.find((one) => one.name === name) ?? null;
