import { Fragment, useMemo } from 'react';
import { shownForest } from '../../app/state.ts';
import { activePath } from '../../domain/queries.ts';
import { useActions, useApp } from '../app-context.ts';
import { RadioSegments } from '../parts/fields.tsx';
import { TopicDot } from '../parts/text.tsx';
import { LanguageLine, PastBar, ReplayBar } from './bars.tsx';
import styles from './chat-pane.module.css';
import { Composer } from './composer.tsx';
import { Conversation } from './conversation.tsx';
import { crumbsOf } from './linear.ts';

export const ChatPane = () => (
  <section aria-label="Chat" data-pane="chat" tabIndex={-1} className={styles.chat}>
    <ReadingBar />
    <Conversation />
    <ReplayBar />
    <PastBar />
    <LanguageLine />
    <Composer />
  </section>
);

const READINGS = [
  { value: 'path' as const, label: 'This path' },
  { value: 'everything' as const, label: 'Everything' },
];

/** Where the conversation is, and what of it is read. */
const ReadingBar = () => {
  const { session } = useActions();
  const reading = useApp((state) => state.session.reading);
  const empty = useApp((state) => shownForest(state).turnCount === 0);
  if (empty) return null;
  return (
    <div className={styles.bar}>
      <Breadcrumb />
      <RadioSegments
        label="Reading"
        options={READINGS}
        value={reading}
        onChange={(next) => session({ reading: next })}
      />
    </div>
  );
};

/** Where in the forest the conversation is: its topic and the forks on the way. */
const Breadcrumb = () => {
  const { select } = useActions();
  const forest = useApp(shownForest);
  const crumbs = useMemo(() => crumbsOf(forest, activePath(forest)), [forest]);
  if (crumbs === null) return <span className={styles.crumbs} />;
  const { topic, forks, hidden } = crumbs;
  return (
    <nav aria-label="Path" className={styles.crumbs}>
      <TopicDot order={topic.order} />
      <button type="button" className={styles.crumb} onClick={() => select(topic.rootId)}>
        {topic.title}
      </button>
      {hidden > 0 && (
        <>
          <Separator />
          <span>{hidden === 1 ? '1 fork' : `${hidden} forks`}</span>
        </>
      )}
      {forks.map((node) => (
        <Fragment key={node.id}>
          <Separator />
          <button type="button" className={styles.crumb} onClick={() => select(node.id)}>
            {node.message}
          </button>
        </Fragment>
      ))}
    </nav>
  );
};

const Separator = () => (
  <span aria-hidden className={styles.separator}>
    ›
  </span>
);
