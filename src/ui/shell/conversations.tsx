import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useActions, useApp } from '../app-context.ts';
import { IconButton } from '../parts/button.tsx';
import { ConversationItem } from './conversation-item.tsx';
import styles from './conversations.module.css';

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
