import { Tooltip as Radix } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import styles from './tooltip.module.css';

/** Once around the page: tooltips then share one delay. */
export const TooltipProvider = ({ children }: { children: ReactNode }) => (
  <Radix.Provider delayDuration={500} skipDelayDuration={200}>
    {children}
  </Radix.Provider>
);

let isGivingBack = false;

/**
 * For who gives the focus back to where it was, as a dialog or a menu that closes: no tooltip opens by that, for nobody has asked
 * what the button means. It holds to the end of the task.
 */
export const givingBackFocus = (): void => {
  isGivingBack = true;
  queueMicrotask(() => {
    isGivingBack = false;
  });
};

/** Text beside a control that is pointed at or focused. The child is one element that takes a ref. */
export const Tooltip = ({ text, keys, children }: { text: ReactNode; keys?: string; children: ReactNode }) => {
  const [open, setOpen] = useState(false);
  return (
    <Radix.Root
      disableHoverableContent
      open={open}
      // Fingers do not point: a tooltip by the focus that a closed menu gives back would stay for good.
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
