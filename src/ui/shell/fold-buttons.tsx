import { type LucideIcon, MessageSquareText, ScanSearch, Trees } from 'lucide-react';
import type { Pane } from '../../app/state.ts';
import { useActions, useApp } from '../app-context.ts';
import { IconButton } from '../parts/button.tsx';
import { useKeys } from './commands/use-keys.ts';
import { foldedAfter } from './folding.ts';
import styles from './header.module.css';

const panes: readonly {
  readonly pane: Pane;
  readonly label: string;
  readonly icon: LucideIcon;
}[] = [
  { pane: 'chat', label: 'Show chat', icon: MessageSquareText },
  { pane: 'forest', label: 'Show forest', icon: Trees },
  { pane: 'inspector', label: 'Show inspector', icon: ScanSearch },
];

/** Folds panes away and back. */
export const FoldButtons = () => {
  const { session } = useActions();
  const keys = useKeys();
  const folded = useApp((state) => state.session.folded);
  return (
    <div role="group" aria-label="Panes" className={styles.folds}>
      {panes.map(({ pane, ...rest }) => (
        <IconButton
          key={pane}
          {...rest}
          keys={keys(`fold-${pane}`)}
          size="small"
          aria-pressed={!folded.includes(pane)}
          onClick={() => session({ folded: foldedAfter(folded, pane) })}
        />
      ))}
    </div>
  );
};
