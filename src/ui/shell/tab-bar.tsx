import { type LucideIcon, MessageSquareText, ScanSearch, Trees } from 'lucide-react';
import type { Pane } from '../../app/state.ts';
import { useActions, useApp } from '../app-context.ts';
import styles from './tab-bar.module.css';

const tabs: readonly { readonly pane: Pane; readonly label: string; readonly icon: LucideIcon }[] = [
  { pane: 'chat', label: 'Chat', icon: MessageSquareText },
  { pane: 'forest', label: 'Forest', icon: Trees },
  { pane: 'inspector', label: 'Inspector', icon: ScanSearch },
];

/** A phone's way between the panes. */
export const TabBar = () => {
  const { session } = useActions();
  const current = useApp((state) => state.session.pane);
  return (
    <nav aria-label="Panes" className={styles.bar}>
      {tabs.map(({ pane, label, icon: Icon }) => (
        <button
          key={pane}
          type="button"
          className={styles.tab}
          aria-current={pane === current ? 'page' : undefined}
          onClick={() => session({ pane })}
        >
          <Icon size={20} strokeWidth={1.7} aria-hidden />
          {label}
        </button>
      ))}
    </nav>
  );
};
