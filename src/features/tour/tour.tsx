import { Dialog as Radix } from 'radix-ui';
import { type CSSProperties, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Pane } from '../../app/state.ts';
import { clamp } from '../../domain/numbers.ts';
import { useActions, useAppState } from '../../ui/app-context.ts';
import { useKeys } from '../../ui/commands/keymap.ts';
import { Button } from '../../ui/parts/button.tsx';
import { useBack, useFocusGivenBack } from '../../ui/parts/dialog.tsx';
import { TOUCH } from '../../ui/parts/hooks.ts';
import styles from './tour.module.css';

interface Step {
  readonly title: string;
  readonly text: string;
  /** Selector of what it points at. */
  readonly at: string;
  /** The pane that must be open for it. */
  readonly pane: Pane;
}

const STEPS: readonly Step[] = [
  {
    title: 'Write as you think',
    text: 'Change the subject, come back to it, or take another direction. There’s no need to say so. Each message finds its place.',
    at: 'form:has(#message)',
    pane: 'chat',
  },
  {
    title: 'Read one path at a time',
    text: 'The chat shows how you got here. The line under each message says where it went and why. Use Change to move it; Coppice learns from that.',
    at: '[data-pane=chat]',
    pane: 'chat',
  },
  {
    title: 'See the whole forest',
    text: 'Every topic is a tree, and every change of mind is a branch. Click a card to read it, drag it to move it, and continue from any of them.',
    at: '[data-pane=forest]',
    pane: 'forest',
  },
  {
    title: 'Look behind a turn',
    text: 'The inspector shows how a turn was placed and exactly what was sent to the model for its reply.',
    at: '[data-pane=inspector]',
    pane: 'inspector',
  },
  {
    title: 'Go back in time',
    text: 'The timeline keeps every moment except what you purge. Scrub it, play it, or undo what you or the engine did.',
    at: '[role=group][aria-label=History]',
    pane: 'forest',
  },
  {
    title: 'Choose who answers',
    text: 'At first, replies only quote what was said before. In Models, choose a language model that runs in this browser, or connect your own server.',
    at: 'header',
    pane: 'chat',
  },
];

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Size of the text card, in pixels, and the space kept around it. */
const CARD = { width: 344, height: 212 };
const GAP = 14;
/** Space between the highlighted element and its ring. */
const ROOM = 4;

/** Explains the parts of the page, one at a time. */
export const Tour = ({ onClose }: { onClose: () => void }) => {
  // The offer of it is gone by then. On a touch screen the keyboard would cover the welcome.
  useFocusGivenBack(matchMedia(TOUCH).matches ? '[data-pane=chat]' : '#message');
  useBack(onClose);
  const { session } = useActions();
  const state = useAppState();
  const [at, setAt] = useState(0);
  const [before] = useState(() => state().session);
  const next = useRef<HTMLButtonElement>(null);
  const step = STEPS[at] as Step;
  const box = useBoxOf(step.at);
  const last = at === STEPS.length - 1;
  const keys = useKeys()('palette');

  useEffect(() => {
    session({ pane: step.pane, folded: before.folded.filter((pane) => pane !== step.pane) });
  }, [step, before, session]);
  useEffect(() => {
    session({ toured: true });
    return () => session({ pane: before.pane, folded: before.folded });
  }, [before, session]);

  const go = (to: number) => {
    if (to >= STEPS.length) return onClose();
    setAt(Math.max(0, to));
    next.current?.focus();
  };
  const onKey = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowRight') go(Math.min(STEPS.length - 1, at + 1));
    if (key === 'ArrowLeft') go(at - 1);
  };

  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <div className={styles.light} data-nowhere={box === null} style={box === null ? {} : ringOf(box)} aria-hidden />
        <Radix.Content
          className={styles.card}
          style={placeOf(box)}
          onKeyDown={onKey}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            next.current?.focus();
          }}
          // Clicking what is shown does not end the tour.
          onInteractOutside={(event) => event.preventDefault()}
        >
          <Radix.Title className="visually-hidden">Tour</Radix.Title>
          <div aria-live="polite" className={styles.words}>
            <p className={styles.count}>
              {at + 1} of {STEPS.length}
            </p>
            <h2>{step.title}</h2>
            <Radix.Description>
              {step.text}
              {last && keys !== undefined && ` Every command is under ${keys}.`}
            </Radix.Description>
          </div>
          <div className={styles.foot}>
            <span className={styles.dots} aria-hidden>
              {STEPS.map(({ title }, index) => (
                <span key={title} data-done={index <= at} />
              ))}
            </span>
            {!last && (
              <Button look="quiet" onClick={onClose}>
                Skip
              </Button>
            )}
            {at > 0 && <Button onClick={() => go(at - 1)}>Back</Button>}
            <Button look="primary" ref={next} onClick={() => go(at + 1)}>
              {last ? 'Done' : 'Next'}
            </Button>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
};

/** Tracks the position of an element every frame, because panes open late and windows resize. null while it is missing. */
const useBoxOf = (selector: string): Box | null => {
  const [box, setBox] = useState<Box | null>(null);
  useEffect(() => {
    let frame = 0;
    const look = () => {
      const found = document.querySelector(selector)?.getBoundingClientRect();
      const now = found === undefined || found.width === 0 ? null : found;
      setBox((was) => (same(was, now) ? was : now));
      frame = requestAnimationFrame(look);
    };
    look();
    return () => cancelAnimationFrame(frame);
  }, [selector]);
  return box;
};

const same = (a: Box | null, b: Box | null): boolean =>
  a === b ||
  (a !== null && b !== null && a.left === b.left && a.top === b.top && a.width === b.width && a.height === b.height);

const ringOf = ({ left, top, width, height }: Box): CSSProperties => {
  // Keeps the ring visible around elements that extend to the page's edge.
  const [x, y] = [Math.max(ROOM, left - ROOM), Math.max(ROOM, top - ROOM)];
  const right = Math.min(innerWidth - ROOM, left + width + ROOM);
  const bottom = Math.min(innerHeight - ROOM, top + height + ROOM);
  return { left: x, top: y, width: right - x, height: bottom - y };
};

/**
 * Places the card beside its target if there is room, otherwise over the target's lower end; always within the window, which
 * may be lower than the page.
 */
export const placeOf = (box: Box | null): CSSProperties => {
  const width = Math.min(CARD.width, innerWidth - 2 * GAP);
  const left = (x: number) => clamp(x, GAP, innerWidth - width - GAP);
  const inWindow = (y: number) => clamp(y, GAP, innerHeight - CARD.height - GAP);
  const middle = left((innerWidth - width) / 2);
  if (box === null) return { width, left: middle, top: inWindow((innerHeight - CARD.height) / 2) };
  const { left: x, top: y, width: w, height: h } = box;
  const across = left(x + (w - width) / 2);
  if (x + w + GAP + width + GAP <= innerWidth) return { width, left: x + w + GAP, top: inWindow(y + GAP) };
  if (x - GAP - width >= GAP) return { width, left: x - GAP - width, top: inWindow(y + GAP) };
  if (y - GAP - CARD.height >= GAP) return { width, left: across, bottom: inWindow(innerHeight - y + GAP) };
  if (y + h + GAP + CARD.height + GAP <= innerHeight) return { width, left: across, top: y + h + GAP };
  return { width, left: across, bottom: inWindow(innerHeight - y - h + 2 * GAP) };
};
