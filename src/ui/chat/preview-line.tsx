import { Eye } from 'lucide-react';
import type { DraftPreview } from '../../app/draft-preview.ts';
import { useActions, useApp } from '../app-context.ts';
import { count, similarity } from '../parts/numbers.ts';
import { PHONE } from '../shell/use-media.ts';
import styles from './preview-line.module.css';
import { whyOf, whyWords } from './why.ts';

/** Where the draft would go if it were sent now, and what would be sent for it; a click on it shows why. */
export const PreviewLine = () => {
  const preview = useApp((state) => state.preview);
  const { session, select, previewDraft } = useActions();
  const folded = useApp((state) => state.session.folded);
  if (preview === null) return null;
  const { phase, shown, asks } = preview;
  if (phase === 'on-request') {
    return (
      <p className={styles.line}>
        <button type="button" className={styles.words} onClick={() => void previewDraft()}>
          <Eye size={12} aria-hidden />
          Ask {asks ?? 'the models'} where this would go
        </button>
      </p>
    );
  }
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
    <p className={styles.line} data-stale={phase !== 'shown' || undefined}>
      {shown === null ? (
        <span>{waitingWords(preview)}</span>
      ) : (
        <>
          <button type="button" className={styles.words} aria-label={`Preview: ${placeWords(shown)}`} onClick={explain}>
            <Eye size={12} aria-hidden />
            <span className={styles.place}>{placeWords(shown)}</span>
          </button>
          <span className={styles.tokens}>
            {count(shown.context.tokens)} of {count(shown.context.fullHistoryTokens)} tokens
          </span>
          {asks !== null && phase === 'asking' && <span>asking {asks}</span>}
        </>
      )}
    </p>
  );
};

const placeWords = ({ forest, node }: NonNullable<DraftPreview['shown']>): string => {
  const why = whyOf(forest, node);
  const near = why.similarity === null ? '' : ` · similarity ${similarity(why.similarity)}`;
  return `${whyWords(why).replace('went on here', 'goes on here').replace('returned', 'returns').replace('switched', 'switches')}${near}`;
};

const waitingWords = ({ phase, asks, why }: DraftPreview): string => {
  if (phase === 'failed') return `Where this would go cannot be told: ${why}`;
  return asks === null ? 'Looking where this would go…' : `Asks ${asks} where this would go, once you pause`;
};
