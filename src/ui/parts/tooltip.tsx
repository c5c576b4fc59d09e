import { autoUpdate, flip, offset, shift, useFloating } from '@floating-ui/react-dom';
import { Slot } from 'radix-ui';
import { type PointerEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import styles from './tooltip.module.css';

/** How long the pointer rests on a control before its tooltip opens, in milliseconds. */
const DELAY = 500;
/** If another tooltip closed less than this ago, it opens at once, in milliseconds: the person goes along a row of buttons. */
const JUST_NOW = 200;

let lastClosed = Number.NEGATIVE_INFINITY;
/** Closes the tooltip that opened last: there is one at a time. */
let closeLast = (): void => undefined;
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

interface TooltipProps {
  readonly text: ReactNode;
  readonly keys?: string;
  /** A single element that takes event handlers. */
  readonly children: ReactNode;
}

/**
 * Text next to a control that is hovered or focused. Cheap while closed, since most buttons have one: Radix's takes
 * some twenty components each, which is as much as the rest of the page.
 */
export const Tooltip = ({ text, keys, children }: TooltipProps) => {
  const { anchor, close, handlers } = useAnchor();
  const id = useId();
  return (
    <>
      <Slot.Root {...handlers} {...(anchor !== null && { 'aria-describedby': id })}>
        {children}
      </Slot.Root>
      {anchor !== null && (
        <OpenTooltip id={id} anchor={anchor} onClose={close}>
          {text}
          {keys !== undefined && <kbd className={styles.keys}>{keys}</kbd>}
        </OpenTooltip>
      )}
    </>
  );
};

/** The element a tooltip is open for, null while it is closed, and the handlers that open and close it. */
const useAnchor = () => {
  const [anchor, setAnchor] = useState<Element | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isInside = useRef(false);
  const isPressed = useRef(false);
  useEffect(() => () => clearTimeout(timer.current), []);

  const open = (element: Element): void => {
    clearTimeout(timer.current);
    closeLast();
    closeLast = () => setAnchor(null);
    setAnchor(element);
  };
  const close = (): void => {
    clearTimeout(timer.current);
    if (anchor === null) return;
    lastClosed = performance.now();
    setAnchor(null);
  };
  const handlers = {
    // Not when the pointer enters: a control may also come to be under a pointer that rests.
    onPointerMove: ({ currentTarget, pointerType }: PointerEvent) => {
      if (isInside.current || pointerType === 'touch') return;
      isInside.current = true;
      if (performance.now() - lastClosed < JUST_NOW) open(currentTarget);
      else timer.current = setTimeout(open, DELAY, currentTarget);
    },
    onPointerLeave: () => {
      isInside.current = false;
      close();
    },
    onPointerDown: () => {
      isPressed.current = true;
      // A press that becomes a scroll is cancelled, not let go.
      const ended = new AbortController();
      for (const type of ['pointerup', 'pointercancel'] as const) {
        const end = () => {
          isPressed.current = false;
          ended.abort();
        };
        document.addEventListener(type, end, { signal: ended.signal });
      }
      close();
    },
    onClick: close,
    onFocus: ({ currentTarget }: { currentTarget: Element }) => {
      // Touch cannot hover: a tooltip opened by the focus that a closed menu restores would stay open.
      if (isPressed.current || isGivingBack || matchMedia('(hover: none)').matches) return;
      open(currentTarget);
    },
    onBlur: close,
  };
  return { anchor, close, handlers };
};

const MIDDLEWARE = [offset(6), flip({ padding: 8 }), shift({ padding: 8 })];

interface OpenTooltipProps {
  readonly id: string;
  readonly anchor: Element;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

const OpenTooltip = ({ id, anchor, onClose, children }: OpenTooltipProps) => {
  const { refs, floatingStyles } = useFloating({
    placement: 'top',
    strategy: 'fixed',
    elements: { reference: anchor },
    whileElementsMounted: autoUpdate,
    middleware: MIDDLEWARE,
  });
  const closing = useRef(onClose);
  useLayoutEffect(() => {
    closing.current = onClose;
    // Replaced while it was hovered: nothing tells that the pointer left it.
    if (!anchor.isConnected) onClose();
  });
  useEffect(() => {
    const pressed = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') closing.current();
    };
    const scrolled = ({ target }: Event): void => {
      if (target instanceof Node && target.contains(anchor)) closing.current();
    };
    document.addEventListener('keydown', pressed, true);
    document.addEventListener('scroll', scrolled, true);
    return () => {
      document.removeEventListener('keydown', pressed, true);
      document.removeEventListener('scroll', scrolled, true);
    };
  }, [anchor]);
  return createPortal(
    <div ref={refs.setFloating} id={id} role="tooltip" className={styles.tooltip} style={floatingStyles}>
      {children}
    </div>,
    document.body,
  );
};
