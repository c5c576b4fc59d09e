import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { KEPT_AFTER_DELETION, KEPT_IN_WORDS } from '../../app/deleted-conversations.ts';
import { plural } from '../../domain/numbers.ts';
import { errorMessage } from '../../engine/model-failure.ts';
import { type ConversationMeta, filingOf } from '../../engine/storage.ts';
import { useActions, useApp } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/parts/dialog.tsx';
import { counted, dayAndTime, shortened, timeAgo } from '../../ui/parts/format.ts';
import { useFocusAfterRemoval, useNow } from '../../ui/parts/hooks.ts';
import { FailureBox } from '../../ui/parts/text.tsx';
import styles from './deleted-dialog.module.css';

/** The estimated height of a row until it is measured, in pixels. */
const ROW = 58;

/** What was done last. `restored`: the conversation that can be opened now. */
interface Outcome {
  readonly words: string;
  readonly restored?: string;
}

/** The deleted conversations that can still be restored. */
export const DeletedDialog = ({ onClose }: { onClose: () => void }) => {
  const actions = useActions();
  const deleted = useApp((state) => state.deleted);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [asked, setAsked] = useState<readonly ConversationMeta[] | null>(null);
  const [removing, setRemoving] = useState(false);
  const shown = useShown();

  /** Runs a task and shows its outcome, or why it failed. */
  const attempt = async (what: string, task: () => Promise<Outcome>) => {
    setFailure(null);
    setOutcome(null);
    try {
      setOutcome(await task());
    } catch (error) {
      if (shown.current) setFailure(`${what} failed. ${errorMessage(error)}`);
      else actions.reportFailure(what, error);
    }
  };
  const restore = (meta: ConversationMeta) =>
    attempt(`Restoring ${nameOf([meta])}`, async () => {
      const restored = await actions.restoreConversation(meta.id);
      if (restored === undefined) return { words: `${nameOf([meta])} was deleted for good and can’t be restored.` };
      const where = filingOf(restored).archived ? ' to the archive' : '';
      return { words: `${nameOf([meta])} restored${where}.`, restored: meta.id };
    });
  const remove = async (metas: readonly ConversationMeta[]) => {
    setRemoving(true);
    await attempt(`Deleting ${nameOf(metas)}`, async () => {
      const stay = await actions.removeConversations(metas.map(({ id }) => id));
      return { words: removalWords(metas, new Set(stay)) };
    });
    setRemoving(false);
  };
  const open = (id: string) => {
    actions.session({ dialog: null, backTo: null, pane: 'chat' });
    void actions.openConversation(id);
  };

  const { words = '', restored } = outcome ?? {};
  return (
    <Dialog
      title="Recently deleted"
      description={`Conversations stay here for ${KEPT_IN_WORDS} after you delete them.`}
      size="wide"
      onClose={onClose}
      actions={
        deleted.length === 0 && outcome === null ? undefined : (
          <>
            <p role="status" className={styles.outcome}>
              {words}
            </p>
            {restored !== undefined && <Button onClick={() => open(restored)}>Open</Button>}
            {deleted.length > 0 && (
              <Button look="danger" idle={removing} onClick={() => setAsked(deleted)}>
                {removing ? 'Deleting…' : 'Delete all now'}
              </Button>
            )}
          </>
        )
      }
    >
      {failure !== null && <FailureBox className={styles.failure}>{failure}</FailureBox>}
      {deleted.length === 0 ? (
        <p className={styles.none}>No deleted conversations.</p>
      ) : (
        <Rows metas={deleted} onRestore={restore} onRemove={(meta) => setAsked([meta])} />
      )}
      {asked !== null && (
        <ConfirmDialog
          title={`Delete ${nameOf(asked)} now?`}
          description={`This can’t be undone. The messages and files are removed from this browser. Copies in studies and in conversations that were started from ${asked.length === 1 ? 'this one' : 'these'} stay.`}
          action="Delete now"
          onConfirm={() => void remove(asked)}
          onClose={() => setAsked(null)}
        />
      )}
    </Dialog>
  );
};

interface RowsProps {
  readonly metas: readonly ConversationMeta[];
  readonly onRestore: (meta: ConversationMeta) => void;
  readonly onRemove: (meta: ConversationMeta) => void;
}

/** Mounts only the visible rows. Rendered inside the dialog, whose content mounts later: the list must find its scroller. */
const Rows = ({ metas, onRestore, onRemove }: RowsProps) => {
  const now = useNow();
  const scroller = useRef<HTMLDivElement>(null);
  const getItemKey = useCallback((index: number) => metas[index]?.id ?? index, [metas]);
  const virtual = useVirtualizer({
    count: metas.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    getItemKey,
    overscan: 6,
  });
  const focus = ({ index, button }: Place) => {
    virtual.scrollToIndex(index);
    return requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"] [data-button="${button}"]`)?.focus(),
    );
  };
  const keys = useMemo(() => metas.map(({ id }) => id), [metas]);
  const noteFocus = useFocusAfterRemoval(keys, scroller, focus);
  const walk = (event: KeyboardEvent<HTMLElement>) => {
    const pressed = placeOf(event.target);
    const meta = metas[pressed?.index ?? -1];
    if (pressed === null || meta === undefined) return;
    const { index, button } = pressed;
    const to = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: metas.length - 1 }[event.key];
    if (to !== undefined && to >= 0 && to < metas.length) focus({ index: to, button });
    else if (event.key === 'Delete') onRemove(meta);
    else return;
    event.preventDefault();
  };
  return (
    <div ref={scroller} className={styles.scroller}>
      <ul
        aria-label="Deleted conversations"
        className={styles.list}
        style={{ height: virtual.getTotalSize() }}
        onKeyDown={walk}
        onFocus={({ target }) => noteFocus(placeOf(target))}
        // The focus has gone elsewhere, not with its row.
        onBlur={({ relatedTarget }) => relatedTarget !== null && noteFocus(null)}
      >
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const meta = metas[index];
          if (meta === undefined) return null;
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className={styles.row}
              style={{ transform: `translateY(${start}px)` }}
              aria-setsize={metas.length}
              aria-posinset={index + 1}
            >
              <div className={styles.about}>
                <b dir="auto">{meta.title || 'Untitled'}</b>
                <p>
                  <span>{factsOf(meta, now)}</span>
                  <span className={styles.dot}> · </span>
                  <span>{endOf(meta, now)}</span>
                </p>
              </div>
              <div className={styles.buttons}>
                <Button
                  size="small"
                  data-button="restore"
                  aria-label={`Restore ${meta.title || 'Untitled'}`}
                  onClick={() => onRestore(meta)}
                >
                  Restore
                </Button>
                <Button
                  size="small"
                  look="quiet"
                  data-button="remove"
                  aria-label={`Delete now: ${meta.title || 'Untitled'}`}
                  onClick={() => onRemove(meta)}
                >
                  Delete now
                </Button>
              </div>
            </li>
          );
        })}
      </ul>
    </div>
  );
};

/** A button of a row. */
interface Place {
  readonly index: number;
  readonly button: string;
}

const placeOf = (target: EventTarget): Place | null => {
  const button = (target as HTMLElement).dataset.button;
  const index = (target as HTMLElement).closest<HTMLElement>('[data-index]')?.dataset.index;
  return button === undefined || index === undefined ? null : { index: Number(index), button };
};

/** Whether the dialog is still open. */
const useShown = (): RefObject<boolean> => {
  const shown = useRef(true);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  return shown;
};

/** `3 turns · deleted 2 hours ago` */
const factsOf = ({ turns, deletedAt }: ConversationMeta, now: number): string =>
  `${counted(turns, 'turn')} · deleted ${timeAgo(deletedAt ?? now, now)}`;

/** `gone for good tomorrow at 9:00 AM` */
const endOf = ({ deletedAt }: ConversationMeta, now: number): string => {
  const end = (deletedAt ?? now) + KEPT_AFTER_DELETION;
  return `gone for good ${end > now ? dayAndTime(end, now) : 'in a moment'}`;
};

/** Maximum length of a title in a sentence, in UTF-16 units. */
const QUOTED = 60;

/** `“My trip”`, `3 conversations` */
const nameOf = (metas: readonly ConversationMeta[]): string => {
  const [first] = metas;
  if (first === undefined || metas.length > 1) return counted(metas.length, 'conversation');
  return `“${shortened(first.title || 'Untitled', QUOTED)}”`;
};

/** Says what became of conversations that were to be removed for good. */
const removalWords = (metas: readonly ConversationMeta[], stay: ReadonlySet<string>): string => {
  const gone = metas.filter(({ id }) => !stay.has(id));
  const kept = metas.filter(({ id }) => stay.has(id));
  return [
    ...(gone.length > 0 ? [`${nameOf(gone)} deleted for good.`] : []),
    ...(kept.length > 0 ? [`${nameOf(kept)} ${plural(kept.length, 'was', 'were')} restored in another tab.`] : []),
  ].join(' ');
};
