import { Check, ChevronRight } from 'lucide-react';
import { DropdownMenu as Radix, Slot } from 'radix-ui';
import {
  type ComponentProps,
  type ReactNode,
  type Ref,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import styles from './menu.module.css';
import { Ellipsis } from './text.tsx';
import { givingBackFocus } from './tooltip.tsx';

interface MenuProps {
  /** The button that opens it: a single element that takes a ref. */
  readonly trigger: ReactNode;
  readonly label?: string;
  readonly align?: 'start' | 'center' | 'end';
  readonly side?: 'top' | 'bottom';
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
  /** `MenuItem`s and the like. */
  readonly children: ReactNode;
}

/** Cheap while closed, since every turn has two: Radix's menu, of some fifteen components, is rendered once it opens. */
export const Menu = ({ trigger, open: given, onOpenChange, ...menu }: MenuProps) => {
  const [own, setOwn] = useState(false);
  const open = given ?? own;
  const [byKey, setByKey] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  /** What the click that ends a press is to do: open (true) or close the menu, or nothing more. */
  const atClick = useRef<boolean | 'nothing' | null>(null);
  const id = useId();
  const change = (next: boolean, isKey = false): void => {
    setByKey(isKey);
    setOwn(next);
    onOpenChange?.(next);
  };
  return (
    <>
      <Slot.Root
        ref={button}
        id={`${id}button`}
        aria-haspopup="menu"
        aria-expanded={open}
        {...(open && { 'aria-controls': id })}
        data-state={open ? 'open' : 'closed'}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          // It may be let go elsewhere, perhaps on an item: no click of the button follows.
          document.addEventListener(
            'pointerup',
            ({ target }) => {
              if (!button.current?.contains(target as Node)) atClick.current = null;
            },
            { capture: true, once: true },
          );
          // A finger or pen may begin a scroll: only its click tells, by which time the open menu has closed itself.
          const mayScroll = event.pointerType === 'touch' || event.pointerType === 'pen';
          atClick.current = mayScroll ? !open : 'nothing';
          if (mayScroll || event.ctrlKey) return;
          change(!open);
          // The menu takes the focus.
          if (!open) event.preventDefault();
        }}
        onPointerCancel={() => {
          atClick.current = null;
        }}
        // After a long press, or on a Mac one with Ctrl, no click follows either.
        onContextMenu={() => {
          atClick.current = null;
        }}
        onClick={() => {
          // Nothing was pressed where a screen reader or voice control clicks.
          const then = atClick.current ?? !open;
          atClick.current = null;
          if (then !== 'nothing') change(then);
        }}
        onKeyDown={(event) => {
          if (!['Enter', ' ', 'ArrowDown'].includes(event.key)) return;
          event.preventDefault();
          if (event.repeat) return;
          change(event.key === 'ArrowDown' || !open, true);
        }}
      >
        {trigger}
      </Slot.Root>
      {open && <OpenMenu id={id} button={button} atFirst={byKey} onOpenChange={change} {...menu} />}
    </>
  );
};

interface OpenMenuProps extends Omit<MenuProps, 'trigger' | 'open' | 'onOpenChange'> {
  readonly id: string;
  readonly button: RefObject<HTMLButtonElement | null>;
  /** Whether its first item has the focus, not the menu itself. */
  readonly atFirst: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

const OpenMenu = ({
  id,
  button,
  atFirst,
  onOpenChange,
  label,
  align = 'start',
  side = 'bottom',
  children,
}: OpenMenuProps) => {
  const isEntering = useRef(atFirst);
  return (
    <Radix.Root modal={false} open onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>
        <Stand for={button} />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          id={id}
          aria-labelledby={`${id}button`}
          className={styles.menu}
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          // Radix does this only for keys pressed while it is there.
          onFocus={({ currentTarget }) => {
            if (!isEntering.current) return;
            isEntering.current = false;
            currentTarget.querySelector<HTMLElement>('[role^="menuitem"]:not([data-disabled])')?.focus();
          }}
          // The key that opened it chooses nothing while it is still held.
          onKeyDownCapture={(event) => {
            if (!event.repeat || !['Enter', ' '].includes(event.key)) return;
            event.preventDefault();
            event.stopPropagation();
          }}
          onCloseAutoFocus={givingBackFocus}
          {...(label === undefined ? {} : { 'aria-label': label })}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
};

/** Gives Radix the button that is already there, to stand the menu next to and to give the focus back to. */
const Stand = ({ for: button, ref }: { for: RefObject<HTMLButtonElement | null>; ref?: Ref<HTMLButtonElement> }) => {
  useLayoutEffect(() => {
    // Not taken back when the menu goes: only then is the focus given back.
    if (typeof ref === 'function') ref(button.current);
    else if (ref) ref.current = button.current;
  }, [button, ref]);
  return null;
};

interface ItemProps extends Omit<ComponentProps<typeof Radix.Item>, 'children'> {
  readonly icon?: ReactNode;
  /** Secondary text at the end of the row. */
  readonly detail?: ReactNode;
  readonly children: ReactNode;
}

export const MenuItem = ({ icon, detail, children, ...rest }: ItemProps) => (
  <Radix.Item className={styles.item} {...rest}>
    <span className={styles.icon}>{icon}</span>
    <Ellipsis>{children}</Ellipsis>
    {detail !== undefined && <span className={styles.detail}>{detail}</span>}
  </Radix.Item>
);

export const MenuChoice = ({
  chosen,
  onChoose,
  children,
}: {
  chosen: boolean;
  onChoose: () => void;
  children: ReactNode;
}) => (
  <Radix.CheckboxItem role="menuitemradio" className={styles.item} checked={chosen} onSelect={onChoose}>
    <span className={styles.icon}>{chosen && <Check size={14} aria-hidden />}</span>
    <Ellipsis>{children}</Ellipsis>
  </Radix.CheckboxItem>
);

/** An item of a group in which several can be on at once: the menu stays open. */
export const MenuCheck = ({
  on,
  onChange,
  disabled = false,
  detail,
  children,
}: {
  on: boolean;
  onChange: (on: boolean) => void;
  disabled?: boolean;
  detail?: ReactNode;
  children: ReactNode;
}) => (
  <Radix.CheckboxItem
    className={styles.item}
    checked={on}
    disabled={disabled}
    onCheckedChange={onChange}
    onSelect={(event) => event.preventDefault()}
  >
    <span className={styles.icon}>{on && <Check size={14} aria-hidden />}</span>
    <Ellipsis>{children}</Ellipsis>
    {detail !== undefined && <span className={styles.detail}>{detail}</span>}
  </Radix.CheckboxItem>
);

export const Submenu = ({
  icon,
  label,
  disabled = false,
  children,
}: {
  icon?: ReactNode;
  label: string;
  disabled?: boolean;
  children: ReactNode;
}) => (
  <Radix.Sub>
    <Radix.SubTrigger className={styles.item} disabled={disabled}>
      <span className={styles.icon}>{icon}</span>
      <Ellipsis>{label}</Ellipsis>
      <ChevronRight className={styles.more} size={14} aria-hidden />
    </Radix.SubTrigger>
    <Radix.Portal>
      <Radix.SubContent className={`${styles.menu} ${styles.wide}`} sideOffset={4} collisionPadding={8}>
        {children}
      </Radix.SubContent>
    </Radix.Portal>
  </Radix.Sub>
);

export const MenuHeading = ({ children }: { children: ReactNode }) => (
  <Radix.Label className={styles.heading}>{children}</Radix.Label>
);

/**
 * Runs after the menu has closed and restored the focus: a dialog later restores it to the same place, and a list whose
 * row goes knows that it was there.
 */
export const afterMenu = (run: () => void): void => void setTimeout(() => setTimeout(run));

export const MenuSeparator = () => <Radix.Separator className={styles.separator} />;
