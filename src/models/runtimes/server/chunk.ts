import * as z from 'zod/mini';
import type { Usage } from '../../../domain/generation.ts';

const Text = z.optional(z.nullable(z.string()));
const Count = z.optional(z.nullable(z.number()));

const Said = z.object({ content: Text, reasoning_content: Text, reasoning: Text });
type Said = z.infer<typeof Said>;

/** A `chat.completion.chunk`, or a whole `chat.completion` from a server that does not stream. */
export const Chunk = z.object({
  choices: z.array(
    z.object({ delta: z.optional(z.nullable(Said)), message: z.optional(z.nullable(Said)), finish_reason: Text }),
  ),
  usage: z.optional(
    z.nullable(
      z.object({
        prompt_tokens: Count,
        completion_tokens: Count,
        prompt_tokens_details: z.optional(z.nullable(z.object({ cached_tokens: Count }))),
      }),
    ),
  ),
  /** llama.cpp: tokens of the prompt that it still had, and that it worked through. */
  timings: z.optional(z.nullable(z.object({ cache_n: Count, prompt_n: Count, predicted_n: Count }))),
});
export type Chunk = z.infer<typeof Chunk>;

export const saidIn = ({ choices: [choice] }: Chunk): { content: string; reasoning: string; finish: string | null } => {
  const said: Said = choice?.delta ?? choice?.message ?? {};
  return {
    content: said.content ?? '',
    reasoning: said.reasoning_content ?? said.reasoning ?? '',
    finish: choice?.finish_reason ?? null,
  };
};

/** null where the chunk tells nothing of it. */
export const usageIn = ({ usage, timings }: Chunk): Usage | null => {
  if (timings) {
    return {
      prefilled: timings.prompt_n ?? null,
      reused: timings.cache_n ?? null,
      generated: timings.predicted_n ?? usage?.completion_tokens ?? null,
    };
  }
  if (!usage) return null;
  const reused = usage.prompt_tokens_details?.cached_tokens ?? null;
  const prompt = usage.prompt_tokens ?? null;
  return {
    prefilled: prompt === null ? null : prompt - (reused ?? 0),
    reused,
    generated: usage.completion_tokens ?? null,
  };
};
