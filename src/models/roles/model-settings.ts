import * as z from 'zod/mini';
import { ModelSpec } from '../runtimes/model-spec.ts';

/** Where models come from unless the person names another host. */
const DEFAULT_HUB = 'https://huggingface.co';

const SETTING = 'models';

const Choice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('embedded') }),
  z.object({ kind: z.literal('same-as-chat') }),
  z.object({ kind: z.literal('model'), key: z.string() }),
]);

const embedded = { kind: 'embedded' } as const;

const StoredSettings = z.object({
  choices: z._default(z.object({ chat: Choice, decide: Choice, summarise: Choice, embed: Choice }), {
    chat: embedded,
    decide: embedded,
    summarise: embedded,
    embed: embedded,
  }),
  /** Models of the person's own, servers’ among them. */
  own: z._default(z.array(ModelSpec), []),
  hub: z._default(z.string(), DEFAULT_HUB),
  consult: z._default(z.nullable(Choice), null),
});
export type StoredSettings = z.infer<typeof StoredSettings>;

/** Keeps settings by name, e.g. a Storage. */
export interface SettingsStore {
  setting(name: string): Promise<unknown>;
  saveSetting(name: string, value: unknown): Promise<void>;
}

/** What is stored, or as the app ships; what cannot be read counts as not set. */
export const readSettings = async (store: SettingsStore): Promise<StoredSettings> => {
  const parsed = StoredSettings.safeParse((await store.setting(SETTING)) ?? {});
  return parsed.success ? parsed.data : StoredSettings.parse({});
};

export const saveSettings = (store: SettingsStore, settings: StoredSettings): Promise<void> =>
  store.saveSetting(SETTING, settings);
