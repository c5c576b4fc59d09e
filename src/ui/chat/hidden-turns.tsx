import { EyeOff } from 'lucide-react';
import { useState } from 'react';
import type { Node } from '../../domain/forest.ts';
import { useActions } from '../app-context.ts';
import { Button } from '../parts/button.tsx';
import styles from './hidden-turns.module.css';
import { Turn } from './turn.tsx';

/** Turns of the path that no model is sent: one quiet line, which unfolds to read them and takes them back in. */
export const HiddenTurns = ({ nodes, readOnly }: { nodes: readonly Node[]; readOnly: boolean }) => {
  const { hideTurns } = useActions();
  const [open, setOpen] = useState(false);
  const [first] = nodes;
  const last = nodes.at(-1);
  const which = nodes.length === 1 ? `Turn ${first?.number} is` : `Turns ${first?.number}–${last?.number} are`;
  const ids = nodes.map(({ id }) => id);
  return (
    // Marked as the turns that it stands for, so that one that is selected is scrolled to.
    <div className={styles.hidden} data-turn={open ? undefined : first?.id}>
      <div className={styles.line}>
        <button type="button" className={styles.words} aria-expanded={open} onClick={() => setOpen(!open)}>
          <EyeOff size={13} aria-hidden />
          {which} hidden: no model sees {nodes.length === 1 ? 'it' : 'them'}
        </button>
        {!readOnly && (
          <Button look="quiet" size="small" onClick={() => void hideTurns(ids, false)}>
            Show
          </Button>
        )}
      </div>
      {open && (
        <div className={styles.turns}>
          {nodes.map((node) => (
            <Turn key={node.id} node={node} last={false} readOnly={readOnly} />
          ))}
        </div>
      )}
    </div>
  );
};
