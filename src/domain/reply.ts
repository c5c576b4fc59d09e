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

const OPEN = '<think>';
const CLOSE = '</think>';
/** Not one that is spoken of, as code; the answer may follow it at once. */
const CLOSING = /(?<!`)<\/think>(?!`)/;

export interface Spoken {
  /** What a thinking model wrote before it answered; null if it did not. */
  readonly reasoning: string | null;
  readonly answer: string;
  /** It is still thinking, or broke off while it was. */
  readonly thinking: boolean;
}

/**
 * Parts a reply into reasoning and answer. Thinking models mark it with `<think>`; where their template has
 * written the opening mark already, only the closing one is in the text, on a
 * line of its own or after a whole sentence.
 */
export const spokenOf = (text: string): Spoken => {
  const begun = text.trimStart();
  const opened = begun.startsWith(OPEN);
  // Most replies: to look for the mark alone costs least.
  if (!opened && !begun.includes(CLOSE)) return { reasoning: null, answer: text, thinking: false };
  const end = begun.search(CLOSING);
  if (!opened && (end < 0 || !/(?:^|\n|[.!?…。！？][ \t]?)$/u.test(begun.slice(0, end)))) {
    return { reasoning: null, answer: text, thinking: false };
  }
  const from = opened ? OPEN.length : 0;
  if (end < 0) return { reasoning: begun.slice(from).trim(), answer: '', thinking: true };
  const reasoning = begun.slice(from, end).trim();
  return {
    reasoning: reasoning === '' ? null : reasoning,
    answer: begun.slice(end + CLOSE.length).trimStart(),
    thinking: false,
  };
};

/** What a reply says to the person, without the reasoning: what is sent on, summarised and embedded. */
export const answerOf = (text: string): string => spokenOf(text).answer;
