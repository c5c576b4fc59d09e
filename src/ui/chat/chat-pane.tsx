import { ArrowDown } from 'lucide-react';
import { Fragment, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { shownForest } from '../../app/state.ts';
import { activePath, pendingTurn } from '../../domain/queries.ts';
import { useActions, useApp, useShownForest, useShowsPast } from '../app-context.ts';
import { IconButton } from '../parts/button.tsx';
import { RadioSegments } from '../parts/fields.tsx';
import { counted } from '../parts/format.ts';
import { preloadedPart } from '../parts/lazy-parts.tsx';
import { TopicDot } from '../parts/text.tsx';
import { LanguageLine, PastBar, ReplayBar } from './chat-banners.tsx';
import styles from './chat-pane.module.css';
import { Composer } from './composer.tsx';
import stylesOfLog from './conversation.module.css';
import { useStickToBottom } from './conversation-scroll.ts';
import { crumbsOf, type ReadText, textRead } from './reading-rows.ts';
import { Welcome } from './welcome.tsx';

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

/** Where the conversation is, and which reading of it is shown. */
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

/** Where in the forest the conversation is: its topic and the forks along the way. */
const Breadcrumb = () => {
  const { select } = useActions();
  const forest = useApp(shownForest);
  const crumbs = useMemo(() => crumbsOf(forest, activePath(forest)), [forest]);
  if (crumbs === null) return <span className={styles.crumbs} />;
  const { topic, forks, hidden } = crumbs;
  return (
    <nav aria-label="Path" className={styles.crumbs}>
      <TopicDot order={topic.order} />
      <button type="button" className={styles.crumb} dir="auto" onClick={() => select(topic.rootId)}>
        {topic.title}
      </button>
      {hidden > 0 && (
        <>
          <Separator />
          <span>{counted(hidden, 'fork')}</span>
        </>
      )}
      {forks.map((node) => (
        <Fragment key={node.id}>
          <Separator />
          <button type="button" className={styles.crumb} dir="auto" onClick={() => select(node.id)}>
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

/** Requested immediately: the page is painted and the log read before it arrives. */
const TurnList = preloadedPart(async () => (await import('./turn-list.tsx')).TurnList);

/** The text that was last on the page. The chat may have been folded away since, or the page laid out anew. */
let lastRead: ReadText = { reading: 'path', activeId: null, pendingId: null, number: 0 };

/** The conversation from top to bottom: the active path, or everything. */
const Conversation = () => {
  const forest = useShownForest();
  const conversationId = useApp((state) => state.conversationId);
  const readOnly = useShowsPast();
  const busy = useApp((state) => state.turn !== null);
  const opening = useApp((state) => state.phase === 'opening');
  const reading = useApp((state) => state.session.reading);

  const empty = forest.active === null && pendingTurn(forest) === null;
  const scroller = useRef<HTMLDivElement>(null);
  // The list needs its scroller as it mounts, but React sets a parent's ref after that.
  const [placed, setPlaced] = useState(false);
  const place = useCallback((element: HTMLDivElement | null) => {
    scroller.current = element;
    setPlaced(element !== null);
  }, []);
  lastRead = textRead(lastRead, reading, forest);
  const text = `${conversationId} ${lastRead.number}`;
  const stick = useStickToBottom(scroller, text, !empty);

  return (
    <div className={stylesOfLog.place}>
      <div ref={place} className={stylesOfLog.scroller} tabIndex={-1}>
        <div>
          {empty && !opening && !readOnly && <Welcome />}
          <div
            role="log"
            aria-label="Conversation"
            aria-busy={busy || opening}
            className={empty ? stylesOfLog.empty : stylesOfLog.log}
          >
            {!empty && placed && (
              <Suspense fallback={null}>
                <TurnList
                  key={conversationId}
                  forest={forest}
                  reading={reading}
                  text={text}
                  readOnly={readOnly}
                  scroller={scroller}
                  stick={stick}
                />
              </Suspense>
            )}
          </div>
        </div>
      </div>
      {stick.away && (
        <IconButton
          look="outline"
          className={stylesOfLog.toEnd ?? ''}
          label="Jump to latest"
          icon={ArrowDown}
          onClick={stick.toEnd}
        />
      )}
    </div>
  );
};
