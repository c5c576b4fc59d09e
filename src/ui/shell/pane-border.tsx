import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import type { SizedPane } from '../../app/state.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import { clamped, PANE_LIMITS } from './kept-view.ts';
import styles from './pane-border.module.css';

/** Pixels per press of an arrow key; Shift takes the long step. */
const STEP = 16;
const LONG_STEP = 64;

interface Props {
  readonly pane: SizedPane;
  /** The pane's name, in lower case. */
  readonly name: string;
  /** On which side of the border the pane is. */
  readonly side: 'left' | 'right';
}

/** The draggable border of a pane; a double click resets its width. */
export const PaneBorder = ({ pane, name, side }: Props) => {
  const { session } = useActions();
  const state = useAppState();
  const set = useApp(({ session: { widths } }) => widths[pane]);
  const element = useRef<HTMLDivElement>(null);
  const drag = useRef<{ readonly x: number; readonly width: number } | null>(null);
  // The actual width, which may be less than the set one on a narrow page.
  const [width, setWidth] = useState(set ?? PANE_LIMITS[pane].least);

  useEffect(() => {
    const beside = document.getElementById(`pane-${pane}`);
    if (beside === null) return;
    const observer = new ResizeObserver(() => setWidth(Math.round(beside.getBoundingClientRect().width)));
    observer.observe(beside);
    return () => observer.disconnect();
  }, [pane]);

  const keep = (next: number) => session({ widths: { ...state().session.widths, [pane]: clamped(pane, next) } });
  const reset = () => {
    const { [pane]: _, ...widths } = state().session.widths;
    session({ widths });
  };
  const outwards = side === 'left' ? 1 : -1;

  const grab = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    event.currentTarget.focus();
    drag.current = { x: event.clientX, width };
  };
  const move = (event: PointerEvent) => {
    if (drag.current !== null) keep(drag.current.width + outwards * (event.clientX - drag.current.x));
  };
  const release = () => {
    drag.current = null;
  };
  const press = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const step = event.shiftKey ? LONG_STEP : STEP;
    if (event.key === 'ArrowRight') keep(width + outwards * step);
    else if (event.key === 'ArrowLeft') keep(width - outwards * step);
    else if (event.key === 'Home') keep(PANE_LIMITS[pane].least);
    else if (event.key === 'End') keep(PANE_LIMITS[pane].most);
    else if (event.key === 'Enter') reset();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={element}
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of the ${name}`}
      aria-controls={`pane-${pane}`}
      aria-valuenow={width}
      aria-valuemin={PANE_LIMITS[pane].least}
      aria-valuemax={PANE_LIMITS[pane].most}
      aria-valuetext={`${width} pixels`}
      tabIndex={0}
      className={styles.border}
      data-side={side}
      onPointerDown={grab}
      onPointerMove={move}
      onPointerUp={release}
      onPointerCancel={release}
      onDoubleClick={reset}
      onKeyDown={press}
    />
  );
};
