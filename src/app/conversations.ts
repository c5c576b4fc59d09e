import { frozen } from '../domain/apply.ts';
import type { Attachment } from '../domain/attachment.ts';
import type { Entry } from '../domain/entry.ts';
import { emptyForest, type Forest } from '../domain/forest.ts';
import { conversationTitle } from '../domain/queries.ts';
import { sizeOf } from '../domain/table.ts';
import type { Engine } from '../engine/engine.ts';
import {
  type ConversationMeta,
  type Filing,
  filedAs,
  filingOf,
  type Storage,
  StorageFailure,
} from '../engine/storage.ts';
import { createYielder, once, whenIdle } from '../engine/tasks.ts';
import { joinDrafts } from './attachments.ts';
import { appendAll, catchUpWithLog, NOT_STORED, orInMemory, reportNotStored } from './conversation-log.ts';
import { createDeletedConversations } from './deleted-conversations.ts';
import { notifyRefusal } from './edits.ts';
import {
  draftKey,
  type Kernel,
  longTask,
  notify,
  report,
  reportingErrors,
  reportingWhetherKept,
  reportUnexpected,
  setSession,
  storedUnfinished,
  takeDraft,
  unfinishedFrom,
  unfinishedKey,
  whenOpen,
} from './kernel.ts';
import type { Learning } from './learning.ts';
import { chosenPersona, settingsOfPersona } from './persona.ts';
import type { PersonaKeeper } from './personas.ts';
import type { Player } from './replay.ts';
import { VERY_LONG } from './snapshots.ts';
import { type AppState, latestDeletedFirst, listedByUse, type Notice, paneInView, without } from './state.ts';
import type { Turns } from './turns.ts';

/** A conversation that is not stored yet. */
export interface TitledLog {
  readonly title: string;
  readonly entries: readonly Entry[];
  /** Files attached to its messages, by the SHA-256 of their bytes, in hex; omitted if there are none. */
  readonly files?: ReadonlyMap<string, Blob>;
}

/** Number of entries from which a log is worth packing. */
const LONG = 5_000;
/** How many entries a very long log may grow beyond its last saved moment before a new one is saved. */
const AHEAD = 5_000;

const keyOfOpen = ({ conversationId, entries }: AppState): string => draftKey(conversationId, entries.length);

/** The key of what is typed before it is known which conversation will open. */
const TYPED_WHILE_OPENING = 'opening';

interface Parts {
  readonly turns: Turns;
  readonly player: Player;
  readonly learning: Learning;
  readonly personas: PersonaKeeper;
  readonly engineFor: (conversationId: string) => Engine;
}

export type Conversations = ReturnType<typeof createConversations>;

const begun = ({ personas }: AppState): Forest =>
  frozen({ ...emptyForest(), replySettings: settingsOfPersona(chosenPersona(personas)) });

/** Whether a notice is over once another conversation is shown. */
const leavesWith = (notice: Notice | null): boolean => notice?.action?.passes === true || notice?.action?.here === true;

/** Opens, creates, files, renames and deletes conversations. */
export const createConversations = (kernel: Kernel, { turns, player, learning, personas, engineFor }: Parts) => {
  const { store, ports } = kernel;
  // Requested while the storage is opening, and loaded by the time it is open.
  const draftFiles = once(async () => (await import('./draft-files.ts')).createDraftFiles(kernel));
  const keepDraftFiles = (draft: string, files: readonly Attachment[]): Promise<void> =>
    draftFiles().then(
      ({ keep: keepFiles }) => keepFiles(draft, files),
      (error) => reportUnexpected(kernel, 'Saving the attached files', error),
    );

  /** The latest opening, until it is shown: a slow one is not shown if another was requested meanwhile. */
  let underway: { readonly id: string } | null = null;
  /**
   * Set when the user starts a new conversation while the page is still opening the last one: what they type from
   * then on belongs to the new one.
   */
  let beginsNew = false;

  /** `made`: the forest of the entries; null if there are none. */
  const show = (
    id: string,
    { entries, made, handled }: Pick<AppState, 'entries' | 'handled'> & { readonly made: Forest | null },
    files: readonly Attachment[],
  ) => {
    underway = null;
    kernel.engine = engineFor(id);
    store.setState((state) => ({
      phase: 'ready',
      conversationId: id,
      entries,
      handled,
      forest: made ?? begun(state),
      past: null,
      reaching: null,
      turn: null,
      nextTokens: null,
      // Of another forest, even where the drafts are the same.
      preview: null,
      // What could be reverted is elsewhere.
      notice: leavesWith(state.notice) ? null : state.notice,
      problems: state.problems.filter((problem) => problem.id !== NOT_STORED),
      session: {
        ...state.session,
        selectedId: null,
        selection: [],
        ...unfinishedFrom(ports.drafts.read(unfinishedKey(id)), made),
        draft: joinDrafts(
          ports.drafts.read(draftKey(id, entries.length)),
          state.phase === 'opening' ? ports.drafts.read(TYPED_WHILE_OPENING) : '',
        ),
        attached: files,
        attaching: [],
      },
    }));
  };

  /** `stored`: its log, if the caller has just stored it. Resolves to why it was not opened, unless something else was meanwhile. */
  const open = async (id: string, stored?: readonly Entry[]): Promise<'gone' | 'unreadable' | null> => {
    let failed: 'unreadable' | null = null;
    const opening = { id };
    underway = opening;
    await turns.halt();
    try {
      const { entries, kept } = stored === undefined ? await read(id) : { entries: stored, kept: null };
      if (entries.length === 0 && opening === underway && (await isGone(id))) {
        resumeHalted();
        return opening === underway ? 'gone' : null;
      }
      const made =
        entries.length === 0 ? null : await kernel.snapshots.open(entries, kept, createYielder(ports.elapsed));
      const files = await (await draftFiles()).read(draftKey(id, entries.length));
      if (opening !== underway) return null;
      // A message may have been sent in the one still shown.
      await turns.halt();
      if (opening !== underway) return null;
      show(id, { entries, made: made?.forest ?? null, handled: made?.handled ?? null }, files);
      keepBehind(id, kept?.count ?? 0);
    } catch (error) {
      if (!(error instanceof StorageFailure)) throw error;
      report(kernel, {
        id: `open-${id}`,
        title: 'The conversation could not be opened',
        advice: error.message,
        action: null,
      });
      // The one that stays open may have been halted.
      if (store.getState().phase === 'opening') return null;
      if (opening === underway) failed = 'unreadable';
    } finally {
      if (opening === underway) underway = null;
    }
    const resume = async () => {
      // Another tab may have written since it was read.
      await kernel.inQueue(() => catchUpWithLog(kernel, id));
      await turns.recover();
    };
    resume().catch((error) => reportUnexpected(kernel, 'Resuming the conversation', error));
    return failed;
  };

  /** Makes a long log open faster next time. `kept`: the number of its entries covered by the saved moment it was opened from. */
  const keepBehind = (id: string, kept: number) => {
    const isLonger = (than: number) => store.getState().conversationId === id && store.getState().entries.length > than;
    const asLongAs = (than: number) => () => new Promise<boolean>((resolve) => whenIdle(() => resolve(isLonger(than))));
    const keep = async () => {
      await kernel.storage.pack(id, asLongAs(LONG));
      if (!isLonger(Math.max(VERY_LONG, kept + AHEAD))) return;
      await kernel.storage.keepMoment(id, kernel.snapshots.lately(store.getState().entries), asLongAs(VERY_LONG));
    };
    keep().catch((error: unknown) => {
      // It is only a copy: if there is no room for it, or the storage is gone, nothing is lost.
      if (!(error instanceof StorageFailure)) reportUnexpected(kernel, 'Compressing the conversation', error);
    });
  };

  const fresh = async () => {
    await turns.halt();
    // Immediately: what is typed from now on belongs to the new conversation.
    const id = ports.newId();
    show(id, { entries: [], made: null, handled: null }, []);
    const files = await (await draftFiles()).read(draftKey('', 0));
    const { conversationId, entries, session } = store.getState();
    if (files.length === 0 || conversationId !== id || entries.length > 0) return;
    setSession(kernel, { attached: [...files, ...session.attached] });
  };

  const metaOf = (id: string): ConversationMeta | undefined =>
    store.getState().conversations.find((meta) => meta.id === id);

  /** The most recently used conversation; archived ones are not opened automatically. */
  const latest = (from = store.getState().conversations): ConversationMeta | undefined =>
    from.find((meta) => meta.deletedAt === null && !filingOf(meta).archived);

  /** A conversation whose reading has started before it is opened. */
  let ahead: { readonly id: string; readonly read: ReturnType<Storage['open']> } | null = null;
  const read = (id: string): ReturnType<Storage['open']> => {
    const known = ahead?.id === id ? ahead.read : null;
    ahead = null;
    return known ?? kernel.storage.open(id);
  };

  const fileAs = async (ids: readonly string[], change: Partial<Filing>) => {
    await kernel.storage.file(ids, change);
    const filed = new Set(ids);
    store.setState(({ conversations }) => ({
      conversations: conversations.map((meta) => (filed.has(meta.id) ? filedAs(meta, change) : meta)),
    }));
  };

  const setDeleted = async (id: string, deletedAt: number | null) => {
    // Where there is no room, what makes some must still be possible.
    await orInMemory(kernel, () => kernel.storage.setDeleted([id], deletedAt), 'full');
    await relist(id);
  };

  /** Reloads the lists. */
  const refreshAll = async () => {
    const all = await kernel.storage.conversations();
    store.setState({
      conversations: all.filter(({ deletedAt }) => deletedAt === null),
      deleted: all.filter(({ deletedAt }) => deletedAt !== null).sort(latestDeletedFirst),
    });
  };

  /** Reloads one entry of the lists; resolves to false if it is stored no longer. */
  const relist = async (id: string): Promise<boolean> => {
    const meta = await kernel.storage.conversation(id);
    store.setState(({ conversations, deleted }) => ({
      conversations: meta?.deletedAt === null ? listedByUse(conversations, meta) : without(conversations, id),
      deleted:
        meta === undefined || meta.deletedAt === null
          ? without(deleted, id)
          : [meta, ...without(deleted, id)].sort(latestDeletedFirst),
    }));
    return meta !== undefined;
  };

  /** Follows another tab that has changed a conversation: if that was to remove it for good, it is left. */
  const refresh = async (id: string) => {
    const isStored = await relist(id);
    const { conversationId, entries, forest } = store.getState();
    if (isStored || id !== conversationId || entries.length === 0) return;
    const title = conversationTitle(forest);
    await leave(id);
    takeDraft(kernel, id);
    await (await draftFiles()).remove(id);
    notify(kernel, `“${title}” was deleted for good in another tab.`);
  };

  /** Says so if one that is listed or open is stored no longer. It is unlisted; what is open stays: there may be no other copy. */
  const isGone = async (id: string): Promise<boolean> => {
    const { conversationId, entries } = store.getState();
    const isOpen = id === conversationId && entries.length > 0;
    const title = metaOf(id)?.title;
    if ((title === undefined && !isOpen) || (await kernel.storage.conversation(id)) !== undefined) return false;
    if (isOpen) reportNotStored(kernel);
    else {
      await relist(id);
      notify(kernel, `“${title}” is no longer stored.`);
    }
    return true;
  };

  /** Opens the most recently used conversation, or a new one. */
  const openNext = async (): Promise<void> => {
    const next = latest();
    const failed = next && (await open(next.id));
    if (next === undefined || failed === 'unreadable') await fresh();
    else if (failed === 'gone') await openNext();
  };

  /** Shows another conversation if this one is open. It is not halted first: nothing more of it may be stored. */
  const leave = async (id: string) => {
    if (id !== store.getState().conversationId) return;
    player.stop();
    show(ports.newId(), { entries: [], made: null, handled: null }, []);
    await openNext();
  };

  const openAgain = async (id: string) => {
    player.stop();
    await open(id);
  };

  const deleted = createDeletedConversations(kernel, { learning, relist, refreshAll, leave, openAgain, draftFiles });

  const keep = async (
    id: string,
    title: string,
    make: (known: readonly Entry[]) => readonly Entry[] | Promise<readonly Entry[]>,
    dated: 'now' | 'then' = 'then',
  ): Promise<number> => {
    const known = await kernel.storage.read(id);
    const old = known.length === 0 ? undefined : await kernel.storage.conversation(id);
    const added = await make(known);
    const log = known.length > 0 ? [...known, ...added] : added;
    const forest = await kernel.snapshots.forestToStore(log, createYielder(ports.elapsed));
    const now = ports.now();
    // A conversation held elsewhere is listed by the date it took place, also where a newer export continues it.
    const own = dated === 'then';
    const meta = {
      id,
      // What is added may name it.
      title: forest.title ?? old?.title ?? title,
      turns: sizeOf(forest.nodes),
      createdAt: old?.createdAt ?? (own ? Math.min(now, added[0]?.at ?? now) : now),
      updatedAt: own ? Math.max(old?.updatedAt ?? 0, Math.min(now, added.at(-1)?.at ?? 0)) : now,
      deletedAt: null,
      filing: old?.filing,
    };
    // Without new entries, a deleted one comes back all the same.
    if (added.length > 0 || (old !== undefined && old.deletedAt !== null)) await appendAll(kernel.storage, added, meta);
    return added.length;
  };

  const openKept = async (id: string, stored?: readonly Entry[]): Promise<void> => {
    player.stop();
    await refreshAll();
    await open(id, stored);
  };

  const adopt = async ({ title, entries, files = new Map() }: TitledLog): Promise<void> => {
    player.stop();
    for (const [hash, blob] of files) {
      // A file whose hash does not match counts as missing.
      if ((await ports.hashOf(blob)) === hash) await kernel.storage.saveBlobs(new Map([[hash, blob]]));
    }
    const id = ports.newId();
    await keep(id, title, () => entries, 'now');
    const isWhole = entries.every(({ seq }, at) => seq === at + 1);
    await openKept(id, isWhole ? entries : undefined);
  };

  /** Takes up again what halting the open conversation may have left undone. */
  const resumeHalted = (): void => {
    turns.recover().catch((error) => reportUnexpected(kernel, 'Resuming the conversation', error));
  };

  const begin = async (): Promise<void> => {
    await fresh();
    setSession(kernel, { pane: 'chat' });
  };

  /** Reloads the list and the open conversation after the stored data has changed. */
  const reopen = async (): Promise<void> => {
    await refreshAll();
    await open(store.getState().conversationId);
  };

  // From the start: a fast user types before the storage is open.
  store.subscribe((now, before) => {
    const isNew = now.session.draft !== before.session.draft;
    // Which conversation it belongs to is not known yet.
    if (now.phase === 'opening') {
      if (isNew) ports.drafts.save(TYPED_WHILE_OPENING, now.session.draft);
      return;
    }
    const opened = before.phase === 'opening';
    const begun = before.entries.length === 0 && now.entries.length > 0;
    const same = opened || now.conversationId === before.conversationId;
    if (same && !opened && (begun || now.session.attached !== before.session.attached)) {
      if (begun) void keepDraftFiles(draftKey('', 0), []);
      void keepDraftFiles(keyOfOpen(now), now.session.attached);
    }
    if (same && now.entries.length > 0 && now.session !== before.session) {
      const unfinished = storedUnfinished(now.session);
      if (unfinished !== storedUnfinished(before.session))
        ports.drafts.save(unfinishedKey(now.conversationId), unfinished);
    }
    if (!same || (!isNew && !begun && !(opened && now.session.draft !== ''))) return;
    if (opened) ports.drafts.save(TYPED_WHILE_OPENING, '');
    else if (begun) ports.drafts.save(draftKey('', 0), '');
    ports.drafts.save(keyOfOpen(now), now.session.draft);
  });

  const newConversation = reportingErrors(kernel, 'Starting a conversation', async () => {
    player.stop();
    const isThere = beginsNew && store.getState().phase !== 'opening';
    beginsNew = false;
    if (!isThere) await fresh();
    // The chat may be folded away, and there would be nowhere to write.
    setSession(kernel, paneInView('chat', store.getState().session));
    await personas.takeModel();
  });

  return {
    /** Saves files with the open conversation's draft; resolves when they are saved. */
    keepAttached: (files: readonly Attachment[]): Promise<void> => keepDraftFiles(keyOfOpen(store.getState()), files),

    /** Returns what puts a text at the end of the draft that is open now, also once another conversation is open. */
    draftHere: () => {
      const { conversationId: id } = store.getState();
      const key = keyOfOpen(store.getState());
      return (text: string): void => {
        const now = store.getState();
        // It may have begun since.
        const keyNow = [...now.conversations, ...now.deleted].some((meta) => meta.id === id) ? id : key;
        const isOpen = keyNow === keyOfOpen(now);
        if (isOpen) setSession(kernel, { draft: joinDrafts(now.session.draft, text) });
        else ports.drafts.save(keyNow, joinDrafts(ports.drafts.read(keyNow), text));
      };
    },

    /** Drops a file's bytes unless a message or a draft names it, here or in another conversation. */
    dropFile: async (id: string): Promise<void> => {
      if (!(await (await draftFiles()).named()).has(id)) await kernel.storage.dropUnused({ id });
    },

    /** Starts reading the most recently used conversation while the page is still loading what it needs to open it. */
    readAhead: (storage: Storage) => {
      const begin = async () => {
        const last = latest(await storage.conversations());
        if (last !== undefined) ahead = { id: last.id, read: storage.open(last.id) };
        await ahead?.read;
      };
      // Opening it reports why it cannot be read.
      begin().catch(() => undefined);
    },

    start: async (opening: () => Promise<void>) => {
      try {
        await refreshAll();
        await opening();
        if (!beginsNew) await openNext();
      } finally {
        ahead = null;
        if (store.getState().phase === 'opening') await fresh();
      }
    },

    removeOverdue: deleted.removeOverdue,

    refresh,

    /** Called when another tab has replaced this conversation’s log, by a backup that it restored. */
    openReplaced: async (id: string): Promise<void> => {
      const { conversationId, forest } = store.getState();
      if (id !== conversationId) return;
      await openAgain(id);
      notify(kernel, `“${conversationTitle(forest)}” was replaced by a backup restored in another tab.`);
    },
    adopt,

    /** Switches to an empty conversation unless the open one is already empty. */
    empty: () => (store.getState().entries.length > 0 ? begin() : turns.halt()),

    actions: {
      ...deleted.actions,

      newConversation: (): Promise<void> => {
        if (store.getState().phase === 'opening') {
          beginsNew = true;
          underway = null;
        }
        return newConversation();
      },

      openConversation: reportingErrors(kernel, 'Opening the conversation', async (id: string) => {
        player.stop();
        if (id !== store.getState().conversationId) return void (await open(id));
        // The open one stays, whatever was about to be opened; that may have halted it.
        underway = null;
        resumeHalted();
      }),

      renameConversation: reportingWhetherKept(
        kernel,
        'Renaming the conversation',
        async (id: string, title: string) => {
          const trimmed = title.trim();
          if (metaOf(id) === undefined || trimmed === '') return true;
          const renamed = await kernel.record({ type: 'conversation-titled', title: trimmed }, id);
          if (renamed.ok) await relist(id);
          else if (!(await isGone(id))) notifyRefusal(kernel, renamed.refusal);
          return renamed.ok;
        },
      ),

      /** Can be undone from the notice it shows. */
      deleteConversation: reportingErrors(kernel, 'Deleting the conversation', async (id: string) => {
        const meta = metaOf(id);
        if (meta === undefined || (await isGone(id))) return;
        if (id === store.getState().conversationId) {
          player.stop();
          await turns.halt();
        }
        await setDeleted(id, ports.now()).catch((error) => {
          // It stays.
          if (id === store.getState().conversationId) resumeHalted();
          throw error;
        });
        const wasUnderway = underway?.id === id;
        if (wasUnderway) underway = null;
        // Where several are deleted quickly, the one on screen is gone as well.
        const { conversationId, entries } = store.getState();
        const isScreenGone = wasUnderway && entries.length > 0 && metaOf(conversationId) === undefined;
        const closes = id === conversationId || isScreenGone;
        if (closes) await openNext();
        else if (wasUnderway) resumeHalted();
        deleted.announce(meta, closes);
      }),

      /** Changes where conversations are filed in the list. */
      fileConversations: reportingErrors(kernel, 'Filing the conversation', fileAs),

      /** Archives it or puts it back into the list. Can be undone from the notice it shows. */
      archiveConversation: reportingErrors(
        kernel,
        'Archiving the conversation',
        async (id: string, archived: boolean) => {
          const meta = metaOf(id);
          if (meta === undefined) return;
          await fileAs([id], { archived });
          notify(kernel, `“${meta.title}” ${archived ? 'moved to the archive' : 'moved back to the list'}.`, {
            label: 'Revert',
            run: () =>
              void fileAs([id], { archived: !archived }).catch((error) =>
                reportUnexpected(kernel, 'Undoing that', error),
              ),
          });
        },
      ),

      /** Opens an exported conversation as a new one. */
      adopt: reportingErrors(kernel, 'Opening the file', (log: TitledLog) => longTask(kernel, () => adopt(log))),

      /**
       * Appends what `make` derives from a conversation's existing log, which may not exist yet; restores the
       * conversation if it was deleted. Returns the number of entries appended; opens nothing. Rejects if they
       * cannot be stored.
       */
      keepConversation: whenOpen(kernel, (...given: Parameters<typeof keep>) =>
        // It may be the open one, with a reply being written.
        longTask(kernel, () => kernel.inQueue(() => keep(...given))),
      ),

      /** Lists what `keepConversation` has stored, if nothing of it is opened; shows what of it is in the open conversation. */
      listKept: whenOpen(kernel, async () => {
        await refreshAll();
        await kernel.inQueue(() => catchUpWithLog(kernel, store.getState().conversationId));
      }),

      /** Opens a conversation with what has been added to it, even if it is already open. */
      openKept: reportingErrors(kernel, 'Opening the conversation', (id: string) => openKept(id)),

      /** Returns the log of any conversation as stored. Rejects if it cannot be read. */
      readLog: whenOpen(kernel, (id: string): Promise<readonly Entry[]> | readonly Entry[] => {
        const { conversationId, entries } = store.getState();
        return id === conversationId ? entries : kernel.storage.read(id);
      }),

      /** For tasks that read everything stored, such as a backup. Rejects if the task does. */
      withStorage: async <T>(task: (storage: Storage) => Promise<T>): Promise<T> => {
        await kernel.opened;
        return task(kernel.storage);
      },

      /** For tasks that change the storage while nothing else does; afterwards the list, the lessons and the open conversation are reloaded. */
      changeStorage: async <T>(task: (storage: Storage) => Promise<T>): Promise<T> => {
        await kernel.opened;
        return longTask(kernel, async () => {
          player.stop();
          await turns.halt();
          try {
            return await kernel.inQueue(() => task(kernel.storage));
          } finally {
            await learning.refresh();
            await reopen();
          }
        });
      },
    },
  };
};
