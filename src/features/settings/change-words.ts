import { PROMPT_NAMES, type SettingsContent } from '../../app/saved-settings.ts';
import type { Prompts } from '../../engine/settings.ts';
import { FIELDS, shown } from '../../ui/parts/setting-fields.ts';
import { valueNow } from './draft.ts';

export const PROMPT_TITLES: Readonly<Record<keyof Prompts, string>> = {
  topic: 'Topic question',
  branch: 'Branch question',
  summary: 'Summary',
  title: 'Title',
};

/** One setting that two versions differ in. */
export interface Difference {
  readonly what: string;
  readonly before: string;
  readonly after: string;
  /** The prompt, where it is one: its texts are long. */
  readonly prompt: keyof Prompts | null;
}

/** What differs between two versions, in the order of the pages. `shipped`: what a prompt that is left out says. */
export const differences = (before: SettingsContent, after: SettingsContent, shipped: Prompts): Difference[] => [
  ...(before.policy === after.policy
    ? []
    : [{ what: 'Policy', before: before.policy, after: after.policy, prompt: null }]),
  ...FIELDS.flatMap((field): Difference[] => {
    const [old, now] = [valueNow(before, field.name), valueNow(after, field.name)];
    if (old === now) return [];
    const words = (value: typeof old) =>
      field.kind === 'flag' ? (value === true ? 'yes' : 'no') : shown(field, value as number | null);
    return [{ what: field.label, before: words(old), after: words(now), prompt: null }];
  }),
  ...PROMPT_NAMES.flatMap((name): Difference[] => {
    const [old, now] = [before.prompts[name] ?? shipped[name], after.prompts[name] ?? shipped[name]];
    return old === now ? [] : [{ what: PROMPT_TITLES[name], before: old, after: now, prompt: name }];
  }),
];
