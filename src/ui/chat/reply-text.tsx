import { lazy, Suspense } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import styles from './turn.module.css';

/** Asked for at once and not waited for: until it is here, a reply reads as plain text. */
const loading = import('./markdown.tsx').then((module) => ({ default: module.Markdown }));
const Markdown = lazy(() => loading);

export const ReplyText = ({ text, streaming }: { text: string; streaming: boolean }) => (
  <div className={styles.replyText} data-streaming={streaming}>
    <ErrorBoundary fallback={<p className={styles.plain}>{text}</p>}>
      <Suspense fallback={<p className={styles.plain}>{text}</p>}>
        <Markdown text={text} streaming={streaming} />
      </Suspense>
    </ErrorBoundary>
  </div>
);
