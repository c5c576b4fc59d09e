import { lazy, Suspense } from 'react';
import styles from './turn.module.css';

/** Loaded after the page stands; until then a reply reads as plain text. */
const Markdown = lazy(() => import('./markdown.tsx').then((module) => ({ default: module.Markdown })));

export const ReplyText = ({ text, streaming }: { text: string; streaming: boolean }) => (
  <div className={styles.replyText} data-streaming={streaming}>
    <Suspense fallback={<p className={styles.plain}>{text}</p>}>
      <Markdown text={text} streaming={streaming} />
    </Suspense>
  </div>
);
