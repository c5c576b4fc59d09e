import { isPrompt, PROMPT_NAMES, type SettingsChange, type SettingsContent } from '../../app/saved-settings.ts';
import type { NumberName } from '../../app/settings-ranges.ts';
import { defaultParameters, type Parameters } from '../../engine/parameters.ts';
import type { Prompts } from '../../engine/settings.ts';
import { FIELDS, type FlagField, type NumberField, readNumber, typed } from '../../ui/parts/setting-fields.ts';

/** What the person has changed and not saved; of what is left out the settings in use stand. */
export interface Draft {
  readonly policy?: string;
  /** As they are typed. */
  readonly numbers: { readonly [name in NumberName]?: string };
  readonly flags: { readonly [name in FlagField['name']]?: boolean };
  readonly prompts: { readonly [name in keyof Prompts]?: string };
}

export const emptyDraft: Draft = { numbers: {}, flags: {}, prompts: {} };

/** By their names, what cannot be saved, and what would do. */
export type Wrong = { readonly [name in keyof Parameters | keyof Prompts]?: string };

export interface ReadDraft {
  /** What is really another than in use, as far as it can be saved. */
  readonly change: SettingsChange;
  /** How many settings are changed, those that cannot be saved among them. */
  readonly changes: number;
  readonly wrong: Wrong;
}

export const valueNow = <N extends keyof Parameters>(now: SettingsContent, name: N): Parameters[N] =>
  now.parameters[name] ?? defaultParameters[name];

/** The draft as a change of the settings in use. */
export const readDraft = (draft: Draft, now: SettingsContent, shipped: Prompts | null): ReadDraft => {
  const parameters: Partial<Record<keyof Parameters, Parameters[keyof Parameters]>> = {};
  const prompts: Partial<Record<keyof Prompts, string | null>> = {};
  const wrong: Partial<Record<keyof Parameters | keyof Prompts, string>> = {};
  for (const field of FIELDS) {
    const { name } = field;
    if (field.kind === 'flag') {
      const flag = draft.flags[field.name];
      if (flag !== undefined && flag !== valueNow(now, name)) parameters[name] = flag;
      continue;
    }
    const text = draft.numbers[field.name];
    if (text === undefined) continue;
    const read = readNumber(field, text);
    if (!read.ok) wrong[name] = read.words;
    else if (read.value !== valueNow(now, name)) parameters[name] = read.value;
  }
  for (const name of PROMPT_NAMES) {
    const text = draft.prompts[name];
    if (text === undefined || shipped === null) continue;
    if (!isPrompt(text)) wrong[name] = 'A prompt needs words. Reset it to have the shipped one.';
    else if (text !== (now.prompts[name] ?? shipped[name])) prompts[name] = text === shipped[name] ? null : text;
  }
  const policy = draft.policy === undefined || draft.policy === now.policy ? {} : { policy: draft.policy };
  const made = [policy, parameters, prompts, wrong];
  return {
    change: { ...policy, parameters: parameters as Partial<Parameters>, prompts },
    changes: made.reduce((sum, part) => sum + Object.keys(part).length, 0),
    wrong,
  };
};

/** The draft that sets everything as shipped. */
export const allShipped = (now: SettingsContent, policy: string, shipped: Prompts | null): Draft => ({
  ...(now.policy === policy ? {} : { policy }),
  numbers: Object.fromEntries(
    FIELDS.flatMap((field) =>
      field.kind === 'number' && now.parameters[field.name] !== undefined ? [[field.name, shippedText(field)]] : [],
    ),
  ),
  flags:
    now.parameters.spareDirectParent === undefined ? {} : { spareDirectParent: defaultParameters.spareDirectParent },
  prompts: Object.fromEntries(
    PROMPT_NAMES.flatMap((name) =>
      now.prompts[name] === undefined || shipped === null ? [] : [[name, shipped[name]]],
    ),
  ),
});

const shippedText = (field: NumberField): string => typed(field, defaultParameters[field.name]);
