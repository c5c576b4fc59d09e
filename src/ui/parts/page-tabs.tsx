import { Tabs } from 'radix-ui';
import type { ReactNode } from 'react';
import styles from './page-tabs.module.css';

interface Props {
  /** Names the list of tabs. */
  readonly label: string;
  /** By their names; the first is open at first. */
  readonly pages: Readonly<Record<string, ReactNode>>;
  readonly onTurn?: (name: string) => void;
}

/** Pages of which one is shown, with their names above. */
export const PageTabs = ({ label, pages, onTurn }: Props) => (
  <Tabs.Root
    defaultValue={Object.keys(pages)[0] ?? ''}
    className={styles.tabs}
    {...(onTurn !== undefined && { onValueChange: onTurn })}
  >
    <Tabs.List aria-label={label} className={styles.list}>
      {Object.keys(pages).map((name) => (
        <Tabs.Trigger key={name} value={name}>
          {name}
        </Tabs.Trigger>
      ))}
    </Tabs.List>
    {Object.entries(pages).map(([name, page]) => (
      <Tabs.Content key={name} value={name} tabIndex={-1} className={styles.content}>
        {page}
      </Tabs.Content>
    ))}
  </Tabs.Root>
);
