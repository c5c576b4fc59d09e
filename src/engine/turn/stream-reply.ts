import type { Timing } from '../../domain/decision.ts';
import type { ReplyState } from '../../domain/forest.ts';
import type { Usage } from '../../domain/reply.ts';
import { failureIn } from '../model-failure.ts';
import type { ChatModel, ChatRequest } from '../ports.ts';
import type { Stopwatch } from '../stopwatch.ts';

/** What has come of a reply goes into the log at least this often, in milliseconds. */
const FLUSH_EVERY = 1000;

export interface ReplySink {
  readonly signal: AbortSignal;
  readonly stopwatch: Stopwatch;
  /** The whole reply as far as it has come; its end is not in the log yet. */
  received(whole: string): void;
  /** Puts text in the log; false if the reply is no longer wanted there. */
  flush(text: string): Promise<boolean>;
  ended(end: ReplyEnd): Promise<void>;
}

interface ReplyEnd {
  readonly state: Exclude<ReplyState, 'streaming' | 'interrupted'>;
  readonly failure: string | null;
  readonly failureKind?: string;
  readonly timings: Timing[];
  /** Left out where the model did not tell. */
  readonly usage?: Usage;
}

/** Streams a reply into the log. Never rejects for the model's sake: what came is kept and the end says why. */
export const streamReply = async (chat: ChatModel, request: ChatRequest, sink: ReplySink): Promise<void> => {
  const { signal, stopwatch } = sink;
  const abandon = new AbortController();
  const stop = AbortSignal.any([signal, abandon.signal]);
  const begun = stopwatch.now();
  let first = true;
  let whole = request.begun;
  let unsaved = '';
  let flushed = begun;
  let failed: Pick<ReplyEnd, 'failure' | 'failureKind'> | null = null;
  const told: { usage?: Usage } = {};
  const onUsage = (usage: Usage): void => {
    told.usage = usage;
  };
  try {
    for await (const piece of chat.reply({ ...request, onUsage }, stop)) {
      if (stop.aborted) break;
      if (first) stopwatch.lap('first token', begun);
      first = false;
      whole += piece;
      unsaved += piece;
      sink.received(whole);
      if (stopwatch.now() - flushed < FLUSH_EVERY) continue;
      flushed = stopwatch.now();
      const text = unsaved;
      unsaved = '';
      if (!(await sink.flush(text))) abandon.abort();
    }
  } catch (error) {
    if (!stop.aborted) failed = failureIn(error);
  }
  stopwatch.lap('reply', begun);
  if (abandon.signal.aborted) return;
  if (unsaved !== '') await sink.flush(unsaved);
  const state = failed !== null ? 'failed' : signal.aborted ? 'stopped' : 'done';
  await sink.ended({ state, failure: null, ...failed, timings: stopwatch.take(), ...told });
};
