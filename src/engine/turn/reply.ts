import type { Context } from '../../domain/context.ts';
import type { Fallback, Timing } from '../../domain/decision.ts';
import { GIVEN, type NodeId, type ReplyId, type ReplyState, type StepId } from '../../domain/forest.ts';
import type { FreshIds } from '../../domain/handle.ts';
import { childrenOf, nodeOf, replyOf } from '../../domain/queries.ts';
import type { Usage } from '../../domain/reply.ts';
import { contextMessages } from '../context/context-text.ts';
import { sendableAgain, visibleForest } from '../context/visible-forest.ts';
import type { EngineCore } from '../core.ts';
import { failureIn } from '../model-failure.ts';
import { reserveFor } from '../parameters.ts';
import type { ComparedMessage } from '../place/compared-message.ts';
import { nearestTurns, pathViews } from '../place/question-views.ts';
import type { ChatModel, ChatRequest } from '../ports.ts';
import { isSameSettings, usedSettings } from '../settings.ts';
import { type Stopwatch, withPatience } from '../tasks.ts';
import { replyStart } from '../vectors/node-vectors.ts';
import type { decide } from './decide.ts';
import { buildContext, textWindow, withPictures } from './next-context.ts';

/** Number of nearest turns given to a responder that quotes. */
const QUOTABLE = 8;

/** A turn being replied to. */
interface ReplyTask {
  readonly nodeId: NodeId;
  readonly near: ComparedMessage;
  readonly stopwatch: Stopwatch;
  /** The model that replies. */
  readonly chat: ChatModel;
  /** What failed while the message was compared, if no decision records it. */
  readonly fallbacks?: readonly Fallback[];
  /** A reply that broke off before its first word, and whose place this one takes. */
  readonly replaces?: ReplyId | undefined;
}

/** Builds the context and has the chat model reply; as an undo step of its own if `step` is given. */
export const reply = async (
  core: EngineCore,
  turn: ReplyTask,
  step: string | null,
  signal: AbortSignal,
): Promise<void> => {
  const { nodeId, stopwatch, chat, replaces } = turn;
  const replyId = core.parts.newId();
  core.host.phase('replying', nodeId, replyId);
  const built = await stopwatch.time('context', () => standingContext(core, turn, signal)).catch(failureIn);
  const context = 'failure' in built ? null : built;
  const started = { type: 'reply-started' as const, nodeId, replyId, model: chat.name, context };
  const begun = await core.record(replaces === undefined ? started : { ...started, replaces }, step);
  if (!begun.ok) return;
  if (!('failure' in built)) return stream(core, turn, replyId, built, '', signal);
  // The replying model also counts the tokens, so a missing one fails here already; the turn stays.
  const end = signal.aborted
    ? ({ state: 'stopped', failure: null } as const)
    : ({ state: 'failed', ...built } as const);
  await core.record({ type: 'reply-ended', nodeId, replyId, ...end, timings: stopwatch.take() });
};

/**
 * Records a reply from an imported dialogue; its context is what a chat model would have been sent, null if that was
 * stopped or cannot be known.
 */
export const recordImportedReply = async (
  core: EngineCore,
  turn: ReplyTask,
  text: string,
  signal: AbortSignal,
): Promise<void> => {
  const { nodeId, stopwatch } = turn;
  const replyId = core.parts.newId();
  core.host.phase('replying', nodeId, replyId);
  const context = await stopwatch.time('context', () => standingContext(core, turn, signal)).catch(() => null);
  const begun = await core.record({ type: 'reply-started', nodeId, replyId, model: GIVEN, context });
  if (!begun.ok) return;
  await core.record({ type: 'reply-received', nodeId, replyId, text });
  const timings = stopwatch.take();
  await core.record({ type: 'reply-ended', nodeId, replyId, state: 'done', failure: null, timings });
};

/** Sends a context and records the reply as it arrives; `begun` is what an earlier attempt had received. */
export const stream = async (
  core: EngineCore,
  turn: ReplyTask,
  replyId: string,
  context: Context,
  begun: string,
  signal: AbortSignal,
): Promise<void> => {
  const { nodeId, stopwatch, chat } = turn;
  const request = await requestFor(core, turn, context, begun).catch(failureIn);
  if ('failure' in request) {
    const timings = stopwatch.take();
    await core.record({ type: 'reply-ended', nodeId, replyId, state: 'failed', ...request, timings });
    return;
  }
  await streamReply(chat, request, {
    signal,
    stopwatch,
    received: (whole) => core.host.received(nodeId, replyId, whole),
    flush: async (text) => (await core.record({ type: 'reply-received', nodeId, replyId, text })).ok,
    ended: async (end) => {
      await core.record({ type: 'reply-ended', nodeId, replyId, ...end });
    },
  });
};

/** Returns what the model is asked. Rejects if the pictures cannot be read. */
const requestFor = async (
  core: EngineCore,
  turn: ReplyTask,
  context: Context,
  begun: string,
): Promise<Omit<ChatRequest, 'onUsage'>> => {
  const forest = core.host.forest();
  const messages = contextMessages(forest, context);
  const pictures = await core.parts.pictures?.(context.pictures?.ids ?? []);
  return {
    messages,
    ...(context.pictures !== undefined && pictures !== undefined && { pictures }),
    begun,
    settings: forest.replySettings,
    quotable: quotable(core, turn),
  };
};

/** How often a context is built anew at most. */
const REBUILDS = 3;

/** Builds what the turn is sent: anew, if something in it was deleted, hidden or undone while it was built. */
const standingContext = async (core: EngineCore, turn: ReplyTask, signal: AbortSignal): Promise<Context> => {
  for (let rebuilds = REBUILDS; ; rebuilds--) {
    const { nodes } = core.host.forest();
    const context = await contextFor(core, turn, signal);
    // What is being written to the log comes first.
    await core.host.inQueue?.(async () => undefined);
    const now = core.host.forest();
    if (now.nodes === nodes || rebuilds === 0 || sendableAgain(now, context, turn.nodeId)) return context;
  }
};

/** Builds what the turn is sent, in its place; records an overview made for it. Rejects once the signal fires. */
export const contextFor = async (
  core: EngineCore,
  { nodeId, near, chat, fallbacks = [] }: ReplyTask,
  signal: AbortSignal,
): Promise<Context> => {
  const forest = core.host.forest();
  const replyReserve = reserveFor(forest, core.parameters, chat);
  const request = {
    forest,
    nodeId,
    nearness: (id: NodeId) => near.to(id),
    replyNearness: (id: NodeId) => near.toReply(id),
    tokens: core.tokensOf(chat),
    window: chat.sees === true ? textWindow(nodeOf(forest, nodeId), chat.window, replyReserve) : chat.window,
    parameters: { ...core.parameters, replyReserve },
    newId: core.parts.newId,
  };
  const built = await buildContext(core, request, signal);
  if (built.overview !== null) await core.record({ type: 'overview-built', overview: built.overview });
  const all = [...fallbacks, ...(built.context.fallbacks ?? [])];
  const settings = usedSettings(core.settings);
  const { trace } = nodeOf(forest, nodeId).decision;
  const context = {
    ...built.context,
    ...(all.length > 0 && { fallbacks: all }),
    // Another reply may be built with other ones than the turn was decided with, which its trace names.
    ...(!isSameSettings(settings, trace?.settings) && { settings }),
  };
  return chat.sees === true ? withPictures(core, forest, context, chat) : context;
};

const quotable = (core: EngineCore, { nodeId, near }: ReplyTask): ChatRequest['quotable'] => {
  const whole = core.host.forest();
  return () => {
    const forest = visibleForest(whole, nodeId);
    const node = nodeOf(forest, nodeId);
    return {
      message: node.message,
      spoken: near.spoken,
      path: node.parentId === null ? [] : pathViews(forest, node.parentId, near),
      nearest: nearestTurns(forest, near, QUOTABLE, node),
    };
  };
};

/** A reply in progress is written to the log at least this often, in milliseconds. */
const FLUSH_EVERY = 1000;

interface ReplySink {
  readonly signal: AbortSignal;
  readonly stopwatch: Stopwatch;
  /** The whole reply so far; its last part is not in the log yet. */
  received(whole: string): void;
  /** Writes text to the log; false if the reply is no longer wanted there. */
  flush(text: string): Promise<boolean>;
  ended(end: ReplyEnd): Promise<void>;
}

interface ReplyEnd {
  readonly state: Exclude<ReplyState, 'streaming' | 'interrupted'>;
  readonly failure: string | null;
  readonly failureKind?: string;
  readonly timings: Timing[];
  /** Omitted if the model did not report it. */
  readonly usage?: Usage;
}

/** Streams a reply into the log. Never rejects because of the model: what arrived is kept and the end says why. */
const streamReply = async (chat: ChatModel, request: ChatRequest, sink: ReplySink): Promise<void> => {
  const { signal, stopwatch } = sink;
  const abandon = new AbortController();
  const stop = AbortSignal.any([signal, abandon.signal]);
  const begun = stopwatch.now();
  let first = true;
  let whole = request.begun;
  let unsaved = '';
  let flushed = begun;
  let failed: Pick<ReplyEnd, 'failure' | 'failureKind'> | null = null;
  const reported: { usage?: Usage } = {};
  const onUsage = (usage: Usage): void => {
    reported.usage = usage;
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
  await sink.ended({ state, failure: null, ...failed, timings: stopwatch.take(), ...reported });
};

/**
 * Moves a turn to where its reply shows it belongs, as a step of its own. Does nothing if it is no longer where it was
 * put (`parentId`), since the user has decided, or if the reply failed or is one of `recall`'s quotes. If the check
 * itself fails, or `signal` fires, the turn stays: the next decision, by the same models, reports the failure.
 */
export const reconsider = async (
  core: EngineCore,
  nodeId: NodeId,
  parentId: NodeId | null,
  reconsiderPlace: Awaited<ReturnType<typeof decide>>['reconsider'],
  { step, fresh }: { readonly step: StepId; readonly fresh: FreshIds },
  signal = new AbortController().signal,
): Promise<void> => {
  const { host, vectors } = core;
  const forest = host.forest();
  const node = forest.nodes[nodeId];
  if (node === undefined || node.parentId !== parentId || childrenOf(forest, nodeId).length > 0) return;
  const start = replyStart(node);
  const isWhole = ['done', 'stopped'].includes(replyOf(node)?.state ?? '');
  if (start === '' || !isWhole || node.label !== null || node.decision.by !== 'engine') return;
  const lookAgain = async (inner: AbortSignal) => {
    await vectors.ensureReplies([node], await core.languageOfTurns(), inner);
    const vector = vectors.replies.meanOf([nodeId]);
    return vector && reconsiderPlace(start, vector);
  };
  const moved = await withPatience(lookAgain, core.parameters.patience, signal).catch(() => null);
  if (!moved) return;
  // Refused if the place is gone by now; the turn then stays.
  await host.commit({ type: 'reconsider', nodeId, fresh, step, ...moved });
};
