import { Search, X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ComponentProps, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useAppState } from '../app-context.ts';
import { IconButton } from '../parts/button.tsx';
import { isComposing, stayWhileComposing } from '../parts/composing.ts';
import { openerOf, useBack } from '../parts/dialog.tsx';
import { useOnceReady } from '../parts/hooks.ts';
import { givingBackFocus } from '../parts/tooltip.tsx';
import type { CommandId } from './default-keys.ts';
import styles from './finder.module.css';
import { useKeymap } from './keymap.ts';
import { isMacEditing, listMove, strokeOf, takeTypedAhead } from './keystroke.ts';

interface FinderProps {
  /** The command that opens it; its keys close it again. */
  readonly command: CommandId;
  /** The dialog's accessible name. */
  readonly title: string;
  readonly placeholder: string;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  /** Id of the listbox, and of the option that Enter would choose. */
  readonly listId: string;
  readonly activeId: string | undefined;
  /** The number of options and the active one; −1 for none. */
  readonly count: number;
  readonly active: number;
  readonly onActive: (index: number) => void;
  /** False while options for the query are still being found. */
  readonly isReady?: boolean;
  /** Returns what to do with the option once the dialog has closed; null if it cannot be chosen now, `later` as long as it is not known which it is. */
  readonly choose: (index: number, how: 'keys' | 'pointer') => (() => void) | 'later' | null;
  readonly onClose: () => void;
  /** Announced to screen readers when it changes: how much was found. */
  readonly status: string;
  readonly foot?: ReactNode;
  /** The listbox. `pick` chooses an option by index. */
  readonly children: (pick: (index: number) => void) => ReactNode;
}

/** How many options Page Up and Page Down move by. */
const PAGE = 8;

/** A search field with a list of results, on top of the page. The focus stays in the field; the arrow keys move through the list. */
export const Finder = (props: FinderProps) => {
  const { command, title, placeholder, query, onQuery, listId, activeId, count, active, onActive, choose, onClose } =
    props;
  const state = useAppState();
  const keymap = useKeymap();
  const [opener] = useState(() => openerOf(document.activeElement));
  const chosen = useRef<(() => void) | null>(null);
  useBack(onClose);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as it opens
  useEffect(() => {
    const typed = takeTypedAhead();
    if (typed !== '') onQuery(query + typed);
  }, []);

  // The choice runs on the page as it was: after the dialog has closed and the focus has been restored.
  useEffect(
    () => () => {
      setTimeout(() => {
        if (opener instanceof HTMLElement && opener.isConnected && document.activeElement === document.body) {
          givingBackFocus();
          opener.focus({ preventScroll: true });
        }
        const run = chosen.current;
        chosen.current = null;
        run?.();
      });
    },
    [opener],
  );

  const isReady = props.isReady ?? true;
  const wait = useOnceReady(isReady, () => pick(active, 'keys'));
  const pick = (index: number, how: 'keys' | 'pointer') => {
    const run = choose(index, how);
    wait(run === 'later');
    if (run === null || run === 'later') return;
    chosen.current = run;
    onClose();
  };
  const pressed = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    const stroke = strokeOf(event.nativeEvent);
    const isKey = stroke !== null && stroke.length > 1 && !isMacEditing(event);
    if (isKey && keymap.commandWith(stroke, state().keys) === command) {
      event.preventDefault();
      if (!event.repeat) onClose();
      return;
    }
    const next = event.ctrlKey || event.metaKey || event.altKey ? null : listMove(event.key, active, count, PAGE);
    if (next !== null) {
      wait(false);
      onActive(next);
    } else if (event.key === 'Enter' && (count > 0 || !isReady)) pick(active, 'keys');
    else return;
    event.preventDefault();
  };

  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={styles.overlay} />
        <Radix.Content
          className={styles.finder}
          aria-describedby={undefined}
          // Put the caret at the end, so that typing continues the text that is there.
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            const field = (event.currentTarget as HTMLElement).querySelector('input');
            field?.focus();
            field?.setSelectionRange(field.value.length, field.value.length);
          }}
          onEscapeKeyDown={stayWhileComposing}
          onCloseAutoFocus={(event) => event.preventDefault()}
        >
          <Radix.Title className="visually-hidden">{title}</Radix.Title>
          <div className={styles.field}>
            <Search size={16} aria-hidden />
            <input
              dir="auto"
              role="combobox"
              aria-label={title}
              aria-expanded={count > 0}
              aria-controls={listId}
              aria-autocomplete="list"
              {...(activeId === undefined ? {} : { 'aria-activedescendant': activeId })}
              placeholder={placeholder}
              value={query}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              onChange={(event) => {
                wait(false);
                onQuery(event.target.value);
              }}
              onKeyDown={pressed}
            />
            <Radix.Close asChild>
              <IconButton label="Close" icon={X} size="small" />
            </Radix.Close>
          </div>
          {props.children((index) => pick(index, 'pointer'))}
          <p role="status" className="visually-hidden">
            {props.status}
          </p>
          {props.foot !== undefined && <footer className={styles.foot}>{props.foot}</footer>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
};

interface Props extends ComponentProps<'div'> {
  readonly selected: boolean;
  readonly onPoint: () => void;
  readonly onPick: () => void;
}

/** One result of a Finder. */
export const FinderOption = ({ selected, onPoint, onPick, ...rest }: Props) => (
  // The focus stays in the finder's field, which handles the keys.
  // biome-ignore lint/a11y/useKeyWithClickEvents: as said
  <div {...rest} role="option" tabIndex={-1} aria-selected={selected} onPointerMove={onPoint} onClick={onPick} />
);
