import { useState } from 'react';
import type { NodeId } from '../../../domain/forest.ts';
import { Menu } from '../../parts/menu.tsx';
import { TurnMenuItems } from './turn-actions.tsx';
import styles from './turn-menu.module.css';

/** A place on the page, in pixels from the top left of the window. */
export interface MenuPlace {
  readonly x: number;
  readonly y: number;
}

interface Props {
  readonly nodeIds: readonly NodeId[];
  readonly label: string;
  readonly at: MenuPlace;
  readonly onClose: () => void;
}

/** The menu of turns at a place: under the pointer, or beside what has the focus. It is open while it is mounted. */
export const TurnMenuAt = ({ nodeIds, label, at, onClose }: Props) => {
  const [opener] = useState(() => document.activeElement);
  return (
    <Menu
      open
      label={label}
      onOpenChange={(open) => {
        if (open) return;
        onClose();
        // Where nothing that was chosen has taken the focus, it goes back to where it was.
        setTimeout(() => {
          const lost = document.activeElement === document.body || document.activeElement === null;
          if (lost && opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
        });
      }}
      trigger={<span className={styles.place} style={{ left: at.x, top: at.y }} aria-hidden />}
    >
      <TurnMenuItems nodeIds={nodeIds} />
    </Menu>
  );
};
