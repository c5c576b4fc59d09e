import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { IconButton } from './button.tsx';
import styles from './dialog.module.css';
import { givingBackFocus } from './tooltip.tsx';

export interface DialogProps {
  /** The heading and the dialog's accessible name. */
  readonly title: string;
  /** One line under the heading. */
  readonly description?: ReactNode;
  readonly onClose: () => void;
  /** `full`: as high as the page; `pages`: of one height, whatever it shows. Their bodies have no margins or scrolling. */
  readonly size?: 'small' | 'medium' | 'wide' | 'pages' | 'full';
  /** What can be done, at the foot. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** How to close each dialog that is open, the one that lies over the others last. */
const openDialogs: RefObject<() => void>[] = [];
const watchers = new Set<() => void>();

const watch = (changed: () => void): (() => void) => {
  watchers.add(changed);
  return () => void watchers.delete(changed);
};

/** Whether a dialog lies over the page. */
export const useDialogOpen = (): boolean => useSyncExternalStore(watch, () => openDialogs.length > 0);

/** A modal dialog; it is open while it is mounted, and gives the focus back to where it was. */
export const Dialog = ({ title, description, onClose, size = 'medium', actions, children }: DialogProps) => {
  const [opener] = useState(() => openerOf(document.activeElement));
  useEffect(() => () => giveBack(opener), [opener]);
  const close = useRef(onClose);
  close.current = onClose;
  useLayoutEffect(() => {
    openDialogs.push(close);
    for (const changed of watchers) changed();
    return () => {
      openDialogs.splice(openDialogs.indexOf(close), 1);
      for (const changed of watchers) changed();
    };
  }, []);
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={styles.overlay} />
        <Radix.Content
          className={`${styles.dialog} ${styles[size]}`}
          // The dialog itself, so that its name is read first and no tooltip opens, unless it is there to be written in.
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            const dialog = event.currentTarget as HTMLElement;
            (dialog.querySelector<HTMLElement>('[data-write-here]') ?? dialog).focus();
          }}
          // A dialog that has only just been covered still hears the key: it is for the one that lies over it.
          onEscapeKeyDown={(event) => {
            if (event.defaultPrevented) return;
            event.preventDefault();
            // What is in it may have a step of its own to go back first.
            if (document.activeElement?.closest('[data-own-escape]')) return;
            const [top] = openDialogs.slice(-1);
            top?.current();
          }}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <header className={styles.head}>
            <div>
              <Radix.Title className={styles.title}>{title}</Radix.Title>
              {description !== undefined && (
                <Radix.Description className={styles.description}>{description}</Radix.Description>
              )}
            </div>
            <Radix.Close asChild>
              <IconButton label="Close" icon={X} />
            </Radix.Close>
          </header>
          <div className={styles.body}>{children}</div>
          {actions !== undefined && <footer className={styles.actions}>{actions}</footer>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
};

/** Of what lies over the page for a moment and is gone by then, the button that opened that. */
const openerOf = (focused: Element | null): Element | null => {
  const layer = focused?.closest('[data-radix-popper-content-wrapper] > [id]');
  return (layer && document.querySelector(`[aria-controls="${layer.id}"]`)) ?? focused;
};

/** After the dialog's own clean-up, which leaves the focus on the page. */
const giveBack = (opener: Element | null): void => {
  setTimeout(() => {
    if (!(opener instanceof HTMLElement) || !opener.isConnected || document.activeElement !== document.body) return;
    givingBackFocus();
    opener.focus();
  });
};
