import { Dialog } from 'radix-ui';
import { useActions } from '../app-context.ts';
import { ConversationList } from './conversation-list.tsx';
import styles from './conversations-drawer.module.css';

/** The header's buttons open and close it, a toast may bring a conversation back, and its rows have menus: none is "outside". */
const belongs = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('[data-opens-conversations], [data-toast], [data-radix-popper-content-wrapper]') !== null;

/** The list over the page, which stays in use. */
export const ConversationsDrawer = () => {
  const { session } = useActions();
  return (
    <Dialog.Root modal={false} open onOpenChange={(next) => !next && session({ dialog: null })}>
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
          <Dialog.Title className="visually-hidden">Conversations</Dialog.Title>
          <ConversationList docked={false} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
};
