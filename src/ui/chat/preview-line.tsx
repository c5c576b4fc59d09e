import { Eye } from 'lucide-react';
import type { ReactNode } from 'react';
import type { DraftPreview } from '../../app/draft-preview.ts';
import { useActions, useApp } from '../app-context.ts';
import { IconButton } from '../parts/button.tsx';
import { count, similarity } from '../parts/format.ts';
import { PHONE } from '../shell/use-media.ts';
import styles from './preview-line.module.css';
import { whyOf, whyWords } from './why.ts';

/** What would be sent for the draft, and the way to see where it would go and why; without a draft, its children. */
export const PreviewLine = ({ children }: { children: ReactNode }) => {
  const preview = useApp((state) => state.preview);
  const { session, select, previewDraft } = useActions();
  const folded = useApp((state) => state.session.folded);
  if (preview === null) return children;
  const { phase, shown, asks } = preview;
  if (phase === 'on-request') {
    return (
      <button type="button" className={styles.ask} onClick={() => void previewDraft()}>
        Ask {asks ?? 'the models'} where it would go
      </button>
    );
  }
  if (shown === null) return phase === 'waiting' && asks === null ? children : <Waiting preview={preview} />;
  const explain = () => {
    // With nothing selected the inspector shows the preview.
    select(null);
    session({
      tab: 'decision',
      folded: folded.filter((pane) => pane !== 'inspector'),
      ...(matchMedia(PHONE).matches ? { pane: 'inspector' as const } : {}),
    });
  };
  return (
    <>
      <span className={styles.tokens} data-stale={phase !== 'shown' || undefined}>
        · {count(shown.context.tokens)} tokens
        {asks !== null && phase === 'asking' && ` · asking ${asks}`}
      </span>
      <IconButton
        size="small"
        className={styles.why ?? ''}
        label="Preview: why it would go there"
        icon={Eye}
        onClick={explain}
      />
    </>
  );
};

/** Where a previewed turn goes, as it would say under its message. */
export const placeWords = ({ forest, node }: NonNullable<DraftPreview['shown']>): string => {
  const why = whyOf(forest, node);
  const near = why.similarity === null ? '' : ` · similarity ${similarity(why.similarity)}`;
  return `${wouldWords(whyWords(why))}${near}`;
};

const wouldWords = (words: string): string =>
  words.replace('went on here', 'goes on here').replace('returned', 'returns').replace('switched', 'switches');

const Waiting = ({ preview: { phase, asks, why } }: { preview: DraftPreview }) => {
  if (phase === 'failed') return <span className={styles.tokens}>· no preview: {why}</span>;
  return (
    <span className={styles.tokens}>
      · {phase === 'asking' ? `asking ${asks ?? 'where it would go'}…` : `asks ${asks} when you pause`}
    </span>
  );
};
