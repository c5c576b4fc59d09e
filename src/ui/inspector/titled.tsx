import { Pencil } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Node } from '../../domain/forest.ts';
import { useActions, useApp } from '../app-context.ts';
import { IconButton } from '../parts/button.tsx';
import css from './inline.module.css';

/** What a topic or branch is called, and the way to call it otherwise. */
export const Titled = ({ node, what, children }: { node: Node; what: 'topic' | 'branch'; children: ReactNode }) => {
  const { select, session } = useActions();
  const readOnly = useApp((state) => state.past !== null);
  return (
    <span className={css.titled}>
      {children}
      {!readOnly && (
        <IconButton
          size="small"
          label={`Rename ${what}`}
          icon={Pencil}
          onClick={() => {
            select(node.id);
            session({ dialog: what === 'topic' ? 'topic-title' : 'branch-title' });
          }}
        />
      )}
    </span>
  );
};
