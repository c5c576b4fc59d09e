import { EyeOff, Link2, type LucideIcon, Pin, StickyNote } from 'lucide-react';
import { memo } from 'react';
import type { Node } from '../../domain/forest.ts';
import { counted } from '../parts/format.ts';
import { Tooltip } from '../parts/tooltip.tsx';
import styles from './card-marks.module.css';

type Marked = Pick<Node, 'hidden' | 'pinned' | 'note' | 'references'>;

/** What the person has said about a turn: icons, each with its words. */
export const CardMarks = memo(({ hidden, pinned, note, references }: Marked) => {
  if (!hidden && !pinned && note === null && references.length === 0) return null;
  return (
    <span className={styles.marks}>
      {hidden && <Mark icon={EyeOff} words="Hidden: no model is sent it" />}
      {pinned && <Mark icon={Pin} words="Pinned: in full in every context" />}
      {references.length > 0 && <Mark icon={Link2} words={`Refers to ${counted(references.length, 'turn')}`} />}
      {note !== null && <Mark icon={StickyNote} words={note} />}
    </span>
  );
});
CardMarks.displayName = 'CardMarks';

const Mark = ({ icon: Icon, words }: { icon: LucideIcon; words: string }) => (
  <Tooltip text={words}>
    <span className={styles.mark} role="img" aria-label={words}>
      <Icon size={13} strokeWidth={2} aria-hidden />
    </span>
  </Tooltip>
);
