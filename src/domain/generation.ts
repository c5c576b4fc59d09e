import * as z from 'zod/mini';

/** What a person sets for the replies of one conversation. null leaves it to the model. */
export const ReplySettings = z.object({
  /** Takes the place of the app's own instructions, but for what those say of the overview. */
  systemPrompt: z.nullable(z.string()),
  /** 0–2. */
  temperature: z.nullable(z.number()),
  /** 0–1. */
  topP: z.nullable(z.number()),
  /** Tokens that a reply may take. */
  maxTokens: z.nullable(z.number()),
});
export type ReplySettings = z.infer<typeof ReplySettings>;

export const modelsOwn: ReplySettings = { systemPrompt: null, temperature: null, topP: null, maxTokens: null };

/** What a reply cost a language model, in its own tokens; null where it does not tell. */
export const Usage = z.object({
  /** Tokens of the prompt that were worked through for this reply. */
  prefilled: z.nullable(z.number()),
  /** Tokens of the prompt that the model still had in its cache. */
  reused: z.nullable(z.number()),
  generated: z.nullable(z.number()),
  /** The reply ended at the limit of its tokens, not where it was at its end. Left out otherwise. */
  cut: z.optional(z.literal(true)),
});
export type Usage = z.infer<typeof Usage>;
