import { Ban, CornerDownRight } from 'lucide-react';
import { useStore } from 'zustand';
import { shownForest } from '../../app/state.ts';
import { useApp } from '../app-context.ts';
import { previewWords } from '../parts/turn-words.ts';
import styles from './drag-note.module.css';
import type { Dragging, DragSaid } from './use-drag.ts';

/** Beside the pointer: what is dragged, where it would go and what that would do to the context, or why it cannot. */
export const DragNote = ({ said }: Pick<Dragging, 'said'>) => {
  const drag = useStore(said, (state) => state.drag);
  return drag === null ? null : <Note drag={drag} />;
};

const Note = ({ drag: { at, what, where, refusal, preview } }: { drag: DragSaid }) => {
  const forest = useApp(shownForest);
  return (
    <div
      className={styles.note}
      role="note"
      aria-label="Drag"
      data-refused={refusal !== null || undefined}
      style={{ '--x': `${at.x}px`, '--y': `${at.y}px` } as React.CSSProperties}
    >
      {refusal === null ? (
        <>
          <p className={styles.what}>
            <CornerDownRight size={14} aria-hidden />
            {what} {where}
          </p>
          <p className={styles.preview}>{preview === null ? 'Counting…' : previewWords(forest, preview)}</p>
        </>
      ) : (
        <p className={styles.what}>
          <Ban size={14} aria-hidden />
          {refusal}
        </p>
      )}
    </div>
  );
};
