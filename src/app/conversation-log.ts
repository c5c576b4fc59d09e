import { applyEntries, frozen } from '../domain/apply.ts';
import { type Entry, LOG_VERSION } from '../domain/entry.ts';
import type { EventOf } from '../domain/event-kinds.ts';
import type { Forest, NodeId } from '../domain/forest.ts';
import { handle, type Intent, type IntentOutcome } from '../domain/handle.ts';
import { grown } from '../domain/long-list.ts';
import { conversationTitle } from '../domain/queries.ts';
import { defaultReplySettings } from '../domain/reply.ts';
import { holdsPurge, scrubber } from '../domain/scrub.ts';
import { sizeOf } from '../domain/table.ts';
import { foldInParts, mapInParts } from '../engine/history/fold-in-parts.ts';
import {
  type AppendedMeta,
  type ConversationMeta,
  type Storage,
  StorageFailure,
  type StorageFailureKind,
} from '../engine/storage.ts';
import { createYielder } from '../engine/tasks.ts';
import { hasMovedOn, type Kernel, pruneSelection, report, setSession } from './kernel.ts';
import { type AppState, without } from './state.ts';

/** Intent → events → log → store: the only way the open conversation changes. */
export const commitTo = async (kernel: Kernel, conversationId: string, intent: Intent): Promise<IntentOutcome> => {
  const { store, ports } = kernel;
  for (;;) {
    const { forest, entries, conversationId: open } = store.getState();
    // The conversation was closed meanwhile; anything a model still delivers for it has nowhere to go.
    if (open !== conversationId) return { ok: false, refusal: 'unknown-turn' };
    const handled = handle(forest, intent);
    if (!handled.ok) return handled;
    const at = ports.now();
    const begun = entries.length === 0 ? beginningOf(forest, at) : [];
    const added = [...begun, ...entriesOf(handled, entries.length + begun.length, at)];
    const next = applyEntries(forest, added);
    const deletedAt = added.some(isMessage) ? null : undefined;
    const meta = { ...metaOf(kernel, conversationId, next, added), deletedAt };
    if (await append(kernel, entries, added, meta)) {
      absorb(kernel, conversationId, added, next);
      return handled;
    }
    if (!(await catchUpWithLog(kernel, conversationId))) return refusedBy(kernel, conversationId);
  }
};

/**
 * Like `commitTo`, for a conversation that is not open: reads its log, and reads it again if another tab wrote
 * first. Its position in the list does not change, since nothing was said in it.
 */
export const commitToStored = async (
  kernel: Kernel,
  conversationId: string,
  intent: Intent,
): Promise<IntentOutcome> => {
  const { ports, storage } = kernel;
  for (;;) {
    const meta = await storage.conversation(conversationId);
    if (meta === undefined) return { ok: false, refusal: 'unknown-topic' };
    const entries = await storage.read(conversationId);
    const forest = await foldInParts(entries, createYielder(ports.elapsed));
    const asked = handle(forest, intent);
    // A message that was left there before it had its place waits until the conversation is opened; a new name need not.
    const isLeft = !asked.ok && asked.refusal === 'turn-pending' && isTitle(intent);
    const handled = isLeft ? handle(forest, { ...intent, step: null }) : asked;
    if (!handled.ok) return handled;
    const added = entriesOf(handled, entries.length, ports.now());
    const next = applyEntries(forest, added);
    const turns = sizeOf(next.nodes);
    if (await append(kernel, entries, added, { ...meta, title: conversationTitle(next), turns })) return handled;
  }
};

const isTitle = (intent: Intent): intent is Intent & { type: 'record' } =>
  intent.type === 'record' && intent.event.type === 'conversation-titled';

/** A new conversation starts with its persona's settings; until there is a log, they exist only in the forest. */
const beginningOf = ({ replySettings: settings }: Forest, at: number): Entry[] =>
  settings === defaultReplySettings
    ? []
    : [{ v: LOG_VERSION, seq: 1, at, step: null, event: { type: 'reply-settings-set', settings } }];

const entriesOf = ({ events, step }: IntentOutcome & { ok: true }, before: number, at: number): Entry[] =>
  events.map((event, i): Entry => ({ v: LOG_VERSION, seq: before + 1 + i, at, step, event }));

/**
 * Picks up what other tabs have added to the open conversation's log. Resolves to false if that is not its log any more: one
 * that was replaced is opened anew; one that was removed stays on the screen, which may show all that is left of it.
 */
export const catchUpWithLog = async (kernel: Kernel, conversationId: string): Promise<boolean> => {
  const { conversationId: open, entries } = kernel.store.getState();
  if (open !== conversationId) return true;
  const missed = await missedBy(kernel, conversationId, entries);
  if (!isOwn(kernel, conversationId, missed)) return false;
  await takeIn(kernel, conversationId, missed);
  return true;
};

/**
 * The stored entries that follow on those of an open log. `removed`: the conversation is stored no longer; `replaced`: its log
 * is another one by now, since another tab has restored a backup.
 */
type Missed = readonly Entry[] | 'removed' | 'replaced';

/** Whether they belong to the open log; if it was replaced, it is opened anew: news of that may never come. */
const isOwn = (kernel: Kernel, conversationId: string, missed: Missed): missed is readonly Entry[] => {
  if (missed === 'replaced') kernel.reopen(conversationId);
  return typeof missed !== 'string';
};

/** The refusal of what was to be written to a log that is not that of the open conversation any more. */
const refusedBy = async (kernel: Kernel, conversationId: string): Promise<IntentOutcome> => {
  if ((await kernel.storage.conversation(conversationId)) !== undefined) return { ok: false, refusal: 'unknown-turn' };
  if (kernel.store.getState().conversationId === conversationId) reportNotStored(kernel);
  return { ok: false, refusal: 'not-stored' };
};

const missedBy = async ({ storage }: Kernel, conversationId: string, entries: readonly Entry[]): Promise<Missed> => {
  const last = entries.at(-1);
  if (last === undefined) return storage.read(conversationId);
  const [stored, ...missed] = await storage.read(conversationId, entries.length - 1);
  if (stored !== undefined && isSameEntry(stored, last)) return missed;
  return (await storage.conversation(conversationId)) === undefined ? 'removed' : 'replaced';
};

/** A purge may have taken words out of either. */
const isSameEntry = (a: Entry, b: Entry): boolean =>
  a.at === b.at && a.step === b.step && a.event.type === b.event.type;

/** Picks up what another tab has added to a conversation's log, if that conversation is still open. */
const takeIn = async (kernel: Kernel, conversationId: string, missed: readonly Entry[]): Promise<void> => {
  const { store, storage, ports } = kernel;
  // A purge also changes earlier entries.
  const whole = holdsPurge(missed) ? await storage.read(conversationId) : null;
  const forest = whole === null ? null : frozen(await foldInParts(whole, createYielder(ports.elapsed)));
  const state = store.getState();
  if (!isNextIn(state, conversationId, missed)) return;
  const { forest: before } = state;
  if (whole === null || forest === null) absorb(kernel, conversationId, missed, applyEntries(state.forest, missed));
  else {
    const meta = metaOf(kernel, conversationId, forest, missed);
    store.setState({ ...rewritten(whole, forest), conversations: listedFirst(state.conversations, meta) });
  }
  pruneSelection(kernel, { texts: whole !== null });
  if (hasMovedOn(before, store.getState())) setSession(kernel, { target: null });
};

/** Whether these entries follow on the open log: it may have been closed, or opened again with them, while they were stored or read. */
const isNextIn = (state: AppState, conversationId: string, [first]: readonly Entry[]): boolean =>
  state.conversationId === conversationId && first?.seq === state.entries.length + 1;

/**
 * Purges turns: a single transaction rewrites the log without their text and appends the event that records the
 * purge. The undo history is lost as well. Files only they named go too, except those `spared`.
 */
export const purge = async (
  kernel: Kernel,
  conversationId: string,
  nodeIds: readonly NodeId[],
  spared: () => Promise<ReadonlySet<string>>,
): Promise<IntentOutcome> => {
  const { store, ports, storage } = kernel;
  for (;;) {
    const { forest, entries, conversationId: open } = store.getState();
    if (open !== conversationId) return { ok: false, refusal: 'unknown-turn' };
    const event: EventOf<'turns-purged'> = { type: 'turns-purged', nodeIds: [...nodeIds] };
    const handled = handle(forest, { type: 'record', event, step: null });
    if (!handled.ok) return handled;
    const at = ports.now();
    const purged: Entry = { v: LOG_VERSION, seq: entries.length + 1, at, step: null, event };
    const breathe = createYielder(ports.elapsed);
    const log = [...(await scrubbed(entries, nodeIds, breathe)), purged];
    const next = frozen(await foldInParts(log, breathe));
    const meta = metaOf(kernel, conversationId, next, [purged]);
    const spares = await spared();
    // Not over a log that has replaced this one, nor where there is none any more.
    const missed = await missedBy(kernel, conversationId, entries);
    if (!isOwn(kernel, conversationId, missed)) return refusedBy(kernel, conversationId);
    const conflict = await storage.rewrite(log, entries.length, { ...meta, deletedAt: undefined }, nodeIds, spares);
    if (conflict !== null) {
      await takeIn(kernel, conversationId, conflict.missed);
      continue;
    }
    store.setState((state) => ({
      ...(isNextIn(state, conversationId, [purged]) && rewritten(log, next)),
      // Its title may have had words of these turns.
      conversations: listedFirst(state.conversations, meta),
    }));
    return handled;
  }
};

/** Like `scrub`, in parts. A long log is unpacked once for it, not with each look at all of its entries. */
const scrubbed = async (
  entries: readonly Entry[],
  nodeIds: readonly NodeId[],
  breathe: () => Promise<void>,
): Promise<Entry[]> => {
  const log = await mapInParts(entries, (entry) => entry, breathe);
  return mapInParts(log, scrubber(log, nodeIds), breathe);
};

/** The state with another log than so far; no moment of the old one is shown or on its way any more. */
const rewritten = (entries: readonly Entry[], forest: Forest) => ({
  entries,
  handled: null,
  forest,
  past: null,
  reaching: null,
});

/** The list with the conversation at its top; the same list if it is not in it. */
const listedFirst = (metas: readonly ConversationMeta[], meta: ConversationMeta): readonly ConversationMeta[] =>
  metas.some(({ id }) => id === meta.id) ? [meta, ...without(metas, meta.id)] : metas;

/** Appends entries after `before`; false if another tab wrote first, or replaced or removed the log. If the storage fails, continues in memory. */
const append = async (
  kernel: Kernel,
  before: readonly Entry[],
  added: readonly Entry[],
  meta: AppendedMeta,
): Promise<boolean> => {
  try {
    return (await kernel.storage.append(added, meta)) === null;
  } catch (error) {
    if (!(error instanceof StorageFailure)) throw error;
    const isElsewhere = async () => typeof (await missedBy(kernel, meta.id, before)) === 'string';
    if (error.kind === 'damaged' && (await isElsewhere().catch(() => false))) return false;
    goOnInMemory(kernel, error);
    await kernel.storage.append([...before, ...added], meta);
    return true;
  }
};

/** Entries are stored in portions of at least this size, so that a long log does not hold one huge transaction. */
const PORTION = 2000;

/**
 * Appends entries to a log that is not open in this tab, which may be a long one. Rejects if another tab is writing to it;
 * portions that were stored by then stay.
 */
export const appendAll = async (storage: Storage, entries: readonly Entry[], meta: AppendedMeta): Promise<void> => {
  for (let at = 0, end = 0; at === 0 || at < entries.length; at = end) {
    end = at + PORTION;
    // No turn is cut in two: half of one, left by a tab that was closed, would count as known.
    while (end < entries.length && entries[end]?.event.type !== 'message-sent') end++;
    const conflict = await storage.append(entries.slice(at, end), meta);
    if (conflict !== null)
      throw new Error('Another tab was writing to the same conversation. Close that tab and try again.');
  }
};

/** Stops saving to disk from here on; tells the user and offers an export instead. */
export const goOnInMemory = (kernel: Kernel, failure: StorageFailure): void => {
  kernel.storage = kernel.ports.overlayStorage(kernel.storage);
  kernel.store.setState(({ storage: { kind, stopped } }) => {
    const held = kind === 'indexeddb' || ['newer-version', 'held-up'].includes(failure.kind);
    const why = failure.kind === 'full' ? 'full' : 'failed';
    return { storage: { kind: 'memory', stopped: stopped ?? (held ? why : null), persisted: false, estimate: null } };
  });
  report(kernel, {
    id: 'storage',
    title: failure.kind === 'full' ? 'The browser’s storage is full' : 'Nothing new is being saved',
    advice: `${failure.message} You can keep writing, but anything new is lost when you close this tab.`,
    action: { label: 'Export', run: () => setSession(kernel, { dialog: 'export' }) },
  });
};

/** The problem that the open conversation is stored no longer; it is over once another one is shown. */
export const NOT_STORED = 'not-stored';

/** Says that the open conversation is stored no longer. It stays as it is, to be exported: there may be no other copy. */
export const reportNotStored = (kernel: Kernel): void =>
  report(kernel, {
    id: NOT_STORED,
    title: `“${conversationTitle(kernel.store.getState().forest)}” is no longer stored`,
    advice:
      'It was deleted for good in another tab, or the browser’s site data was cleared. Nothing more can be added to it. Export it to keep what is on the screen; you can then import it again.',
    action: { label: 'Export', run: () => setSession(kernel, { dialog: 'export' }) },
  });

/** Carries out a write. If the storage no longer accepts any, or only if it fails in this way, continues in memory and repeats it there. */
export const orInMemory = async (
  kernel: Kernel,
  write: () => Promise<void>,
  only?: StorageFailureKind,
): Promise<void> => {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof StorageFailure) || error.kind !== (only ?? error.kind)) throw error;
    goOnInMemory(kernel, error);
    await write();
  }
};

/**
 * Summaries and titles are created automatically, even for an import as soon as it is opened; viewing a conversation does
 * not count as using it, nor does naming it: nothing was said in it.
 */
const isUse = ({ event }: Entry): boolean =>
  event.type !== 'summarised' &&
  event.type !== 'conversation-titled' &&
  !(event.type === 'topic-titled' && event.by === 'engine');

/** A conversation that another tab has deleted, while it is open in this one, comes back with the next message. */
const isMessage = ({ event }: Entry): boolean => event.type === 'message-sent';

const metaOf = (
  { store }: Kernel,
  conversationId: string,
  forest: Forest,
  added: readonly Entry[],
): ConversationMeta => {
  const { conversations, deleted } = store.getState();
  const isOpen = ({ id }: ConversationMeta): boolean => id === conversationId;
  const known = conversations.find(isOpen) ?? deleted.find(isOpen);
  const at = added.at(-1)?.at ?? 0;
  return {
    id: conversationId,
    title: conversationTitle(forest),
    turns: sizeOf(forest.nodes),
    createdAt: known?.createdAt ?? at,
    updatedAt: added.some(isUse) ? at : (known?.updatedAt ?? at),
    deletedAt: null,
    filing: known?.filing,
  };
};

/** Lists the conversation as it is now, and shows what was added if it is still open. */
const absorb = (kernel: Kernel, conversationId: string, added: readonly Entry[], forest: Forest): void => {
  const meta = metaOf(kernel, conversationId, forest, added);
  const used = added.some(isUse);
  const isBack = added.some(isMessage);
  kernel.store.setState((state) => {
    // What has begun is stored, also without a message, and only the list leads back to it.
    const hasBegun = added[0]?.seq === 1;
    const isListed = isBack || hasBegun || state.conversations.some(({ id }) => id === meta.id);
    const saved = added.reduce((length, { event }) => {
      const own = event.type === 'reply-received' && event.replyId === state.turn?.replyId;
      return own ? length + event.text.length : length;
    }, 0);
    return {
      ...(isNextIn(state, conversationId, added) && {
        forest,
        entries: grown(state.entries, added),
        turn: state.turn && saved > 0 ? { ...state.turn, unsaved: state.turn.unsaved.slice(saved) } : state.turn,
      }),
      conversations:
        used && isListed
          ? [meta, ...state.conversations.filter(({ id }) => id !== meta.id)]
          : state.conversations.map((one) => (one.id === meta.id ? meta : one)),
      deleted: isBack ? state.deleted.filter(({ id }) => id !== meta.id) : state.deleted,
    };
  });
};
