import type { ChatMessage } from '../../../domain/context.ts';

/** What Qwen3's template writes in place of thoughts where thinking is off; the library counts it to the reply. */
export const NO_THOUGHTS = '<think>\n\n</think>\n\n';

/** How a reply came to its end, and what it cost; as the library tells. */
export interface Ended {
  readonly reason: 'stop' | 'length' | 'abort' | 'tool_calls' | null;
  readonly promptTokens: number;
  /** The stop token is one of them. */
  readonly completionTokens: number;
}

/**
 * What the engine's cache holds, by the library's rules (its preparePrefillInput): it goes on from there only if the
 * messages before the last one are word for word those of the last request and its reply, and that reply came to its
 * own end. Everything else is worked through anew.
 *
 * A thinking model's reasoning is cut from what is sent on, so its replies are never the same again, and it works
 * through everything each time. Where it did not think, the empty marks that the library put before its reply are
 * put back, so that it is the same.
 */
export class CachedConversation {
  /** As our caller writes it, and as the library has it; null while the cache cannot be gone on from. */
  #held: {
    readonly shown: readonly ChatMessage[];
    readonly kept: readonly ChatMessage[];
    readonly tokens: number;
  } | null = null;

  readonly #given: (message: ChatMessage) => ChatMessage;

  /** `given`: a message as it has to be given to the library (template-text.ts). */
  constructor(given: (message: ChatMessage) => ChatMessage) {
    this.#given = given;
  }

  /** What to send in place of `messages`, and how many tokens of it the cache holds. */
  prepare(messages: readonly ChatMessage[]): { messages: readonly ChatMessage[]; reused: number } {
    const before = messages.slice(0, -1);
    const last = messages.at(-1);
    if (this.#held === null || last === undefined || !areSame(this.#held.shown, before)) {
      return { messages: messages.map(this.#given), reused: 0 };
    }
    return { messages: [...this.#held.kept, this.#given(last)], reused: this.#held.tokens };
  }

  /** After a reply: `sent` is what `prepare` gave, `reply` what the person saw of it. */
  ended(
    asked: readonly ChatMessage[],
    sent: ReturnType<CachedConversation['prepare']>,
    reply: { readonly shown: string; readonly kept: string },
    { reason, promptTokens, completionTokens }: Ended,
  ): void {
    this.#held =
      reason === 'stop'
        ? {
            shown: [...asked, { role: 'assistant', content: reply.shown }],
            kept: [...sent.messages, { role: 'assistant', content: reply.kept }],
            // The last token was drawn, but not yet worked through.
            tokens: sent.reused + promptTokens + Math.max(0, completionTokens - 1),
          }
        : null;
  }

  forget(): void {
    this.#held = null;
  }
}

const areSame = (a: readonly ChatMessage[], b: readonly ChatMessage[]): boolean =>
  a.length === b.length && a.every(({ role, content }, i) => role === b[i]?.role && content === b[i]?.content);
