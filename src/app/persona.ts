import * as z from 'zod/mini';
import type { ReplySettings } from '../domain/reply.ts';
import { defaultReplySettings } from '../domain/reply.ts';

const Persona = z.object({
  id: z.string(),
  name: z.string(),
  /** Empty keeps the default instructions. */
  instructions: z.string(),
  /** 0–2; null uses the model's default. */
  temperature: z.nullable(z.number()),
  /** The replying model, by its key in the offers, and its display name; null keeps the current one. */
  model: z.nullable(z.object({ key: z.string(), name: z.string() })),
});
/** How a new conversation is answered. Its settings are copied into the conversation, so later changes do not affect it. */
export type Persona = z.infer<typeof Persona>;

const Personas = z.object({ chosen: z.string(), all: z.array(Persona) });
export interface Personas {
  /** The persona of new conversations. */
  readonly chosen: string;
  /** The default instructions always come first. */
  readonly all: readonly Persona[];
}

export const DEFAULT_PERSONA = 'default';

const unset: Persona = {
  id: DEFAULT_PERSONA,
  name: 'Default instructions',
  instructions: '',
  temperature: null,
  model: null,
};

export const noPersonas: Personas = { chosen: DEFAULT_PERSONA, all: [unset] };

export const chosenPersona = ({ chosen, all }: Personas): Persona => all.find(({ id }) => id === chosen) ?? unset;

/** Reply settings that a conversation with a persona starts with. */
export const settingsOfPersona = ({ instructions, temperature }: Persona): ReplySettings =>
  instructions.trim() === '' && temperature === null
    ? defaultReplySettings
    : { ...defaultReplySettings, systemPrompt: instructions.trim() === '' ? null : instructions.trim(), temperature };

/** Damaged data counts as never set. */
export const readPersonas = (stored: unknown): Personas => {
  const read = Personas.safeParse(stored);
  if (!read.success) return noPersonas;
  const { chosen, all } = read.data;
  const withDefault = all.some(({ id }) => id === DEFAULT_PERSONA) ? all : [unset, ...all];
  return { chosen: withDefault.some(({ id }) => id === chosen) ? chosen : DEFAULT_PERSONA, all: withDefault };
};
