import type { StoreApi } from 'zustand/vanilla';
import type { Attachment } from '../domain/attachment.ts';
import type { Target } from '../domain/decision.ts';
import type { Event } from '../domain/event-kinds.ts';
import type { Forest, NodeId, ReplyId, StepId } from '../domain/forest.ts';
import { clamp } from '../domain/numbers.ts';
import { endOf, pendingTurn } from '../domain/queries.ts';
import { openReplies } from '../domain/stored-forest.ts';
import { recordsOf } from '../domain/table.ts';
import { userAttachments } from '../engine/context/sent-message.ts';
import type { Host } from '../engine/core.ts';
import { ModelFailure } from '../engine/model-failure.ts';
import { StorageFailure } from '../engine/storage.ts';
import { whenIdle } from '../engine/tasks.ts';
import { draftOf, draftText, isSameFile, joinDrafts } from './attachments.ts';
import { catchUpWithLog } from './conversation-log.ts';
import {
  hasMovedOn,
  type Kernel,
  notify,
  notifyNotSent,
  pruneSelection,
  reportingErrors,
  reportUnexpected,
  setSession,
  stillOpen,
} from './kernel.ts';
import type { Learning } from './learning.ts';
import type { AppState, Session } from './state.ts';

/** How long to wait for another tab to release the conversation, in milliseconds. */
const PATIENCE = 600;

const BUSY_ELSEWHERE = 'Another tab is replying in this conversation. Try again when it is done.';

/** Abort reason used when the user stopped the turn. */
const STOPPED = 'stopped by the person';

/** `signal` ends the reply; `left` fires, and `signal` with it, when the conversation is left or the turn is gone. */
type TurnTask = (signal: AbortSignal, left: AbortSignal) => Promise<void>;

/** Runs the engine on the open conversation: one turn at a time, in this tab and across tabs. */
export class Turns {
  readonly #kernel: Kernel;
  readonly #learning: Learning;
  #running: { readonly stop: AbortController; readonly leave: AbortController; readonly done: Promise<void> } | null =
    null;
  #halts = 0;
  /** The message or edit that waits to be sent: *Send* pressed again does not send it twice. */
  #waiting: { readonly what: string } | null = null;
  /** Where the next message was to go before a step that changed it, and since. */
  readonly #targets = new Map<StepId, { readonly from: Target | null; readonly to: Target | null }>();
  /** Conversations to recover once no other tab works on them. */
  readonly #awaited = new Set<string>();

  constructor(kernel: Kernel, learning: Learning) {
    this.#kernel = kernel;
    this.#learning = learning;
  }

  get busy(): boolean {
    return this.#running !== null;
  }

  /** Sends a message and completes its turn. What was written or attached while it waited stays in the draft. */
  async send({ written, attached, target, isDraft }: Outgoing): Promise<void> {
    const { store } = this.#kernel;
    const { conversationId } = store.getState();
    const session = () => store.getState().session;
    const ran = await this.#runOnce(`message ${written}`, async (signal, left) => {
      // What was removed while it waited may be gone.
      const files = attached.filter((one) => session().attached.includes(one));
      const text = draftText({ draft: written, attached: files });
      if (!(await this.#sent(text, null, target, files))) return;
      setSession(this.#kernel, { selectedId: null });
      if (session().target === target) setSession(this.#kernel, { target: null });
      if (isDraft) setSession(this.#kernel, draftWithout(session(), written, files));
      this.#waiting = null;
      await this.#place(signal, left);
    });
    if (!ran) notifyNotSent(this.#kernel, conversationId, 'message');
  }

  /**
   * Sends a message of a dialogue; `given` is its reply, if there is one. Does not touch what the user is writing or has
   * selected. `begins` is called when its turn has come, and returns whether it is still to be sent.
   */
  async replay(message: string, given: string | null, begins: () => boolean): Promise<void> {
    await this.#runNext('Sending', async (signal, left) => {
      if (begins() && (await this.#sent(message, given, null))) await this.#place(signal, left, 'replayed');
    });
  }

  /**
   * Sends the message being edited as a sibling of the original, which stays with its subtree: as it reads once it can be
   * sent, and not at all if the edit was cancelled or the original is gone by then.
   */
  async sendEdited(): Promise<void> {
    const { store } = this.#kernel;
    const { conversationId, session: asked } = store.getState();
    if (asked.editing === null || asked.editing.text.trim() === '') return;
    const { nodeId } = asked.editing;
    const ran = await this.#runOnce(`edit ${nodeId}`, async (signal, left) => {
      const { forest, session } = store.getState();
      const { editing } = session;
      if (editing === null || editing.nodeId !== nodeId || editing.text.trim() === '') return;
      const original = forest.nodes[editing.nodeId];
      if (original === undefined) return notify(this.#kernel, 'The edit was not sent: its turn no longer exists.');
      const end = endOf(forest, original);
      const { parentId, number } = original;
      const target: Target = parentId === null ? { kind: 'new-topic' } : { kind: 'under', nodeId: parentId };
      if (!(await this.#sent(editing.text.trim(), null, target, userAttachments(original)))) return;
      const now = store.getState().session;
      const isDone = now.editing?.nodeId === editing.nodeId && now.editing.text === editing.text;
      setSession(this.#kernel, {
        selectedId: null,
        editing: isDone ? null : now.editing,
        // A place that was chosen is about the draft.
        target: now.target?.chosen !== true && now.target === asked.target ? null : now.target,
      });
      this.#waiting = null;
      notify(this.#kernel, `Turn ${number} is unchanged. The edited message was sent alongside it.`, {
        label: `Back to turn ${number}`,
        run: () => void this.#backTo(end.id, conversationId),
        passes: true,
      });
      await this.#place(signal, left, { edited: nodeId });
    });
    if (!ran) notifyNotSent(this.#kernel, conversationId, 'edit');
  }

  async #backTo(nodeId: NodeId, conversationId: string): Promise<void> {
    try {
      const done = await this.#kernel.record({ type: 'activated', nodeId }, conversationId);
      if (done.ok || done.refusal === 'already-there') return;
      const isPending = done.refusal === 'turn-pending';
      const why = isPending ? 'A message is still being placed. Try again in a moment.' : 'That turn no longer exists.';
      notify(this.#kernel, why);
    } catch (error) {
      reportUnexpected(this.#kernel, 'Switching turns', error);
    }
  }

  /** Appends a message to the log; returns false and shows a notice if it was refused. */
  async #sent(
    message: string,
    given: string | null,
    target: Target | null,
    attachments: readonly Attachment[] = [],
  ): Promise<boolean> {
    const nodeId = this.#kernel.ports.newId();
    const files = attachments.length === 0 ? {} : { attachments: [...attachments] };
    const sent = await this.#kernel.record({ type: 'message-sent', nodeId, message, given, target, ...files });
    if (!sent.ok) {
      if (sent.refusal === 'turn-pending') notify(this.#kernel, 'An earlier message is still being placed.');
      if (sent.refusal === 'unknown-turn') notify(this.#kernel, 'The turn to continue from no longer exists.');
      return false;
    }
    return true;
  }

  /** Places a message left unplaced by a tab that was closed, unless another tab does so. */
  async #resumePending(conversationId: string): Promise<void> {
    const isElsewhere = () => this.recoverOnceFree(conversationId);
    await this.#run('Placing the message', (signal, left) => this.#place(signal, left), isElsewhere);
  }

  async regenerate(nodeId: NodeId, by?: 'embedded'): Promise<void> {
    const { engine, ports } = this.#kernel;
    await this.#run('Replying', (signal, left) => engine.regenerate(nodeId, ports.newId(), signal, by, left));
  }

  async resume(nodeId: NodeId): Promise<void> {
    await this.#run('Resuming the reply', async (signal, left) => {
      if ((await this.#kernel.engine.resume(nodeId, signal, left)) !== 'window-full') return;
      const text =
        'The model’s window is full. Ask it to go on in a new message, or choose a model with a longer window.';
      notify(this.#kernel, text, {
        label: 'Choose a model',
        run: () => setSession(this.#kernel, { dialog: 'models', with: 'chat' }),
      });
    });
  }

  /** Stops the reply, keeping the partial text; if the message has not been placed yet, takes it back. */
  stop(): void {
    this.#running?.stop.abort(STOPPED);
  }

  /** Whether a reply is being written, by this tab or perhaps by another. */
  get isReplying(): boolean {
    const { turn, forest } = this.#kernel.store.getState();
    return this.busy ? turn?.phase === 'replying' : isUnfinished(forest);
  }

  /** Stops the reply that is being written and waits until it has ended. Returns false, and says so, if another tab writes it. */
  async endReply(): Promise<boolean> {
    const { store, ports } = this.#kernel;
    if (this.#running !== null) {
      this.stop();
      await this.#running.done;
      return true;
    }
    const isFree = await ports.exclusive(lockOf(store.getState().conversationId), PATIENCE, async () => undefined);
    if (!isFree) notify(this.#kernel, BUSY_ELSEWHERE);
    return isFree;
  }

  /** Aborts any work on the conversation and waits until it has ended. */
  async halt(): Promise<void> {
    this.#halts += 1;
    while (this.#running !== null) {
      this.#running.leave.abort();
      await this.#running.done;
    }
  }

  /** Ends replies left open by a tab that was closed, and resumes what it left undone. */
  async recover(): Promise<void> {
    const { store, ports, engine } = this.#kernel;
    const { conversationId } = store.getState();
    const alone = await ports.exclusive(lockOf(conversationId), PATIENCE, async () => {
      for (const node of recordsOf(store.getState().forest.nodes)) {
        for (const reply of openReplies(node)) {
          if (store.getState().conversationId !== conversationId) return;
          await this.#kernel.commit({
            type: 'record',
            step: null,
            event: {
              type: 'reply-ended',
              nodeId: node.id,
              replyId: reply.id,
              state: 'interrupted',
              failure: null,
              timings: [],
            },
          });
        }
      }
    });
    if (!alone) return this.recoverOnceFree(conversationId);
    if (store.getState().conversationId !== conversationId) return;
    if (pendingTurn(store.getState().forest) !== null && !this.busy) await this.#resumePending(conversationId);
    // The layout of what was opened comes first.
    await new Promise<void>((resolve) => whenIdle(resolve));
    if (store.getState().conversationId !== conversationId) return;
    await engine.catchUp(new AbortController().signal).catch((error) => {
      // The next message that is compared tells of models that fail; what is stored, whoever stores next.
      if (!(error instanceof ModelFailure || error instanceof StorageFailure)) throw error;
    });
  }

  /**
   * Recovers the open conversation, in the background, if the tab that works on it is closed before it is done. Call it
   * when another tab has changed the conversation.
   */
  recoverOnceFree(conversationId: string): void {
    const { store, ports, inQueue } = this.#kernel;
    const isOpen = () => store.getState().conversationId === conversationId;
    if (!isOpen() || this.#awaited.has(conversationId)) return;
    this.#awaited.add(conversationId);
    const recover = async (): Promise<void> => {
      await ports.whenFree(lockOf(conversationId)).finally(() => this.#awaited.delete(conversationId));
      // It may be done, and not have been heard of yet.
      await inQueue(() => catchUpWithLog(this.#kernel, conversationId));
      if (isOpen() && isUnfinished(store.getState().forest)) await this.recover();
    };
    recover().catch((error) => reportUnexpected(this.#kernel, 'Resuming the conversation', error));
  }

  /** Has the next message continue from a turn that was gone to in this step, until that is undone. */
  continueFrom(nodeId: NodeId, step: StepId | null): void {
    this.#retarget({ kind: 'under', nodeId }, step);
  }

  /** Leaves to the engine where the next message continues if this step has moved the conversation on from a turn that was gone to. */
  moveOn(before: Forest, step: StepId | null): void {
    if (hasMovedOn(before, this.#kernel.store.getState())) this.#retarget(null, step);
  }

  #retarget(to: Target | null, step: StepId | null): void {
    const from = this.#kernel.store.getState().session.target;
    setSession(this.#kernel, { target: to });
    if (step !== null) this.#targets.set(step, { from, to });
  }

  /**
   * After steps were undone or redone, by these events: the next message continues again where it did before a turn was gone
   * to, or from there.
   */
  followTarget(events: readonly Event[]): void {
    const { store } = this.#kernel;
    for (const event of events) {
      const gone = 'step' in event ? this.#targets.get(event.step) : undefined;
      if (gone === undefined) continue;
      const [was, is] = event.type === 'undone' ? [gone.to, gone.from] : [gone.from, gone.to];
      // Another place may have been chosen since.
      if (store.getState().session.target === was) setSession(this.#kernel, { target: is });
    }
    const { forest, session } = store.getState();
    const { target } = session;
    // A message that was redone has gone there.
    const isOver = target?.kind === 'under' && target.chosen !== true && target.nodeId !== forest.active?.nodeId;
    if (isOver) setSession(this.#kernel, { target: null });
    pruneSelection(this.#kernel);
  }

  /** After steps were undone or redone: learns from it, takes up what came back, and follows replies that changed. */
  async followSteps(before: Forest): Promise<void> {
    const { store, engine } = this.#kernel;
    const isOpen = stillOpen(this.#kernel);
    await this.#learning.follow(before, store.getState().forest);
    if (!isOpen()) return;
    this.#resumeOpen();
    await engine.catchUpSince(before);
  }

  /** Takes up a message or a reply that came back unfinished, after what runs now. */
  #resumeOpen(): void {
    const isOpen = stillOpen(this.#kernel);
    const resume = async (): Promise<void> => {
      await this.#running?.done;
      if (isOpen() && isUnfinished(this.#kernel.store.getState().forest)) await this.recover();
    };
    resume().catch((error) => reportUnexpected(this.#kernel, 'Resuming the conversation', error));
  }

  async #place(signal: AbortSignal, left: AbortSignal, source: MessageSource = 'written'): Promise<void> {
    const { store, engine } = this.#kernel;
    const before = store.getState().forest;
    const pending = pendingTurn(before);
    if (pending === null) return;
    let learned: Promise<void> | undefined;
    // A place chosen by the user is a lesson, also if the page is closed before the reply is complete.
    const learn = (): void => {
      learned = this.#learning
        .follow(before, store.getState().forest)
        .catch((error) => reportUnexpected(this.#kernel, 'Learning from the place of the message', error));
    };
    try {
      await engine.turn(pending, signal, left, pending.target?.chosen === true ? learn : undefined);
      await learned;
    } catch (error) {
      if (!signal.aborted) throw error;
      // Stopped before it was placed: the message goes back to where it came from.
      if (signal.reason === STOPPED) await this.#takeBack(source);
    }
  }

  async #takeBack(source: MessageSource): Promise<void> {
    const { store, commit } = this.#kernel;
    const pending = pendingTurn(store.getState().forest);
    if (pending === null || store.getState().forest.history.past.at(-1)?.id !== pending.step) return;
    await commit({ type: 'undo' });
    if (source === 'replayed' || pending.given !== null) return;
    const { draft, attached, target, editing } = store.getState().session;
    if (typeof source !== 'string' && editing === null) {
      const { message: text } = pending;
      return setSession(this.#kernel, { editing: { nodeId: source.edited, text, takesFocus: true } });
    }
    const back = draftOf(pending);
    // The next message may have been begun.
    setSession(this.#kernel, {
      draft: joinDrafts(back.draft, draft),
      attached: [...back.attached, ...attached.filter((one) => !back.attached.some((file) => isSameFile(file, one)))],
      target: target ?? pending.target,
    });
  }

  /**
   * Runs a task after a turn whose reply is complete: only its summary is still in progress. Returns false without running
   * it if the turns were halted meanwhile: another conversation may be open.
   */
  async #runNext(what: string, task: TurnTask): Promise<boolean> {
    const { store } = this.#kernel;
    const halts = this.#halts;
    if (store.getState().turn?.phase === 'summarising') await this.#running?.done;
    return this.#halts === halts && (await this.#run(what, task));
  }

  /** Runs a task that sends what the user wrote, unless something already waits to be sent. */
  async #runOnce(what: string, task: TurnTask): Promise<boolean> {
    if (this.#waiting !== null) {
      if (this.#waiting.what !== what) notify(this.#kernel, 'An earlier message is still waiting to be sent.');
      return true;
    }
    const waiting = { what };
    this.#waiting = waiting;
    try {
      return await this.#runNext('Sending', task);
    } finally {
      if (this.#waiting === waiting) this.#waiting = null;
    }
  }

  /**
   * Returns false without running the task if the conversation is left before it can begin. `isElsewhere` is called instead
   * of the task if another tab is working on the conversation.
   */
  async #run(what: string, task: TurnTask, isElsewhere = () => notify(this.#kernel, BUSY_ELSEWHERE)): Promise<boolean> {
    if (this.#running !== null) {
      notify(this.#kernel, 'Only one turn can run at a time. Stop this one, or wait for it to finish.');
      return true;
    }
    const { store, ports } = this.#kernel;
    const { conversationId } = store.getState();
    const [stop, leave] = [new AbortController(), new AbortController()];
    const signal = AbortSignal.any([stop.signal, leave.signal]);
    let isLeft = false;
    let written: ReplyId | null = null;
    // Of a turn or a reply that was undone, deleted or purged, here or in another tab, nobody would see what is written.
    const unfollow = store.subscribe(({ turn, forest: { nodes, pending } }) => {
      if (turn === null) return;
      const { nodeId, replyId } = turn;
      if (nodes[nodeId] === undefined && pending[nodeId] === undefined) leave.abort();
      if (nodes[nodeId]?.replies.some(({ id }) => id === replyId) === true) written = replyId;
      else if (replyId !== null && replyId === written) leave.abort();
    });
    const work = async () => {
      try {
        const ran = await ports.exclusive(lockOf(conversationId), PATIENCE, async () => {
          isLeft = leave.signal.aborted || store.getState().conversationId !== conversationId;
          if (!isLeft && !signal.aborted) await task(signal, leave.signal);
        });
        if (!ran) isElsewhere();
      } catch (error) {
        // What was stopped has not failed.
        if (!signal.aborted) reportUnexpected(this.#kernel, what, error);
      } finally {
        unfollow();
        this.#running = null;
        store.setState({ turn: null });
      }
    };
    const done = work();
    this.#running = { stop, leave, done };
    await done;
    return !isLeft;
  }
}

const isUnfinished = (forest: Forest): boolean =>
  pendingTurn(forest) !== null || recordsOf(forest.nodes).some((node) => openReplies(node).length > 0);

/** Where a message comes from: the composer, a file or sample, or an edit of this turn's. */
type MessageSource = 'written' | 'replayed' | { readonly edited: NodeId };

const lockOf = (conversationId: string): string => `coppice-turn-${conversationId}`;

/** A message as it was when Send was pressed. */
interface Outgoing {
  /** Empty if there are only files. */
  readonly written: string;
  readonly attached: readonly Attachment[];
  readonly target: Target | null;
  /** Whether it is in the draft. */
  readonly isDraft: boolean;
}

/** What the draft still holds once a message from it has been sent. */
const draftWithout = ({ draft, attached }: Session, written: string, files: readonly Attachment[]) => {
  const text = draft.trim();
  // Sent while the page opened, it stands below the stored draft.
  const above = text.endsWith(`\n\n${written}`) ? text.slice(0, -written.length).trimEnd() : draft;
  return {
    draft: text.startsWith(written) ? draft.trimStart().slice(written.length).trimStart() : above,
    attached: attached.filter((one) => !files.includes(one)),
  };
};

interface TurnParts {
  /** Returns the files to send, once those added with the draft have been read; null if it is not to be sent. */
  readonly filesOfDraft: () => Promise<readonly Attachment[] | null>;
  /** Pauses a replay when the user sends something. */
  readonly pauseReplay: () => void;
}

/** Actions on a turn and its reply. */
export const turnActions = (kernel: Kernel, turns: Turns, { filesOfDraft, pauseReplay }: TurnParts) => {
  /** `seen`: whether the conversation was open, so that the user saw the files of its draft. */
  const send = reportingErrors(kernel, 'Sending', async (message: Omit<Outgoing, 'attached'>, seen: boolean) => {
    pauseReplay();
    const unseen = seen ? [] : kernel.store.getState().session.attached;
    const attached = message.isDraft ? await filesOfDraft() : [];
    if (attached === null) return;
    await turns.send({ ...message, attached: attached.filter((one) => !unseen.includes(one)) });
  });

  return {
    /** Sends the draft and its attachments; the engine places it, or the user through `session.target`. */
    send: (text: string): Promise<void> => {
      // Taken at once: the user may write on before it can be sent.
      const { phase, session } = kernel.store.getState();
      const isDraft = draftText(session) === text;
      const written = isDraft ? session.draft.trim() : text;
      return send({ written, target: session.target, isDraft }, phase !== 'opening');
    },
    /** Sends `session.editing` as a sibling of the original message, which stays with its subtree. */
    sendEdited: reportingErrors(kernel, 'Sending', async () => {
      pauseReplay();
      await turns.sendEdited();
    }),
    /** Stops the reply; the partial text stays. */
    stop: (): void => turns.stop(),
    /** Adds another reply to a turn and makes it the chosen one; `by` can select the embedded chat model. */
    regenerate: reportingErrors(kernel, 'Replying', (nodeId: NodeId, by?: 'embedded') => turns.regenerate(nodeId, by)),
    /** Continues an interrupted reply. */
    resume: reportingErrors(kernel, 'Resuming the reply', (nodeId: NodeId) => turns.resume(nodeId)),
  };
};

/** Streamed text is rendered at most this often, in milliseconds, … */
const SHOW_EVERY = 40;
/** … takes at most about this share of the page's time, however long the text has become, … */
const SHARE = 0.25;
/** … and is shown when the page is idle, but at most this many milliseconds later. */
const AT_LATEST = 300;

/** Shows streamed text at intervals, since typing and drawing come first. `elapsed`: milliseconds on a monotonic clock. */
export const throttledStream = (store: StoreApi<AppState>, elapsed: () => number): Host['received'] => {
  let latest: Parameters<Host['received']> | null = null;
  let waiting = false;
  let pause = SHOW_EVERY;

  const show = async (): Promise<void> => {
    waiting = false;
    if (latest === null) return;
    const [nodeId, replyId, whole] = latest;
    latest = null;
    const begun = elapsed();
    store.setState(({ turn, forest }) => {
      if (turn?.nodeId !== nodeId || turn.replyId !== replyId) return {};
      const saved = forest.nodes[nodeId]?.replies.find(({ id }) => id === replyId)?.text.length ?? 0;
      return { turn: { ...turn, unsaved: whole.slice(saved) } };
    });
    // React renders store updates in the microtasks that follow.
    await Promise.resolve();
    pause = clamp((elapsed() - begun) / SHARE, SHOW_EVERY, AT_LATEST);
  };

  return (...received) => {
    latest = received;
    if (waiting) return;
    waiting = true;
    setTimeout(() => whenIdle(() => void show(), AT_LATEST), pause);
  };
};
