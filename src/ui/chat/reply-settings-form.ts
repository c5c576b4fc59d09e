import { MOST_TOKENS, type ReplySettings } from '../../domain/reply.ts';
import { count, typedNumber, typedWhole } from '../parts/format.ts';

/** The settings as typed; an empty field leaves the choice to the model. */
export type SettingsForm = { readonly [field in keyof ReplySettings]: string };

export const formOf = ({ systemPrompt, temperature, topP, maxTokens }: ReplySettings): SettingsForm => ({
  systemPrompt: systemPrompt ?? '',
  temperature: temperature?.toString() ?? '',
  topP: topP?.toString() ?? '',
  maxTokens: maxTokens?.toString() ?? '',
});

export const emptyForm: SettingsForm = { systemPrompt: '', temperature: '', topP: '', maxTokens: '' };

/** Parses the form into settings, or says what is wrong with each field. */
export const readForm = (
  form: SettingsForm,
): { ok: true; settings: ReplySettings } | { ok: false; wrong: Partial<SettingsForm> } => {
  const temperature = numberFrom(form.temperature);
  const topP = numberFrom(form.topP);
  const maxTokens = numberFrom(form.maxTokens, typedWhole);
  const wrong = {
    ...(between(temperature, 0, 2)
      ? {}
      : { temperature: 'Enter a number from 0 to 2, or leave empty for the model default.' }),
    ...(between(topP, 0, 1) && topP !== 0
      ? {}
      : { topP: 'Enter a number above 0 and up to 1, or leave empty for the model default.' }),
    ...(between(maxTokens, 1, MOST_TOKENS) && Number.isInteger(maxTokens ?? 1)
      ? {}
      : {
          maxTokens: `Enter a whole number of tokens from 1 to ${count(MOST_TOKENS)}, or leave empty for the model default.`,
        }),
  };
  if (Object.keys(wrong).length > 0) return { ok: false, wrong };
  const systemPrompt = form.systemPrompt.trim() === '' ? null : form.systemPrompt.trim();
  return { ok: true, settings: { systemPrompt, temperature, topP, maxTokens } };
};

/** null for empty, NaN if it is not a number. */
const numberFrom = (text: string, read = typedNumber): number | null => (text.trim() === '' ? null : read(text));

const between = (value: number | null, least: number, most: number): boolean =>
  value === null || (value >= least && value <= most);

/** The settings that are set, in a few words; null if none are. */
export const settingsWords = ({ systemPrompt, temperature, topP, maxTokens }: ReplySettings): string | null => {
  const set = [
    systemPrompt === null ? '' : 'own prompt',
    temperature === null ? '' : `temperature ${temperature}`,
    topP === null ? '' : `top-p ${topP}`,
    maxTokens === null ? '' : `at most ${maxTokens} tokens`,
  ].filter((words) => words !== '');
  return set.length === 0 ? null : set.join(' · ');
};
