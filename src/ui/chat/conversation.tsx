import { ArrowDown } from 'lucide-react';
import { lazy, Suspense, useCallback, useRef, useState } from 'react';
import { pendingTurn } from '../../domain/queries.ts';
import { useApp } from '../app-context.ts';
import { IconButton } from '../parts/button.tsx';
import { useShownForest } from '../parts/hooks.ts';
import styles from './conversation.module.css';
import { useStickToBottom } from './conversation-scroll.ts';
import { Welcome } from './welcome.tsx';

/** Asked for at once: the page is painted, and the log read, before it is here. */
const loading = import('./turn-list.tsx').then((module) => ({ default: module.TurnList }));
const TurnList = lazy(() => loading);

/** The conversation, read from top to bottom: the active path, or everything. */
export const Conversation = () => {
  const forest = useShownForest();
  const conversationId = useApp((state) => state.conversationId);
  const readOnly = useApp((state) => state.past !== null);
  const busy = useApp((state) => state.turn !== null);
  const opening = useApp((state) => state.phase === 'opening');
  const reading = useApp((state) => state.session.reading);

  const pending = pendingTurn(forest);
  const empty = forest.active === null && pending === null;
  const scroller = useRef<HTMLDivElement>(null);
  // The list asks for what it scrolls in as it is mounted, and React gives a parent's ref after that.
  const [placed, setPlaced] = useState(false);
  const place = useCallback((element: HTMLDivElement | null) => {
    scroller.current = element;
    setPlaced(element !== null);
  }, []);
  // Where everything is read, going elsewhere in the forest changes nothing of the text.
  const end = useRef(forest.active?.nodeId);
  if (reading === 'path') end.current = forest.active?.nodeId;
  const stick = useStickToBottom(scroller, `${conversationId} ${end.current} ${pending?.id}`, !empty);

  return (
    <div className={styles.place}>
      <div ref={place} className={styles.scroller} tabIndex={-1}>
        <div>
          {empty && !opening && !readOnly && <Welcome />}
          <div role="log" aria-label="Conversation" aria-busy={busy} className={empty ? styles.empty : styles.log}>
            {!empty && placed && (
              <Suspense fallback={null}>
                <TurnList
                  key={conversationId}
                  forest={forest}
                  reading={reading}
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
          className={styles.toEnd ?? ''}
          label="Jump to latest"
          icon={ArrowDown}
          onClick={stick.toEnd}
        />
      )}
    </div>
  );
};
