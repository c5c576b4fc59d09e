import * as z from 'zod/mini';

/** The most tokens that any setting takes: more than any context window in a browser. */
export const MOST_TOKENS = 131_072;

/** The person's settings for the replies of one conversation. null leaves it to the model. */
export const ReplySettings = z.object({
  /** Replaces the app's own instructions, except for those about the overview. */
  systemPrompt: z.nullable(z.string()),
  /** 0–2. */
  temperature: z.nullable(z.number()),
  /** 0–1. */
  topP: z.nullable(z.number()),
  /** Maximum number of tokens in a reply. */
  maxTokens: z.nullable(z.number()),
});
export type ReplySettings = z.infer<typeof ReplySettings>;

export const defaultReplySettings: ReplySettings = {
  systemPrompt: null,
  temperature: null,
  topP: null,
  maxTokens: null,
};

/** What a reply cost a language model, in its own tokens; null if it does not say. */
export const Usage = z.object({
  /** Prompt tokens processed for this reply. */
  prefilled: z.nullable(z.number()),
  /** Prompt tokens that the model still had in its cache. */
  reused: z.nullable(z.number()),
  generated: z.nullable(z.number()),
  /** The reply was cut off by the token limit. Omitted otherwise. */
  cut: z.optional(z.literal(true)),
  /** The generated tokens include thoughts that were not sent. Omitted otherwise. */
  hidden: z.optional(z.literal(true)),
});
export type Usage = z.infer<typeof Usage>;

const OPEN = '<think>';
const CLOSE = '</think>';
/** Not one mentioned as code; the answer may follow it immediately. */
const CLOSING = /(?<!`)<\/think>(?!`)/;

export interface ParsedReply {
  /** What a thinking model wrote before its answer; null if it wrote nothing. */
  readonly reasoning: string | null;
  readonly answer: string;
  /** It is still thinking, or was interrupted while thinking. */
  readonly thinking: boolean;
}

/**
 * Splits a reply into reasoning and answer. Thinking models mark the reasoning with `<think>`; if their template
 * already wrote the opening tag, only the closing one is in the text, on a line of its own or after a complete
 * sentence.
 */
export const spokenOf = (text: string): ParsedReply => {
  const begun = text.trimStart();
  const opened = begun.startsWith(OPEN);
  // Covers most replies: looking only for the tag is cheapest.
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

/** The part of a reply addressed to the person, without the reasoning: this is what is sent on, summarised and embedded. */
export const answerOf = (text: string): string => spokenOf(text).answer;
