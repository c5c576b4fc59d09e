import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useId, useRef, useState } from 'react';
import { useActions, useAppState } from '../../ui/app-context.ts';
import { Finder } from '../../ui/shell/commands/finder.tsx';
import { foundWords } from './found-words.ts';
import { HitOption } from './hit-option.tsx';
import { land } from './land.ts';
import styles from './search.module.css';
import { takeSeed } from './seed.ts';
import { useSearch } from './use-search.ts';

/** Height of a result, in pixels; search.module.css has the same. */
const ROW = 76;

/** Turns of all conversations, by words and by meaning. */
export const SearchDialog = ({ onClose }: { onClose: () => void }) => {
  const actions = useActions();
  const state = useAppState();
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const { found, busy, failure } = useSearch(query);
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);

  // After mounting, for it is taken once only.
  useEffect(() => {
    const seed = takeSeed();
    if (seed !== '') setQuery(seed);
  }, []);

  const hits = found?.hits ?? [];
  const at = Math.min(active, hits.length - 1);
  const rows = useVirtualizer({
    count: hits.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 6,
    scrollPaddingEnd: 8,
  });
  const walk = (index: number) => {
    setActive(index);
    rows.scrollToIndex(index);
  };
  const choose = (index: number) => {
    const hit = hits[index];
    return hit === undefined ? null : () => void land({ actions, state }, hit);
  };
  const words = found === null ? '' : foundWords(found, busy);
  // What is active must be mounted to be named.
  const mounted = rows.getVirtualItems();
  const activeShown = mounted.some(({ index }) => index === at);

  return (
    <Finder
      command="search"
      title="Search"
      placeholder="Search all conversations"
      query={query}
      onQuery={(next) => {
        setQuery(next);
        setActive(0);
        if (hits.length > 0) rows.scrollToIndex(0);
      }}
      listId={id}
      activeId={activeShown ? `${id}-${at}` : undefined}
      count={hits.length}
      active={at}
      onActive={walk}
      choose={choose}
      onClose={onClose}
      status={busy ? '' : words}
      foot={
        failure !== null ? (
          <span role="alert" className={styles.failure}>
            The search failed: {failure} Change the query to try again.
          </span>
        ) : (
          <span>{words || 'All words, in any order; “in quotes” as they stand. What is near in meaning follows.'}</span>
        )
      }
    >
      {(pick) => (
        <div ref={scroller} className={styles.scroller} data-busy={busy}>
          <div
            id={id}
            role="listbox"
            aria-label="Turns found"
            className={styles.list}
            style={{ height: rows.getTotalSize() }}
          >
            {mounted.map(({ index, start }) => {
              const hit = hits[index];
              return (
                hit !== undefined && (
                  <HitOption
                    key={`${hit.conversationId} ${hit.nodeId}`}
                    id={`${id}-${index}`}
                    hit={hit}
                    place={{ index, of: hits.length, top: start }}
                    selected={index === at}
                    onPoint={() => setActive(index)}
                    onPick={() => pick(index)}
                  />
                )
              );
            })}
          </div>
        </div>
      )}
    </Finder>
  );
};
