import type { ServerResponse } from 'node:http';
import type { Fault } from './fault.ts';

export interface Answer {
  readonly text: string;
  /** What a thinking model says first; null for a model that does not think. */
  readonly reasoning: string | null;
}

export interface StreamOptions {
  /** What servers call the field for it. */
  readonly reasoningField: 'reasoning_content' | 'reasoning';
  /** Milliseconds between pieces. */
  readonly pieceDelay: number;
  /** The last event, where it was asked for. */
  readonly usage: object | null;
}

/** Streams an answer as `chat.completion.chunk` events, up to where a fault has it end. */
export const streamed = async (
  response: ServerResponse,
  { text, reasoning }: Answer,
  fault: Fault | null,
  { reasoningField, pieceDelay, usage }: StreamOptions,
): Promise<void> => {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' });
  const send = (data: string) => response.write(`data: ${data}\n\n`);
  const chunk = (delta: object, finish: string | null = null) =>
    send(JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] }));
  chunk({ role: 'assistant', content: '' });
  const deltas = [
    ...piecesOf(reasoning ?? '').map((piece) => ({ [reasoningField]: piece })),
    ...piecesOf(text).map((content) => ({ content })),
  ];
  const after = fault !== null && 'after' in fault ? (fault.after ?? 0) : fault?.kind === 'empty' ? 0 : deltas.length;
  for (const delta of deltas.slice(0, after)) {
    if (response.destroyed) return;
    chunk(delta);
    await new Promise((resolve) => setTimeout(resolve, pieceDelay));
  }
  switch (fault?.kind) {
    case 'cut':
      response.destroy();
      return;
    case 'silence':
      return;
    case 'unfinished':
      response.end();
      return;
    case 'garbled-event':
      send('{"choices":[{"del');
      break;
    case 'error-event':
      send(JSON.stringify({ error: fault.error }));
      response.end();
      return;
    default:
      chunk({}, fault?.kind === 'empty' ? fault.finish : 'stop');
  }
  if (usage !== null) send(JSON.stringify({ object: 'chat.completion.chunk', choices: [], usage }));
  send('[DONE]');
  response.end();
};

/** About a token each. */
const piecesOf = (text: string): string[] => text.match(/\s*\S{1,6}/gu) ?? [];
