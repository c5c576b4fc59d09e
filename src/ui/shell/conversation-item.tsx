import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ConversationMeta } from '../../engine/ports.ts';
import { useActions } from '../app-context.ts';
import { IconButton } from '../parts/button.tsx';
import { counted, timeAgo } from '../parts/format.ts';
import styles from './conversations.module.css';
import { TitleField } from './title-field.tsx';

export const ConversationItem = ({ meta, current }: { meta: ConversationMeta; current: boolean }) => {
  const actions = useActions();
  const [renaming, setRenaming] = useState(false);
  const title = meta.title || 'Untitled';

  const open = () => {
    actions.session({ dialog: null });
    if (!current) void actions.openConversation(meta.id);
  };
  return (
    <li className={styles.item} data-current={current}>
      {renaming ? (
        <TitleField
          title={title}
          onDone={(name) => {
            setRenaming(false);
            if (name !== null) void actions.renameConversation(meta.id, name);
          }}
        />
      ) : (
        <>
          <button type="button" className={styles.open} aria-current={current ? 'true' : undefined} onClick={open}>
            <span className={styles.title}>{title}</span>
            <span className={styles.facts}>
              {counted(meta.turns, 'turn')} · {timeAgo(meta.updatedAt, Date.now())}
            </span>
          </button>
          <IconButton size="small" label={`Rename ${title}`} icon={Pencil} onClick={() => setRenaming(true)} />
          <IconButton
            size="small"
            label={`Delete ${title}`}
            icon={Trash2}
            onClick={() => void actions.deleteConversation(meta.id)}
          />
        </>
      )}
    </li>
  );
};
