import { clamp } from '../domain/numbers.ts';
import type { ConversationMeta } from '../engine/storage.ts';
import type { DraftFiles } from './draft-files.ts';
import { type Kernel, notify, reportUnexpected, saveVectorsAgain, takeDraft, whenOpen } from './kernel.ts';
import type { Learning } from './learning.ts';

/** How long a deleted conversation can be restored, in milliseconds and in words. */
export const KEPT_AFTER_DELETION = 24 * 60 * 60 * 1000;
export const KEPT_IN_WORDS = 'a day';

/** The start of “… failed”. */
const REMOVING_OVERDUE = 'Removing what was deleted earlier';

/** How long the page waits at least before it looks again for conversations whose time is up, in milliseconds. */
const LOOKS_EVERY = 60_000;

interface Parts {
  readonly learning: Learning;
  /** Reloads one entry of the lists. */
  readonly relist: (id: string) => Promise<unknown>;
  readonly refreshAll: () => Promise<void>;
  /** Shows another conversation if this one is open. */
  readonly leave: (id: string) => Promise<void>;
  /** Shows one that was restored. */
  readonly openAgain: (id: string) => Promise<void>;
  /** The files attached to messages that have not been sent. */
  readonly draftFiles: () => Promise<DraftFiles>;
}

/** Restores deleted conversations, or removes them for good: when told to, or once their time is up. */
export const createDeletedConversations = (kernel: Kernel, parts: Parts) => {
  const { store, ports } = kernel;
  const { learning, relist, refreshAll, leave, openAgain, draftFiles } = parts;

  const restore = async (id: string): Promise<ConversationMeta | undefined> => {
    await kernel.storage.setDeleted([id], null);
    await relist(id);
    return store.getState().conversations.find((meta) => meta.id === id);
  };

  /** Says that one was deleted, which can be undone there. `wasOpen`: whether that had closed it, so that it is opened again. */
  const announce = ({ id, title }: ConversationMeta, wasOpen: boolean): void => {
    const revert = async () => {
      const restored = await restore(id);
      if (restored === undefined) notify(kernel, `“${title}” was deleted for good and can’t be restored.`);
      else if (wasOpen) await openAgain(id);
    };
    notify(kernel, `“${title}” deleted. It stays in Recently deleted for ${KEPT_IN_WORDS}.`, {
      label: 'Revert',
      run: () => void revert().catch((error) => reportUnexpected(kernel, 'Restoring the conversation', error)),
    });
  };

  const removeForGood = async (ids: readonly string[]): Promise<readonly string[]> => {
    const stay: string[] = [];
    try {
      for (const id of ids) {
        await leave(id);
        const spared = await (await draftFiles()).named();
        // First: nothing would remove it any more if the page were closed before the conversation is known to be gone.
        const putBack = takeDraft(kernel, id);
        let isGone = false;
        try {
          // No vectors of it are being saved then.
          isGone = await kernel.inQueue(() => kernel.storage.purge(id, 'deleted', spared));
        } finally {
          if (!isGone) putBack();
        }
        if (isGone) await (await draftFiles()).remove(id);
        else stay.push(id);
      }
    } finally {
      await refreshAll();
    }
    saveVectorsAgain(kernel);
    // Lessons go with their conversations.
    await learning.refresh();
    return stay;
  };

  /** Removes those whose time is up. One that is open here, because another tab has deleted it, stays until it is closed. */
  const removeDue = async (): Promise<void> => {
    const { deleted, conversationId } = store.getState();
    const newest = ports.now() - KEPT_AFTER_DELETION;
    const over = deleted.filter(({ id, deletedAt }) => (deletedAt ?? newest) <= newest && id !== conversationId);
    if (over.length > 0) await removeForGood(over.map(({ id }) => id));
  };

  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Removes each when its time is up: the page may stay open for days. */
  const awaitNext = (): void => {
    clearTimeout(timer);
    const oldest = store.getState().deleted.at(-1)?.deletedAt ?? null;
    if (oldest === null) return;
    const remove = () => removeDue().then(awaitNext, (error) => reportUnexpected(kernel, REMOVING_OVERDUE, error));
    // The clock may have been set back since, and a timer cannot wait for a month.
    const wait = clamp(oldest + KEPT_AFTER_DELETION - ports.now(), LOOKS_EVERY, KEPT_AFTER_DELETION);
    timer = setTimeout(() => void remove(), wait);
  };
  store.subscribe((now, before) => now.deleted !== before.deleted && awaitNext());

  return {
    announce,

    /** Removes for good what was deleted long enough ago, and files of drafts that no longer exist. */
    removeOverdue: async (): Promise<void> => {
      try {
        await removeDue();
        const { removeLost, named } = await draftFiles();
        await removeLost();
        const except = await named();
        await kernel.storage.dropUnused({ before: ports.now() - KEPT_AFTER_DELETION, except });
      } catch (error) {
        reportUnexpected(kernel, REMOVING_OVERDUE, error);
      }
    },

    actions: {
      /**
       * Restores a deleted conversation, filed where it was, without opening it. Returns it; undefined if it has been
       * removed for good. Rejects if the storage does.
       */
      restoreConversation: whenOpen(kernel, restore),

      /**
       * Removes deleted conversations for good, with everything that belongs only to them. Returns the ids of those that
       * stay because another tab has restored them. Rejects if the storage does; those removed by then are gone.
       */
      removeConversations: whenOpen(kernel, removeForGood),
    },
  };
};
