import { Minus } from 'lucide-react';
import type { NodeId } from '../../domain/forest.ts';
import { useActions, useAppState } from '../app-context.ts';
import { count, counted } from '../parts/format.ts';
import styles from './fold-chip.module.css';
import { foldedAfter } from './folding.ts';

/**
 * Under a card: how many turns are folded away there, or what folds them away. For the pointer alone: the canvas has
 * one place in the order of the Tab key, and a key for this.
 */
export const FoldChip = ({ id, number, folded }: { id: NodeId; number: number; folded: number }) => {
  const actions = useActions();
  const state = useAppState();
  const toggle = () => actions.session(foldedAfter(state().session, [id], folded > 0));
  const label =
    folded > 0 ? `Unfold ${counted(folded, 'turn')} below turn ${number}` : `Fold what is below turn ${number}`;
  return (
    <button
      type="button"
      tabIndex={-1}
      className={`${styles.chip} nopan`}
      data-folded={folded > 0 || undefined}
      aria-label={label}
      title={label}
      onClick={toggle}
    >
      {folded > 0 ? `+${count(folded)}` : <Minus size={12} aria-hidden />}
    </button>
  );
};
