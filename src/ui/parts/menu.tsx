import { Check, ChevronRight } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import styles from './menu.module.css';
import { Ellipsis } from './text.tsx';
import { givingBackFocus } from './tooltip.tsx';

export interface MenuProps {
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

export const Menu = ({ trigger, label, align = 'start', side = 'bottom', children, ...state }: MenuProps) => (
  <Radix.Root modal={false} {...state}>
    <Radix.Trigger asChild>{trigger}</Radix.Trigger>
    <Radix.Portal>
      <Radix.Content
        className={styles.menu}
        align={align}
        side={side}
        sideOffset={4}
        collisionPadding={8}
        onCloseAutoFocus={givingBackFocus}
        {...(label === undefined ? {} : { 'aria-label': label })}
      >
        {children}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
);

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

export const MenuSeparator = () => <Radix.Separator className={styles.separator} />;
