import type { ChatModel, Models } from '../src/engine/ports.ts';

/** Adds up the time spent inside models, to separate it from the engine's own. */
export class ModelClock {
  #spent = 0;

  /** Milliseconds since the last reset. */
  get spent(): number {
    return this.#spent;
  }

  reset(): void {
    this.#spent = 0;
  }

  /** Wraps the models to time them. Counting tokens is left out, since it is the engine's own work. */
  watch({ chat, decide, summarise, embed }: Models): Models {
    return {
      chat: this.#watchChat(chat),
      decide: {
        name: decide.name,
        topic: (question, signal) => this.#time(() => decide.topic(question, signal)),
        branch: (question, signal) => this.#time(() => decide.branch(question, signal)),
      },
      summarise: {
        name: summarise.name,
        summarise: (turn, signal) => this.#time(() => summarise.summarise(turn, signal)),
        title: (turn, signal) => this.#time(() => summarise.title(turn, signal)),
      },
      embed: {
        name: embed.name,
        dimensions: embed.dimensions,
        theta: embed.theta,
        embed: (texts, signal) => this.#time(() => embed.embed(texts, signal)),
      },
    };
  }

  #watchChat(chat: ChatModel): ChatModel {
    const time = <T>(work: () => Promise<T>) => this.#time(work);
    return {
      name: chat.name,
      window: chat.window,
      tokens: chat.tokens,
      async *reply(request, signal) {
        const pieces = chat.reply(request, signal)[Symbol.asyncIterator]();
        for (;;) {
          const { done, value } = await time(() => pieces.next());
          if (done) return;
          yield value;
        }
      },
    };
  }

  async #time<T>(work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.#spent += performance.now() - start;
    }
  }
}
