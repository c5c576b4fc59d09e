import { lazy, Suspense } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { spokenOf } from '../../domain/reasoning.ts';
import { Reasoning } from './reasoning.tsx';
import styles from './turn.module.css';

/** Asked for at once and not waited for: until it is here, a reply reads as plain text. */
const loading = import('./markdown.tsx').then((module) => ({ default: module.Markdown }));
const Markdown = lazy(() => loading);

/** A reply's answer, after what was thought before it. */
export const ReplyText = ({ text, streaming }: { text: string; streaming: boolean }) => {
  const { reasoning, answer, thinking } = spokenOf(text);
  return (
    <>
      {reasoning !== null && <Reasoning text={reasoning} thinking={thinking && streaming} />}
      {answer !== '' && (
        <div className={styles.replyText} data-streaming={streaming}>
          <ErrorBoundary resetKeys={[streaming]} fallback={<p className={styles.plain}>{answer}</p>}>
            <Suspense fallback={<p className={styles.plain}>{answer}</p>}>
              <Markdown text={answer} streaming={streaming} />
            </Suspense>
          </ErrorBoundary>
        </div>
      )}
    </>
  );
};
