import type { Entry } from '../../domain/entry.ts';
import type { ChatModel, Embedder, Models, TokenCounter } from '../ports.ts';
import { DecidersThen } from './deciders.ts';
import { remembering } from './kept-vectors.ts';
import type { WhatIfParts } from './parts.ts';
import type { WhatIf } from './question.ts';
import type { SettingsKnown } from './settings-then.ts';

/** What the re-runs of one conversation share, so that only the first has to embed, count and learn. */
export class Workshop {
  readonly parts: WhatIfParts;
  readonly models: Models;
  readonly deciders: DecidersThen;
  readonly #chosen: ReturnType<typeof remembering>;
  readonly #embedded: ReturnType<typeof remembering>;

  constructor(parts: WhatIfParts) {
    this.parts = parts;
    const { models, embedded, vectors } = parts;
    this.models = { ...models, chat: countingOnce(models.chat) };
    this.deciders = new DecidersThen(parts);
    this.#chosen = remembering(models.embed, vectors);
    this.#embedded = models.embed === embedded.embed ? this.#chosen : remembering(embedded.embed, vectors);
  }

  embedder({ embedder }: WhatIf): Embedder {
    return embedder === 'embedded' ? this.#embedded : this.#chosen;
  }

  settingsKnown(question: WhatIf): SettingsKnown {
    const { settings, settingsOf } = this.parts;
    return { now: settings, of: settingsOf, embedder: this.embedder(question) };
  }

  /** Looks up at once what is kept of a conversation's messages. */
  async prepare(entries: readonly Entry[], { embedder }: WhatIf): Promise<void> {
    const messages = entries.flatMap(({ event }) => (event.type === 'message-sent' ? [event.message] : []));
    await (embedder === 'embedded' ? this.#embedded : this.#chosen).recall(messages);
  }
}

/** Its tokens are counted once a text, however many re-runs ask. */
const countingOnce = (chat: ChatModel): ChatModel => {
  const known = new Map<string, number>();
  const tokens: TokenCounter = {
    name: chat.tokens.name,
    count: async (texts) => {
      const missing = [...new Set(texts)].filter((text) => !known.has(text));
      const counts = missing.length === 0 ? [] : await chat.tokens.count(missing);
      missing.forEach((text, at) => {
        known.set(text, counts[at] as number);
      });
      return texts.map((text) => known.get(text) as number);
    },
  };
  return { name: chat.name, window: chat.window, tokens, reply: (request, signal) => chat.reply(request, signal) };
};
