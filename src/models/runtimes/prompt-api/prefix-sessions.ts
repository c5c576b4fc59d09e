import type { ChatMessage } from '../../../domain/context.ts';
import {
  type CreateOptions,
  type LanguageModelFactory,
  type LanguageModelSession,
  measured,
  usedBy,
  windowOf,
} from './language-model.ts';
import { tooLong } from './prompt-api-failure.ts';

/** Sessions kept, each with its share of memory: one for each kind of question, and the last two places of the chat. */
const MOST = 6;

export type Sampling = Pick<CreateOptions, 'temperature' | 'topK'>;

interface Kept {
  readonly messages: readonly string[];
  readonly sampling: string;
  readonly session: LanguageModelSession;
}

/**
 * Sessions that have read the beginning of a conversation and nothing more, the last used first. None is ever prompted:
 * a prompt goes to a clone, so that the next message of the branch, another reply and a fork all find what was read before.
 */
export class PrefixSessions {
  readonly #factory: LanguageModelFactory;
  #kept: readonly Kept[] = [];

  constructor(factory: LanguageModelFactory) {
    this.#factory = factory;
  }

  /** A session that has read these messages, and how many of its tokens it did not have to read now. One call at a time. */
  async at(
    prefix: readonly ChatMessage[],
    sampling: Sampling,
    signal: AbortSignal,
  ): Promise<{ session: LanguageModelSession; reused: number }> {
    const messages = prefix.map((message) => JSON.stringify([message.role, message.content]));
    const drawn = JSON.stringify(sampling);
    const known = this.#kept
      .filter((kept) => kept.sampling === drawn && kept.messages.every((message, i) => message === messages[i]))
      .toSorted((a, b) => b.messages.length - a.messages.length)[0];
    if (known?.messages.length === messages.length) {
      this.#keep(known);
      return { session: known.session, reused: usedBy(known.session) };
    }
    // A session begun without instructions cannot be given any later.
    if (known === undefined || known.messages.length === 0) {
      const session = await this.#factory.create({ initialPrompts: prefix, ...sampling, signal });
      this.#keep({ messages, sampling: drawn, session });
      return { session, reused: 0 };
    }
    const rest = prefix.slice(known.messages.length);
    const reused = usedBy(known.session);
    const needed = reused + ((await measured(known.session, rest)) ?? 0);
    // The browser would drop the oldest messages without a word.
    if (needed > windowOf(known.session)) throw tooLong(needed, windowOf(known.session));
    const session = await known.session.clone({ signal });
    try {
      await session.append(rest, { signal });
    } catch (error) {
      session.destroy();
      throw error;
    }
    this.#keep(known);
    this.#keep({ messages, sampling: drawn, session });
    return { session, reused };
  }

  #keep(used: Kept): void {
    const order = [used, ...this.#kept.filter((kept) => kept !== used)];
    for (const { session } of order.slice(MOST)) session.destroy();
    this.#kept = order.slice(0, MOST);
  }

  clear(): void {
    for (const { session } of this.#kept) session.destroy();
    this.#kept = [];
  }
}
