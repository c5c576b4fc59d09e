import { X } from 'lucide-react';
import { AlertDialog, Dialog as Radix } from 'radix-ui';
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { Button, IconButton } from './button.tsx';
import { stayWhileComposing } from './composing.ts';
import styles from './dialog.module.css';
import { Heading } from './text.tsx';
import { givingBackFocus } from './tooltip.tsx';

export interface DialogProps {
  /** The heading and the dialog's accessible name. */
  readonly title: string;
  /** One line under the heading. */
  readonly description?: ReactNode;
  readonly onClose: () => void;
  /** `full`: as tall as the page; `pages`: of a fixed height. Their bodies have no margins or scrolling. */
  readonly size?: 'small' | 'medium' | 'wide' | 'pages' | 'full';
  /** Buttons at the bottom. */
  readonly actions?: ReactNode;
  /** Whether closing it loses what was typed. If so, only its buttons close it: Escape and a click are made too easily. */
  readonly unsaved?: boolean;
  /** What it does now and cannot stop, in whole sentences: until then it stays open. */
  readonly busy?: string | undefined;
  readonly children: ReactNode;
}

interface OpenDialog {
  /** What Escape does. */
  dismiss(): void;
  /** Whether it has to stay: closing it loses what was typed, or it is busy. */
  readonly stays: boolean;
  /** Says what comes first. */
  refuse(): void;
}

/** Topmost last. */
const openDialogs: RefObject<OpenDialog>[] = [];
const watchers = new Set<() => void>();

/** Counts a dialog as open until the result is called. */
export const countOpen = (dialog: RefObject<OpenDialog>): (() => void) => {
  openDialogs.push(dialog);
  for (const changed of watchers) changed();
  return () => {
    openDialogs.splice(openDialogs.indexOf(dialog), 1);
    for (const changed of watchers) changed();
  };
};

/**
 * Whether the open dialogs may be replaced by what comes from outside the page, such as a dropped file: not if one
 * has to stay, which then says so.
 */
export const mayReplaceDialogs = (): boolean => {
  const holding = openDialogs.findLast(({ current }) => current.stays);
  holding?.current.refuse();
  return holding === undefined;
};

/** Whether `mayReplaceDialogs` would refuse. */
export const dialogStays = (): boolean => openDialogs.some(({ current }) => current.stays);

const watch = (changed: () => void): (() => void) => {
  watchers.add(changed);
  return () => void watchers.delete(changed);
};

/** Whether a dialog is open. */
export const useDialogOpen = (): boolean => useSyncExternalStore(watch, () => openDialogs.length > 0);

/** The part of `CloseWatcher` that is used; not every browser has one. */
interface BackWatcher {
  onclose: (() => void) | null;
  destroy(): void;
}

/** Has Android's Back, button or gesture, do this instead of leaving the page. Returns what ends that. */
export const watchBack = (back: () => void): (() => void) => {
  const { CloseWatcher } = globalThis as { CloseWatcher?: new () => BackWatcher };
  if (CloseWatcher === undefined) return () => undefined;
  const watchNext = (): BackWatcher => {
    const next = new CloseWatcher();
    next.onclose = () => {
      // One watches for a single time, and what is unsaved stays open.
      watcher = watchNext();
      back();
    };
    return next;
  };
  let watcher = watchNext();
  return () => watcher.destroy();
};

/** For what is open over the page while mounted, and closes by Escape: Back does the same. */
export const useBack = (back: () => void): void => {
  const latest = useRef(back);
  latest.current = back;
  useEffect(() => watchBack(() => latest.current()), []);
};

const CLOSING = 'Your changes are not saved yet. Choose Cancel to discard them.';
const REPLACING = 'Your changes are not saved yet. Save or cancel them first, then open the file or link again.';

/** A modal dialog; open while mounted, and restores the focus afterwards. */
export const Dialog = (props: DialogProps) => {
  const { title, description, size = 'medium', actions, unsaved = false, busy, children } = props;
  const openers = useFocusGivenBack();
  const [warning, setWarning] = useState<string | null>(null);
  // What was said while it was busy is not said of the next time.
  useLayoutEffect(() => {
    if (busy === undefined) setWarning(null);
  }, [busy]);
  const stays = unsaved || busy !== undefined;
  const close = busy === undefined ? props.onClose : () => setWarning(busy);
  const now: OpenDialog = {
    dismiss: stays ? () => setWarning(busy ?? CLOSING) : close,
    stays,
    refuse: () => setWarning(busy ?? REPLACING),
  };
  const open = useRef(now);
  open.current = now;
  useBack(now.dismiss);
  useLayoutEffect(() => countOpen(open), []);
  return (
    <Radix.Root open onOpenChange={(open) => !open && close()}>
      <Radix.Portal>
        {/* The focus stays where the person was typing. */}
        <Radix.Overlay className={styles.overlay} onMouseDown={(event) => stays && event.preventDefault()} />
        <Radix.Content
          className={`${styles.dialog} ${styles[size]}`}
          // Focus the dialog itself, so that its name is read first and no tooltip opens, unless it has a field to type
          // in.
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            const dialog = event.currentTarget as HTMLElement;
            openersOfDialogs.set(dialog, openers);
            (dialog.querySelector<HTMLElement>('[data-write-here]') ?? dialog).focus();
          }}
          // A dialog that has just been covered still receives the key, which is meant for the one on top.
          onEscapeKeyDown={(event) => {
            stayWhileComposing(event);
            if (event.defaultPrevented) return;
            event.preventDefault();
            // The content may have its own step back first.
            if (document.activeElement?.closest('[data-own-escape]')) return;
            const [top] = openDialogs.slice(-1);
            top?.current.dismiss();
          }}
          onPointerDownOutside={(event) => {
            if (!stays) return;
            event.preventDefault();
            now.dismiss();
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
          {warning !== null && stays && (
            <p role="alert" className={styles.unsaved}>
              {warning}
            </p>
          )}
          {actions !== undefined && <footer className={styles.actions}>{actions}</footer>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
};

/** A part of a dialog, with its heading. */
export const DialogSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={styles.section}>
    <Heading>{title}</Heading>
    {children}
  </section>
);

interface ConfirmDialogProps {
  /** The question; also the dialog's accessible name. */
  readonly title: string;
  /** What cannot be taken back. */
  readonly description: string;
  /** The label of the button that does it. */
  readonly action: string;
  readonly onConfirm: () => void;
  /** Also called after `onConfirm`. */
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** Asks before something that cannot be undone. Open while mounted. */
export const ConfirmDialog = ({ title, description, action, onConfirm, onClose, children }: ConfirmDialogProps) => {
  const openers = useFocusGivenBack();
  useBack(onClose);
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={styles.overlay} />
        <AlertDialog.Content
          className={`${styles.dialog} ${styles.small} ${styles.question}`}
          onOpenAutoFocus={({ currentTarget }) => openersOfDialogs.set(currentTarget as Element, openers)}
        >
          <AlertDialog.Title className={styles.asked}>{title}</AlertDialog.Title>
          <AlertDialog.Description className={styles.lost}>{description}</AlertDialog.Description>
          {children}
          <footer className={styles.answers}>
            <AlertDialog.Cancel asChild>
              <Button>Cancel</Button>
            </AlertDialog.Cancel>
            <AlertDialog.Action asChild>
              <Button look="danger" onClick={onConfirm}>
                {action}
              </Button>
            </AlertDialog.Action>
          </footer>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
};

/** By an open dialog, what opened it, and behind that what opened the dialog that it was in, if any. */
const openersOfDialogs = new WeakMap<Element, readonly Element[]>();

/**
 * For a dialog that is open while mounted: afterwards, the focus is back where it was, or if that is gone with the dialog
 * in whose place it was opened, on what had opened that, and otherwise on `otherwise`. Returns those, nearest first.
 */
export const useFocusGivenBack = (otherwise?: string): readonly Element[] => {
  const [openers] = useState(() => {
    const opener = openerOf(document.activeElement);
    const dialog = opener?.closest('[role="dialog"], [role="alertdialog"]');
    return [...(opener ? [opener] : []), ...((dialog && openersOfDialogs.get(dialog)) ?? [])];
  });
  useEffect(() => () => giveBack(openers, otherwise), [openers, otherwise]);
  return openers;
};

/** For an element in a transient popup or drawer, the button that opened it. */
export const openerOf = (focused: Element | null): Element | null => {
  const layer = focused?.closest('[data-radix-popper-content-wrapper] > [id], [data-drawer][id]');
  return (layer && document.querySelector(`[aria-controls="${layer.id}"]`)) ?? focused;
};

/** Runs after the dialog's own clean-up, which leaves the focus on the body. */
const giveBack = (openers: readonly Element[], otherwise: string | undefined): void => {
  setTimeout(() => {
    const opener = openers.find(({ isConnected }) => isConnected);
    const to = opener ?? (otherwise === undefined ? null : document.querySelector(otherwise));
    if (!(to instanceof HTMLElement) || document.activeElement !== document.body) return;
    givingBackFocus();
    to.focus();
  });
};
