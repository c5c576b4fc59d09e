import { ChevronDown, Pencil } from 'lucide-react';
import { Suspense, useEffect } from 'react';
import { shownForest } from '../../app/state.ts';
import type { Forest } from '../../domain/forest.ts';
import { conversationTitle, turnsIn } from '../../domain/queries.ts';
import { sizeOf } from '../../domain/table.ts';
import { useActions, useApp } from '../app-context.ts';
import { IconButton } from '../parts/button.tsx';
import { TitleField } from '../parts/fields.tsx';
import { counted } from '../parts/format.ts';
import { PHONE, useEditing, useMedia } from '../parts/hooks.ts';
import { lazyPart } from '../parts/lazy-parts.tsx';
import { Ellipsis } from '../parts/text.tsx';
import styles from './header.module.css';

// Not needed for the first paint.
const ConversationsDrawer = lazyPart(
  async () => (await import('../conversations/conversation-list.tsx')).ConversationsDrawer,
);
const ConversationList = lazyPart(
  async () => (await import('../conversations/conversation-list.tsx')).ConversationList,
);

/** Whether the list can be docked. Never on a phone, which has room for one pane at a time. */
const useStays = (): boolean => {
  const phone = useMedia(PHONE);
  return useApp(({ session }) => session.listStays !== 'no') && !phone;
};

/** Whether the list is shown, and how to toggle it. */
export const useConversationList = () => {
  const { session } = useActions();
  const stays = useStays();
  const shown = useApp(({ session: { listStays, dialog } }) =>
    stays ? listStays === 'open' : dialog === 'conversations',
  );
  const toggle = () =>
    session(stays ? { listStays: shown ? 'folded' : 'open' } : { dialog: shown ? null : 'conversations' });
  return { stays, shown, toggle };
};

/** All conversations in a drawer next to the page, which stays interactive. */
export const FloatingConversations = () => {
  const { session } = useActions();
  const stays = useStays();
  const open = useApp((state) => state.session.dialog === 'conversations');

  // Opening a docked list moves the focus to it.
  useEffect(() => {
    if (!stays || !open) return;
    session({ dialog: null, listStays: 'open' });
    // Not taken back: this effect is over as soon as the dialog is.
    requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-conversation-list]')?.focus());
  }, [stays, open, session]);

  if (!open || stays) return null;
  return (
    <Suspense fallback={null}>
      <ConversationsDrawer />
    </Suspense>
  );
};

/** The list docked next to the panes, for as long as the user wants it there. */
export const ConversationsPane = () => (
  <aside id="pane-list" aria-label="All conversations" className={styles.docked} tabIndex={-1} data-conversation-list>
    <Suspense fallback={null}>
      <ConversationList docked />
    </Suspense>
  </aside>
);

/** `2 topics, 12 turns`; nothing before the first message. */
export const sizeWords = (forest: Forest): string => {
  if (forest.turnCount === 0) return '';
  const topics = sizeOf(forest.trees);
  return `${topics > 0 ? `${counted(topics, 'topic')}, ` : ''}${counted(turnsIn(forest), 'turn')}`;
};

/** The open conversation's name, which opens the list of all conversations, and its size. */
export const ConversationName = () => {
  const actions = useActions();
  const id = useApp((state) => state.conversationId);
  const title = useApp((state) => conversationTitle(shownForest(state)));
  const size = useApp((state) => sizeWords(shownForest(state)));
  const { shown, toggle } = useConversationList();
  const { editing, setEditing, finish, main } = useEditing<'title'>();

  if (editing !== null) {
    return (
      <TitleField
        title={title}
        onDone={async (name, byKey) => {
          if (name !== null && !(await actions.renameConversation(id, name))) return false;
          finish(byKey);
          return true;
        }}
      />
    );
  }
  return (
    <div className={styles.name}>
      <button
        type="button"
        className={styles.title}
        ref={main}
        aria-expanded={shown}
        data-opens-conversations
        onClick={toggle}
      >
        <Ellipsis fit>{title || 'Untitled'}</Ellipsis>
        <ChevronDown size={14} aria-hidden />
      </button>
      {size !== '' && (
        <>
          <Ellipsis fit className={styles.size}>
            {size}
          </Ellipsis>
          <IconButton
            size="small"
            className={styles.rename ?? ''}
            label="Rename"
            icon={Pencil}
            onClick={() => setEditing('title')}
          />
        </>
      )}
    </div>
  );
};
