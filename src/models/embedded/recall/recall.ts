import { RECALL } from '../../../domain/forest.ts';
import type { ChatModel, ChatRequest, TokenCounter } from '../../../engine/ports.ts';
import { RECALL_WINDOW } from '../embedded-names.ts';
import { type Quote, quotesFor } from './quotes.ts';
import { ELSEWHERE, NOTHING_FITS, ON_PATH, openingFor } from './recall-words.ts';

/** Milliseconds between words: quick, but the eye sees it come. */
const PIECE_DELAY = 8;

export interface RecallOptions {
  readonly tokens: TokenCounter;
  /** Milliseconds between pieces of a reply. */
  readonly pieceDelay?: number;
}

/**
 * Role `chat` without a language model: says that it is none, and quotes what the path and the nearest other
 * turns already say about the message. The same request always gives the same text.
 */
export const createRecall = ({ tokens, pieceDelay = PIECE_DELAY }: RecallOptions): ChatModel => ({
  name: RECALL,
  window: RECALL_WINDOW,
  tokens,
  async *reply(request, signal) {
    for (const piece of rest(recalled(request), request.begun).match(/\s*\S+\s*/gu) ?? []) {
      if (pieceDelay > 0) await pause(pieceDelay, signal);
      if (signal.aborted) return;
      yield piece;
    }
  },
});

/** The whole reply. Turns are linked as `#turn-N`. */
export const recalled = ({ messages, quotable }: Pick<ChatRequest, 'messages' | 'quotable'>): string => {
  const message = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const quotes = quotesFor(message, quotable);
  const onPath = quotes.filter((quote) => quote.onPath);
  const elsewhere = quotes.filter((quote) => !quote.onPath);
  return [
    openingFor(message),
    ...(quotes.length === 0 ? [NOTHING_FITS] : []),
    ...(onPath.length === 0 ? [] : [ON_PATH, ...onPath.map(blockquote)]),
    ...(elsewhere.length === 0 ? [] : [ELSEWHERE, ...elsewhere.map(blockquote)]),
  ].join('\n\n');
};

const blockquote = ({ text, turn, by }: Quote): string =>
  `> ${escaped(text)}\n>\n> — ${by === 'user' ? 'you' : 'the reply'}, [Turn ${turn}](#turn-${turn})`;

/** Quoted text must not become markup. */
const escaped = (text: string): string => text.replace(/[\\`*_[\]<>|~]/g, '\\$&').replace(/^(\d*)([#+.)-])/, '$1\\$2');

/** What follows what was already said; the whole, set off, if the conversation has changed since. */
const rest = (whole: string, begun: string): string =>
  whole.startsWith(begun) ? whole.slice(begun.length) : `\n\n${whole}`;

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });
