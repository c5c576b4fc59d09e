import type { ChatMessage } from '../../../domain/context.ts';

/** Stand before and after a role, and in no text. */
const [BEGIN, END] = ['\u0002', '\u0003'];

/** A request as one text, as a chat model reads it. */
export const requestText = (messages: readonly ChatMessage[]): string =>
  messages.map(({ role, content }) => `${BEGIN}${role}${END}${content}`).join('');

/** A request with its reply: what a model's cache holds once it has answered. */
const answered = (request: string, reply: string | null): string =>
  reply === null || reply === '' ? request : request + requestText([{ role: 'assistant', content: reply }]);

/** Characters that two texts have in common at their beginning. */
export const commonPrefix = (one: string, other: string): number => {
  let low = 0;
  let high = Math.min(one.length, other.length);
  // By halves: the engine compares whole slices much faster than this loop could characters.
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (one.slice(low, middle) === other.slice(low, middle)) low = middle;
    else high = middle - 1;
  }
  return low;
};

/**
 * A chat model's cache of what it has read: the last `size` requests, each with its reply. A browser's model keeps one;
 * vLLM, the server of llama.cpp and sessions of the Prompt API keep several.
 */
export class PrefixCache {
  readonly #size: number;
  #held: string[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  /** Characters of the request that stand at the beginning of what is held. */
  prefixOf(request: string): number {
    return Math.max(0, ...this.#held.map((text) => commonPrefix(text, request)));
  }

  /** Share of what was held last that is the beginning of the request; null where nothing is held. */
  keptBy(request: string): number | null {
    const last = this.#held.at(-1);
    return last === undefined ? null : commonPrefix(last, request) / last.length;
  }

  hold(request: string, reply: string | null): void {
    this.#held = [...this.#held, answered(request, reply)].slice(-this.#size);
  }
}
