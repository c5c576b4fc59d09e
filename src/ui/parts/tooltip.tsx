import { Tooltip as Radix } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import styles from './tooltip.module.css';

/** Placed once around the page, so that all tooltips share one delay. */
export const TooltipProvider = ({ children }: { children: ReactNode }) => (
  <Radix.Provider delayDuration={500} skipDelayDuration={200}>
    {children}
  </Radix.Provider>
);

let isGivingBack = false;

/**
 * Call when restoring the focus, as when a dialog or a menu closes: no tooltip opens for it, because nobody asked what
 * the button means. Lasts until the end of the task.
 */
export const givingBackFocus = (): void => {
  isGivingBack = true;
  queueMicrotask(() => {
    isGivingBack = false;
  });
};

/** Text next to a control that is hovered or focused. The child is a single element that takes a ref. */
export const Tooltip = ({ text, keys, children }: { text: ReactNode; keys?: string; children: ReactNode }) => {
  const [open, setOpen] = useState(false);
  return (
    <Radix.Root
      disableHoverableContent
      open={open}
      // Touch cannot hover: a tooltip opened by the focus that a closed menu restores would stay open.
      onOpenChange={(next) => setOpen(next && !isGivingBack && !matchMedia('(hover: none)').matches)}
    >
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className={styles.tooltip} sideOffset={6} collisionPadding={8}>
          {text}
          {keys !== undefined && <kbd className={styles.keys}>{keys}</kbd>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
};
