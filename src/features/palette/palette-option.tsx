import { MessageSquare, Search } from 'lucide-react';
import { counted } from '../../ui/parts/format.ts';
import { Marked, TopicDot } from '../../ui/parts/text.tsx';
import { FinderOption } from '../../ui/shell/commands/finder-option.tsx';
import { useKeys } from '../../ui/shell/commands/use-keys.ts';
import styles from './palette.module.css';
import type { PaletteRow } from './palette-rows.ts';

interface Props {
  readonly id: string;
  readonly row: PaletteRow;
  readonly selected: boolean;
  readonly onPoint: () => void;
  readonly onPick: () => void;
}

export const PaletteOption = ({ row, ...rest }: Props) => {
  const refused = row.kind === 'command' && row.refusal !== null;
  return (
    <FinderOption {...rest} className={styles.option} aria-disabled={refused || undefined}>
      <Words row={row} />
    </FinderOption>
  );
};

const Words = ({ row }: { row: PaletteRow }) => {
  const keys = useKeys();
  switch (row.kind) {
    case 'command': {
      const held = keys(row.command.id);
      return (
        <>
          <span className={styles.words}>
            <Marked text={row.words} marks={row.marks} />
            {row.refusal !== null && <span className={styles.refusal}>{row.refusal}</span>}
          </span>
          {held !== undefined && <kbd className={styles.keys}>{held}</kbd>}
        </>
      );
    }
    case 'turn':
      return (
        <>
          <TopicDot order={row.order} />
          <span className={styles.words}>
            <span>
              Go to turn {row.node.number}: {row.node.message}
            </span>
          </span>
          <span className={styles.detail}>{row.topic}</span>
        </>
      );
    case 'conversation':
      return (
        <>
          <MessageSquare size={14} aria-hidden />
          <span className={styles.words}>
            <span>Open {row.meta.title || 'Untitled'}</span>
          </span>
          <span className={styles.detail}>{counted(row.meta.turns, 'turn')}</span>
        </>
      );
    case 'search':
      return (
        <>
          <Search size={14} aria-hidden />
          <span className={styles.words}>
            <span>Search all conversations for “{row.query}”</span>
          </span>
        </>
      );
  }
};
