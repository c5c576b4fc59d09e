import { type LucideIcon, MessageSquareText, ScanSearch, Trees } from 'lucide-react';
import type { Pane } from '../../app/state.ts';
import { useActions, useApp } from '../app-context.ts';
import { IconButton } from '../parts/icon-button.tsx';
import { foldedAfter } from './folding.ts';
import styles from './header.module.css';

const panes: readonly {
  readonly pane: Pane;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly keys?: string;
}[] = [
  { pane: 'chat', label: 'Show chat', icon: MessageSquareText, keys: '[' },
  { pane: 'forest', label: 'Show forest', icon: Trees },
  { pane: 'inspector', label: 'Show inspector', icon: ScanSearch, keys: ']' },
];

/** Folds panes away and back. */
export const FoldButtons = () => {
  const { session } = useActions();
  const folded = useApp((state) => state.session.folded);
  return (
    <div role="group" aria-label="Panes" className={styles.folds}>
      {panes.map(({ pane, ...rest }) => (
        <IconButton
          key={pane}
          {...rest}
          size="small"
          aria-pressed={!folded.includes(pane)}
          onClick={() => session({ folded: foldedAfter(folded, pane) })}
        />
      ))}
    </div>
  );
};
