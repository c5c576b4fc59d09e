import { ChevronDown, Pencil } from 'lucide-react';
import { useState } from 'react';
import { shownForest } from '../../app/state.ts';
import { conversationTitle } from '../../domain/queries.ts';
import { useActions, useApp } from '../app-context.ts';
import { IconButton } from '../parts/button.tsx';
import { counted } from '../parts/format.ts';
import styles from './header.module.css';
import { TitleField } from './title-field.tsx';

/** The open conversation's name, which opens the list of all of them, and how large it has grown. */
export const ConversationName = () => {
  const actions = useActions();
  const id = useApp((state) => state.conversationId);
  const title = useApp((state) => conversationTitle(shownForest(state)));
  const turns = useApp((state) => shownForest(state).turnCount);
  const topics = useApp((state) => Object.keys(shownForest(state).trees).length);
  const listed = useApp((state) => state.session.dialog === 'conversations');
  const [renaming, setRenaming] = useState(false);

  if (renaming) {
    return (
      <TitleField
        title={title}
        onDone={(name) => {
          setRenaming(false);
          if (name !== null) void actions.renameConversation(id, name);
        }}
      />
    );
  }
  return (
    <div className={styles.name}>
      <button
        type="button"
        className={styles.title}
        aria-expanded={listed}
        data-opens-conversations
        onClick={() => actions.session({ dialog: listed ? null : 'conversations' })}
      >
        <span className={styles.titleText}>{turns === 0 ? 'Untitled' : title}</span>
        <ChevronDown size={14} aria-hidden />
      </button>
      {turns > 0 && (
        <>
          <span className={styles.size}>
            {topics > 0 && `${counted(topics, 'topic')}, `}
            {counted(turns, 'turn')}
          </span>
          <IconButton
            size="small"
            className={styles.rename ?? ''}
            label="Rename"
            icon={Pencil}
            onClick={() => setRenaming(true)}
          />
        </>
      )}
    </div>
  );
};
