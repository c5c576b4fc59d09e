import { useStore } from 'zustand';
import styles from './marquee.module.css';
import type { Dragging } from './use-drag.ts';

/** The rectangle that is being drawn around cards. */
export const Marquee = ({ marquee }: Pick<Dragging, 'marquee'>) => {
  const rect = useStore(marquee, (state) => state.rect);
  if (rect === null) return null;
  const { x, y, width, height } = rect;
  return <div className={styles.marquee} style={{ left: x, top: y, width, height }} aria-hidden />;
};
