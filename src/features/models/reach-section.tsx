import type { Role } from '../../domain/decision.ts';
import { GLOSSED } from '../../engine/text/glossed-languages.ts';
import { useActions } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { spokenName, spokenNames } from '../../ui/parts/format.ts';
import { useReach } from '../../ui/parts/hooks.ts';
import styles from './models.module.css';

/** Which languages texts are compared in, and what that means for the open conversation. */
export const ReachSection = ({ role }: { role: Extract<Role, 'embed' | 'decide'> }) => {
  const { embedder, languages, beyond } = useReach();
  const { session } = useActions();
  if (languages === null) return null;
  return (
    <section className={styles.block} aria-label="Languages">
      <p className={styles.note}>
        {role === 'embed'
          ? `${embedder} knows ${spokenNames(languages)} only.`
          : `How alike texts are it is told by ${embedder}, which knows ${spokenNames(languages)} only.`}
      </p>
      {beyond !== null && (
        <>
          <p className={styles.note}>
            <b>This conversation is in {spokenName(beyond)}.</b>{' '}
            {GLOSSED.has(beyond)
              ? 'A glossary of everyday words puts it into English, word by word, only to compare it: that is rough, and the words that turns share and the shape of the conversation weigh more.'
              : 'Similarity means little there: the words that turns share and the shape of the conversation decide.'}{' '}
            {role === 'embed' && 'An embedder of many languages, among those below, compares it better.'}
          </p>
          {role === 'decide' && (
            <p className={styles.note}>
              <Button size="small" onClick={() => session({ modelsPage: 'embed' })}>
                Choose another embedder
              </Button>
            </p>
          )}
        </>
      )}
    </section>
  );
};
