import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import {
  contentOf,
  isPrompt,
  type NumberName,
  PROMPT_NAMES,
  type SettingsChange,
  type SettingsContent,
  type SettingsState,
} from '../../app/saved-settings.ts';
import { plural } from '../../domain/numbers.ts';
import { asSentence, errorMessage } from '../../engine/model-failure.ts';
import { defaultParameters, type Parameters } from '../../engine/parameters.ts';
import { type Prompts, SHIPPED_SETTINGS } from '../../engine/settings.ts';
import { useActions, useApp } from '../../ui/app-context.ts';
import { counted } from '../../ui/parts/format.ts';
import {
  FIELDS,
  type FlagField,
  inputValue,
  type NumberField,
  readNumber,
  settingWords,
} from '../../ui/parts/setting-fields.ts';

/** Unsaved changes; the current settings apply to everything omitted. */
export interface SettingsDraft {
  readonly policy?: string;
  /** As typed. */
  readonly numbers: { readonly [name in NumberName]?: string };
  readonly flags: { readonly [name in FlagField['name']]?: boolean };
  readonly prompts: { readonly [name in keyof Prompts]?: string };
}

export const emptyDraft: SettingsDraft = { numbers: {}, flags: {}, prompts: {} };

/** By setting, why it cannot be saved and what would be valid. */
type DraftErrors = { readonly [name in keyof Parameters | keyof Prompts]?: string };

interface ReadDraft {
  /** The valid settings that actually differ from the current ones. */
  readonly change: SettingsChange;
  /** Number of changed settings, including invalid ones. */
  readonly changes: number;
  readonly wrong: DraftErrors;
}

export const valueNow = <N extends keyof Parameters>(now: SettingsContent, name: N): Parameters[N] =>
  now.parameters[name] ?? defaultParameters[name];

/** Which settings are in use. Versions that could not be read are not among those there are. */
export const inUseWords = ({ current, versions }: SettingsState): string =>
  current === 0 ? 'Default settings apply' : `Version ${current} of ${versions.at(-1)?.version ?? current} applies`;

/** Converts the draft to a change of the current settings. */
export const readDraft = (draft: SettingsDraft, now: SettingsContent, shipped: Prompts | null): ReadDraft => {
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
    if (!isPrompt(text)) wrong[name] = 'A prompt cannot be empty. Reset it to the default.';
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

/** Whether everything can be reset: prompts of one's own, only once the shipped ones are known. */
export const canReset = (now: SettingsContent, shipped: Prompts | null): boolean =>
  shipped !== null || Object.keys(now.prompts).length === 0;

/** Why not everything can be reset; null if it can, or will once they have loaded. `failure`: of loading the shipped prompts. */
export const resetFailure = (now: SettingsContent, failure: string | null): string | null =>
  failure === null || canReset(now, null) ? null : promptsFailure(failure);

/** Says that the shipped prompts could not be loaded, and what to do. */
export const promptsFailure = (failure: string): string =>
  `Could not load the default prompts: ${asSentence(failure)} Check your connection to the site, then open Engine again.`;

/** A draft that resets everything to the shipped values. */
export const allShipped = (now: SettingsContent, policy: string, shipped: Prompts | null): SettingsDraft => ({
  ...(now.policy === policy ? {} : { policy }),
  numbers: Object.fromEntries(
    FIELDS.flatMap((field) =>
      field.kind === 'number' && now.parameters[field.name] !== undefined ? [[field.name, shippedText(field)]] : [],
    ),
  ),
  flags: Object.fromEntries(
    FIELDS.flatMap((field) =>
      field.kind === 'flag' && now.parameters[field.name] !== undefined
        ? [[field.name, defaultParameters[field.name]]]
        : [],
    ),
  ),
  prompts: Object.fromEntries(
    PROMPT_NAMES.flatMap((name) =>
      now.prompts[name] === undefined || shipped === null ? [] : [[name, shipped[name]]],
    ),
  ),
});

const shippedText = (field: NumberField): string => inputValue(field, defaultParameters[field.name]);

export const PROMPT_TITLES: Readonly<Record<keyof Prompts, string>> = {
  topic: 'Topic question',
  branch: 'Branch question',
  summary: 'Summary',
  title: 'Title',
};

/** A setting that differs between two versions. */
interface SettingDifference {
  readonly what: string;
  readonly before: string;
  readonly after: string;
  /** The prompt's name if it is a prompt, whose texts are long. */
  readonly prompt: keyof Prompts | null;
}

/** The differences between two versions, in page order. `shipped`: the texts of omitted prompts. */
export const settingDifferences = (
  before: SettingsContent,
  after: SettingsContent,
  shipped: Prompts,
): SettingDifference[] => [
  ...(before.policy === after.policy
    ? []
    : [{ what: 'Policy', before: before.policy, after: after.policy, prompt: null }]),
  ...FIELDS.flatMap((field): SettingDifference[] => {
    const [old, now] = [valueNow(before, field.name), valueNow(after, field.name)];
    if (old === now) return [];
    return [{ what: field.label, before: settingWords(field, old), after: settingWords(field, now), prompt: null }];
  }),
  ...PROMPT_NAMES.flatMap((name): SettingDifference[] => {
    const [old, now] = [before.prompts[name] ?? shipped[name], after.prompts[name] ?? shipped[name]];
    return old === now ? [] : [{ what: PROMPT_TITLES[name], before: old, after: now, prompt: name }];
  }),
];

/** Where unsaved changes are once the dialog is closed. */
export const unsavedWords = (changes: number): string =>
  `${counted(changes, 'change is', 'changes are')} not saved. ${plural(changes, 'It stays', 'They stay')} in Engine until you close the page.`;

/** Survives closing the dialog, so that typed text is not lost. */
const drafts = createStore<SettingsDraft>(() => emptyDraft);

export interface DraftEditor extends ReadDraft {
  readonly draft: SettingsDraft;
  /** The current settings. */
  readonly now: SettingsContent;
  /** null while loading. */
  readonly shipped: Prompts | null;
  /** Why they could not be loaded; null if they could, or are still loading. */
  readonly failure: string | null;
  readonly change: ReadDraft['change'];
  readonly edit: (change: Partial<SettingsDraft>) => void;
  readonly resetAll: () => void;
  readonly discard: () => void;
}

export const useDraft = (): DraftEditor => {
  const { shippedPrompts } = useActions();
  const settings = useApp((state) => state.settings);
  const draft = useStore(drafts);
  const [shipped, setShipped] = useState<Prompts | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    shippedPrompts().then(setShipped, (error: unknown) => setFailure(errorMessage(error)));
  }, [shippedPrompts]);
  const now = contentOf(settings, settings.current);
  const read = useMemo(() => readDraft(draft, now, shipped), [draft, now, shipped]);
  return {
    draft,
    now,
    shipped,
    failure,
    ...read,
    edit: (change) => drafts.setState(change),
    resetAll: () => drafts.setState(allShipped(now, SHIPPED_SETTINGS.policy.name, shipped), true),
    discard: () => drafts.setState(emptyDraft, true),
  };
};
