import { Languages, X } from 'lucide-react';
import { useState } from 'react';
import { GLOSSED } from '../../engine/text/glossed-languages.ts';
import { useActions, useApp } from '../app-context.ts';
import { IconButton } from '../parts/button.tsx';
import { spokenName, spokenNames } from '../parts/format.ts';
import { useReach } from '../parts/hooks.ts';
import styles from './language-line.module.css';
import { isNoted, note } from './language-noted.ts';

/** Tells, once a conversation, that the embedder does not know the language that is spoken. */
export const LanguageLine = () => {
  const conversationId = useApp((state) => state.conversationId);
  const past = useApp((state) => state.past !== null);
  // Another conversation has its own say.
  return past ? null : <Line key={conversationId} conversationId={conversationId} />;
};

const Line = ({ conversationId }: { conversationId: string }) => {
  const { session } = useActions();
  const { embedder, languages, beyond } = useReach();
  const [gone, setGone] = useState(() => isNoted(conversationId));
  if (gone || beyond === null || languages === null) return null;
  return (
    <div role="note" aria-label="Language" className={styles.line}>
      <Languages size={14} aria-hidden />
      <p>
        You write in {spokenName(beyond)}, and {embedder} knows {spokenNames(languages)} only:{' '}
        {GLOSSED.has(beyond)
          ? 'your words are looked up in a small glossary to compare them, which is rough.'
          : 'similarity means little here, shared words and the shape of the conversation decide.'}{' '}
        <button
          type="button"
          className={styles.link}
          onClick={() => session({ dialog: 'models', modelsPage: 'embed' })}
        >
          Choose another embedder
        </button>
      </p>
      <IconButton
        size="small"
        label="Understood: do not tell again here"
        icon={X}
        onClick={() => {
          note(conversationId);
          setGone(true);
        }}
      />
    </div>
  );
};
