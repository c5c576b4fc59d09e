import { ChevronDown, Pencil, Trash2, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useRef, useState } from 'react';
import { shownForest } from '../../app/state.ts';
import { conversationTitle } from '../../domain/queries.ts';
import type { ConversationMeta } from '../../engine/storage.ts';
import { useActions, useApp } from '../app-context.ts';
import { IconButton } from '../parts/button.tsx';
import { counted, timeAgo } from '../parts/format.ts';
import styles from './conversations.module.css';
import headerCss from './header.module.css';

/** The header's buttons open and close it, and a toast may bring a conversation back: neither is "outside". */
const belongs = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[data-opens-conversations], [data-toast]') !== null;

/** All conversations in a drawer beside the page, which stays in use. */
export const Conversations = () => {
  const { session } = useActions();
  const open = useApp((state) => state.session.dialog === 'conversations');
  return (
    <Dialog.Root modal={false} open={open} onOpenChange={(next) => !next && session({ dialog: null })}>
      <Dialog.Portal>
        <Dialog.Content
          className={styles.drawer}
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            const drawer = event.currentTarget as HTMLElement;
            (drawer.querySelector<HTMLElement>('[aria-current]') ?? drawer).focus();
          }}
          onInteractOutside={(event) => belongs(event.target) && event.preventDefault()}
        >
          <div className={styles.head}>
            <Dialog.Title className={styles.heading}>Conversations</Dialog.Title>
            <Dialog.Close asChild>
              <IconButton label="Close" icon={X} size="small" />
            </Dialog.Close>
          </div>
          <List />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
};

const List = () => {
  const conversations = useApp((state) => state.conversations);
  const openId = useApp((state) => state.conversationId);
  return (
    <>
      <ul aria-label="Conversations" className={styles.list}>
        {conversations.map((meta) => (
          <ConversationItem key={meta.id} meta={meta} current={meta.id === openId} />
        ))}
      </ul>
      {conversations.length === 0 && (
        <p className={styles.none}>None yet. What you write or play is kept here, in this browser only.</p>
      )}
    </>
  );
};

const ConversationItem = ({ meta, current }: { meta: ConversationMeta; current: boolean }) => {
  const actions = useActions();
  const [renaming, setRenaming] = useState(false);
  const title = meta.title || 'Untitled';

  const open = () => {
    actions.session({ dialog: null });
    if (!current) void actions.openConversation(meta.id);
  };
  return (
    <li className={styles.item} data-current={current}>
      {renaming ? (
        <TitleField
          title={title}
          onDone={(name) => {
            setRenaming(false);
            if (name !== null) void actions.renameConversation(meta.id, name);
          }}
        />
      ) : (
        <>
          <button type="button" className={styles.open} aria-current={current ? 'true' : undefined} onClick={open}>
            <span className={styles.title}>{title}</span>
            <span className={styles.facts}>
              {counted(meta.turns, 'turn')} · {timeAgo(meta.updatedAt, Date.now())}
            </span>
          </button>
          <IconButton size="small" label={`Rename ${title}`} icon={Pencil} onClick={() => setRenaming(true)} />
          <IconButton
            size="small"
            label={`Delete ${title}`}
            icon={Trash2}
            onClick={() => void actions.deleteConversation(meta.id)}
          />
        </>
      )}
    </li>
  );
};

/** The person has just asked to write here. */
const writeHere = (input: HTMLInputElement | null): void => input?.select();

/** Edits a title in place: Enter or leaving keeps it, Escape does not. `null`: nothing to keep. */
const TitleField = ({ title, onDone }: { title: string; onDone: (name: string | null) => void }) => {
  const done = useRef(false);
  const finish = (value: string | null) => {
    if (done.current) return;
    done.current = true;
    const name = value?.trim() ?? '';
    onDone(name === '' || name === title ? null : name);
  };
  return (
    <input
      ref={writeHere}
      className={styles.field}
      aria-label="Title"
      defaultValue={title}
      maxLength={120}
      onBlur={(event) => finish(event.target.value)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Enter') finish(event.currentTarget.value);
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        event.nativeEvent.stopImmediatePropagation();
        finish(null);
      }}
    />
  );
};

/** The open conversation's name, which opens the list of all of them, and how large it has grown. */
export const ConversationName = () => {
  const actions = useActions();
  const id = useApp((state) => state.conversationId);
  const title = useApp((state) => conversationTitle(shownForest(state)));
  const turns = useApp((state) => shownForest(state).turnCount);
  const topics = useApp((state) => Object.keys(shownForest(state).trees).length);
  const listed = useApp((state) => state.session.dialog === 'conversations');
  const [renaming, setRenaming] = useState(false);

  if (renaming) {
    return (
      <TitleField
        title={title}
        onDone={(name) => {
          setRenaming(false);
          if (name !== null) void actions.renameConversation(id, name);
        }}
      />
    );
  }
  return (
    <div className={headerCss.name}>
      <button
        type="button"
        className={headerCss.title}
        aria-expanded={listed}
        data-opens-conversations
        onClick={() => actions.session({ dialog: listed ? null : 'conversations' })}
      >
        <span className={headerCss.titleText}>{turns === 0 ? 'Untitled' : title}</span>
        <ChevronDown size={14} aria-hidden />
      </button>
      {turns > 0 && (
        <>
          <span className={headerCss.size}>
            {topics > 0 && `${counted(topics, 'topic')}, `}
            {counted(turns, 'turn')}
          </span>
          <IconButton
            size="small"
            className={headerCss.rename ?? ''}
            label="Rename"
            icon={Pencil}
            onClick={() => setRenaming(true)}
          />
        </>
      )}
    </div>
  );
};
