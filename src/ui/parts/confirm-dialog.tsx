import { AlertDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import styles from './confirm-dialog.module.css';
import { useFocusGivenBack } from './dialog.tsx';

interface ConfirmDialogProps {
  /** The question; also the dialog's accessible name. */
  readonly title: string;
  /** What cannot be taken back. */
  readonly description: string;
  /** The label of the button that does it. */
  readonly does: string;
  readonly onConfirm: () => void;
  /** Also called after `onConfirm`. */
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** Asks before something that cannot be undone. Open while mounted. */
export const ConfirmDialog = ({ title, description, does, onConfirm, onClose, children }: ConfirmDialogProps) => {
  useFocusGivenBack();
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={styles.overlay} />
        <AlertDialog.Content className={styles.dialog}>
          <AlertDialog.Title className={styles.title}>{title}</AlertDialog.Title>
          <AlertDialog.Description className={styles.description}>{description}</AlertDialog.Description>
          {children}
          <footer className={styles.actions}>
            <AlertDialog.Cancel asChild>
              <Button>Cancel</Button>
            </AlertDialog.Cancel>
            <AlertDialog.Action asChild>
              <Button look="danger" onClick={onConfirm}>
                {does}
              </Button>
            </AlertDialog.Action>
          </footer>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
};
