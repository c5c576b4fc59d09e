import { fold } from '../domain/apply.ts';
import type { Entry } from '../domain/entry.ts';
import { emptyForest } from '../domain/forest.ts';
import type { Engine } from '../engine/engine.ts';
import { type ConversationMeta, StorageFailure } from '../engine/storage.ts';
import { tellRefusal } from './edits.ts';
import { type Kernel, notify, report, reportUnexpected, setSession } from './kernel.ts';
import type { Turns } from './turns.ts';

/** A conversation that is not kept yet. */
export interface TitledLog {
  readonly title: string;
  readonly entries: readonly Entry[];
  /** Files that came with its messages, as data URLs by the SHA-256 of their bytes, in hex; left out where there are none. */
  readonly files?: ReadonlyMap<string, string>;
}

/** How long a deleted conversation can be brought back, in milliseconds. */
const KEPT_AFTER_DELETION = 24 * 60 * 60 * 1000;

/** Entries are stored in portions of this many, so that a long import does not hold one huge transaction. */
const PORTION = 2000;

/** Whose a draft is: a conversation that nothing was sent in yet has another id after a reload. */
const draftKey = (conversationId: string, entries: number): string => (entries === 0 ? 'new' : conversationId);

/** Opens, makes, renames and deletes conversations. */
export const createConversations = (kernel: Kernel, turns: Turns, engineFor: (conversationId: string) => Engine) => {
  const { store, ports } = kernel;

  const show = (id: string, entries: readonly Entry[]) => {
    kernel.engine = engineFor(id);
    store.setState((state) => ({
      phase: 'ready',
      conversationId: id,
      entries,
      forest: entries.length === 0 ? emptyForest() : fold(entries),
      past: null,
      turn: null,
      nextTokens: null,
      session: {
        ...state.session,
        selectedId: null,
        target: null,
        editing: null,
        // What was typed while the page was still opening stays.
        draft: (state.phase === 'opening' && state.session.draft) || ports.drafts.read(draftKey(id, entries.length)),
        attached: state.phase === 'opening' ? state.session.attached : [],
      },
    }));
  };

  const open = async (id: string) => {
    await turns.halt();
    try {
      show(id, await kernel.storage.read(id));
    } catch (error) {
      if (!(error instanceof StorageFailure)) throw error;
      report(kernel, {
        id: `open-${id}`,
        title: 'The conversation could not be opened',
        advice: error.message,
        action: null,
      });
      return;
    }
    turns.recover().catch((error) => reportUnexpected(kernel, 'Going on where the conversation was left', error));
  };

  const fresh = async () => {
    await turns.halt();
    show(ports.newId(), []);
  };

  const metaOf = (id: string): ConversationMeta | undefined =>
    store.getState().conversations.find((meta) => meta.id === id);

  /** Of what is stored only this changes: another tab may have changed the rest since the list was read. */
  const setDeleted = async (id: string, deletedAt: number | null) => {
    const meta = (await kernel.storage.conversations()).find((one) => one.id === id);
    if (meta !== undefined) await kernel.storage.saveMeta({ ...meta, deletedAt });
    await refresh();
  };

  const refresh = async () => {
    const all = await kernel.storage.conversations();
    store.setState({ conversations: all.filter(({ deletedAt }) => deletedAt === null) });
    return all;
  };

  const restore = async (id: string) => {
    await setDeleted(id, null);
    await open(id);
  };

  /**
   * Appends to the log of a conversation, which may not be there yet, what `make` adds to what it has; one that was deleted comes back.
   * Says how many entries that were. Opens nothing.
   */
  const keep = async (
    id: string,
    title: string,
    make: (known: readonly Entry[]) => readonly Entry[],
  ): Promise<number> => {
    const known = await kernel.storage.read(id);
    const old = known.length === 0 ? undefined : (await kernel.storage.conversations()).find((one) => one.id === id);
    const added = make(known);
    const now = ports.now();
    const meta = {
      id,
      title: old?.title ?? title,
      turns: Object.keys(fold([...known, ...added]).nodes).length,
      createdAt: old?.createdAt ?? now,
      updatedAt: now,
      deletedAt: null,
    };
    for (let i = 0; i < added.length; i += PORTION) {
      const conflict = await kernel.storage.append(added.slice(i, i + PORTION), meta);
      if (conflict !== null)
        throw new Error('Another tab was writing to the same conversation. Import the file again.');
    }
    if (added.length === 0 && old !== undefined && old.deletedAt !== null) await kernel.storage.saveMeta(meta);
    return added.length;
  };

  /** Opens a conversation, also the one that is open, with what has been added to it. */
  const openKept = async (id: string): Promise<void> => {
    await refresh();
    await open(id);
  };

  /** What is stored was changed: the list is read anew, and the open conversation; where that is gone, the one used last. */
  const reopen = async (): Promise<void> => {
    await refresh();
    const { conversationId, conversations, entries } = store.getState();
    if (entries.length === 0 || conversations.some(({ id }) => id === conversationId)) return open(conversationId);
    const [latest] = conversations;
    await (latest === undefined ? fresh() : open(latest.id));
  };

  // From the first: who is quicker than the page types before there is a storage.
  store.subscribe((now, before) => {
    const isNew = now.session.draft !== before.session.draft;
    // Where it belongs is not known yet.
    if (now.phase === 'opening') {
      if (isNew) ports.drafts.save(draftKey('', 0), now.session.draft);
      return;
    }
    const opened = before.phase === 'opening';
    const begun = before.entries.length === 0 && now.entries.length > 0;
    const same = opened || now.conversationId === before.conversationId;
    if (!same || (!isNew && !begun && !(opened && now.session.draft !== ''))) return;
    if (begun && (!opened || before.session.draft !== '')) ports.drafts.save(draftKey('', 0), '');
    ports.drafts.save(draftKey(now.conversationId, now.entries.length), now.session.draft);
  });

  return {
    /** The conversation used last, or a new one; what was deleted long enough ago goes for good, before `opening`. */
    start: async (opening: () => Promise<void>) => {
      const all = await refresh();
      const over = all.filter(({ deletedAt }) => deletedAt !== null && deletedAt < ports.now() - KEPT_AFTER_DELETION);
      for (const { id } of over) {
        await kernel.storage.purge(id);
        ports.drafts.save(id, '');
      }
      // Files of drafts that were never sent.
      await kernel.storage.dropUnused({ before: ports.now() - KEPT_AFTER_DELETION });
      await opening();
      const [latest] = store.getState().conversations;
      if (latest === undefined) await fresh();
      else await open(latest.id);
      if (store.getState().phase === 'opening') await fresh();
    },

    newConversation: async () => {
      await fresh();
      setSession(kernel, { pane: 'chat' });
    },

    openConversation: async (id: string) => {
      if (id !== store.getState().conversationId) await open(id);
    },

    renameConversation: async (id: string, title: string) => {
      const trimmed = title.trim();
      if (metaOf(id) === undefined || trimmed === '') return;
      const renamed = await kernel.does({ type: 'conversation-titled', title: trimmed }, id);
      if (!renamed.ok) return tellRefusal(kernel, renamed.refusal);
      await refresh();
    },

    deleteConversation: async (id: string) => {
      const meta = metaOf(id);
      if (meta === undefined) return;
      if (id === store.getState().conversationId) await turns.halt();
      await setDeleted(id, ports.now());
      if (id === store.getState().conversationId) {
        const [next] = store.getState().conversations;
        await (next === undefined ? fresh() : open(next.id));
      }
      notify(kernel, `“${meta.title}” deleted. It can be brought back for a day.`, {
        label: 'Take back',
        run: () => void restore(id).catch((error) => reportUnexpected(kernel, 'Bringing it back', error)),
      });
    },

    restoreConversation: async (id: string) => {
      const there = (await kernel.storage.conversations()).some((meta) => meta.id === id);
      if (there) await restore(id);
    },

    adopt: async ({ title, entries, files = new Map() }: TitledLog) => {
      await turns.halt();
      for (const [hash, url] of files) {
        const blob = await (await fetch(url)).blob();
        // What is not what it says it is counts as missing.
        if ((await ports.hashOf(blob)) === hash) await kernel.storage.saveBlobs(new Map([[hash, blob]]));
      }
      const id = ports.newId();
      await keep(id, title, () => entries);
      await openKept(id);
    },

    keep,
    openKept,
    reopen,

    /** Another tab changed the list. */
    refresh,
  };
};
