import { useVirtualizer } from '@tanstack/react-virtual';
import { EyeOff } from 'lucide-react';
import { Fragment, memo, type RefObject, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { SearchExcerpt } from '../../app/search-words.ts';
import { errorMessage } from '../../engine/model-failure.ts';
import { useActions, useAppState, usePart } from '../../ui/app-context.ts';
import type { CommandContext } from '../../ui/commands/command.ts';
import type { FeatureDialogProps } from '../../ui/commands/feature.ts';
import { Finder, FinderOption } from '../../ui/commands/finder.tsx';
import { counted, similarity, timeAgo } from '../../ui/parts/format.ts';
import { TopicDot } from '../../ui/parts/text.tsx';
import { goToTurn } from '../../ui/shell/commands/go-commands.ts';
import { type Hit, openSearch, type SearchResults } from './search.ts';
import styles from './search-dialog.module.css';

/** Height of a result, in pixels; must match search-dialog.module.css. */
const ROW = 76;

/** Finds turns of all conversations, by words and by meaning. */
export const SearchDialog = ({ with: initial, onClose }: FeatureDialogProps<string>) => {
  const actions = useActions();
  const state = useAppState();
  const [query, setQuery] = useState(initial ?? '');
  const [active, setActive] = useState(0);
  const { found, of, busy, failure } = useSearch(query);
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);

  const hits = found?.hits ?? [];
  const at = Math.min(active, hits.length - 1);
  // Until then the results of what was typed before are shown.
  const isReady = of === query && (hits.length > 0 || !busy);
  const rows = useVirtualizer({
    count: hits.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 6,
    scrollPaddingEnd: 8,
  });
  const hold = useHeld(hits, at, scroller, setActive);
  const point = (index: number) => {
    setActive(index);
    hold(index);
  };
  const walk = (index: number) => {
    point(index);
    rows.scrollToIndex(index);
  };
  const choose = (index: number, how: 'keys' | 'pointer') => {
    // Enter is for the words that are typed, as in the palette.
    if (how === 'keys' && !isReady) return 'later';
    const hit = hits[index];
    return hit === undefined ? null : () => void openHit({ actions, state }, hit);
  };
  const words = found === null ? '' : resultSummary(found, busy);
  // The active row must be mounted to be referenced.
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
        hold(null);
        if (hits.length > 0) rows.scrollToIndex(0);
      }}
      listId={id}
      activeId={activeShown ? `${id}-${at}` : undefined}
      count={hits.length}
      active={at}
      onActive={walk}
      isReady={isReady}
      choose={choose}
      onClose={onClose}
      status={busy ? '' : words}
      foot={
        failure !== null ? (
          <span role="alert" className={styles.failure}>
            Search failed: {failure} Change the query to try again.
          </span>
        ) : (
          <span>
            {words ||
              'Finds all words in any order, or exact phrases “in quotes”. Results with similar meaning follow.'}
          </span>
        )
      }
    >
      {(pick) => (
        <div
          ref={scroller}
          className={styles.scroller}
          data-busy={busy}
          onScroll={({ currentTarget: { scrollTop } }) => {
            const [first, last] = [Math.round(scrollTop / ROW), scrollTop / ROW + rowsIn(scroller.current) - 1];
            if (scrollTop > 0 && (at < first || at > last)) hold(first);
          }}
        >
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
                    key={keyOf(hit)}
                    id={`${id}-${index}`}
                    hit={hit}
                    place={{ index, of: hits.length, top: start }}
                    selected={index === at}
                    onPoint={() => point(index)}
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

const keyOf = ({ conversationId, nodeId }: Hit): string => `${conversationId} ${nodeId}`;
const rowsIn = (scroller: HTMLElement | null): number => (scroller?.clientHeight ?? 0) / ROW;

/**
 * Keeps the row that the user points at, or has scrolled to, at its place on screen while further results are inserted
 * before it. Returns a setter for that row's index; null releases it.
 */
const useHeld = (
  hits: readonly Hit[],
  active: number,
  scroller: RefObject<HTMLElement | null>,
  setActive: (index: number) => void,
): ((index: number | null) => void) => {
  const held = useRef<{ key: string; index: number } | null>(null);
  useLayoutEffect(() => {
    const { key, index } = held.current ?? { key: '', index: -1 };
    const now = held.current === null ? -1 : hits.findIndex((hit) => keyOf(hit) === key);
    if (now < 0 || now === index) return;
    held.current = { key, index: now };
    if (active === index) setActive(now);
    if (scroller.current !== null) scroller.current.scrollTop += (now - index) * ROW;
  }, [hits, active, scroller, setActive]);
  return (index) => {
    const hit = index === null ? undefined : hits[index];
    held.current = hit === undefined || index === null ? null : { key: keyOf(hit), index };
  };
};

interface Props {
  readonly id: string;
  readonly hit: Hit;
  readonly place: { readonly index: number; readonly of: number; readonly top: number };
  readonly selected: boolean;
  readonly onPoint: () => void;
  readonly onPick: () => void;
}

const FROM = { message: '', reply: 'Reply: ', summary: 'Summary: ', note: 'Note: ', file: 'File: ' } as const;

/** A turn that was found: its location and an excerpt. */
const HitOption = memo(({ hit, place, ...rest }: Props) => {
  const excerpt = useExcerpt(hit);
  return (
    <FinderOption
      {...rest}
      aria-setsize={place.of}
      aria-posinset={place.index + 1}
      className={styles.hit}
      style={{ transform: `translateY(${place.top}px)` }}
    >
      <p className={styles.crumbs}>
        <span className={styles.crumb} dir="auto">
          {hit.conversation}
        </span>
        <span aria-hidden>›</span>
        <TopicDot order={hit.topicOrder} />
        <span className={styles.crumb} dir="auto">
          {hit.topic}
        </span>
        <span aria-hidden>›</span>
        <b>Turn {hit.number}</b>
        {hit.hidden && (
          <span className={styles.hidden}>
            <EyeOff size={12} aria-hidden /> hidden
          </span>
        )}
        <span className={styles.when}>
          {hit.similarity === null ? timeAgo(hit.at, Date.now()) : `near in meaning, ${similarity(hit.similarity)}`}
        </span>
      </p>
      <p className={styles.excerpt} dir="auto">
        {/* Its own direction, so that the excerpt's words alone set that of the line. */}
        <span dir="ltr">{FROM[hit.where]}</span>
        {excerpt !== null && <Marked excerpt={excerpt} />}
      </p>
    </FinderOption>
  );
});

/** null while loading. */
const useExcerpt = (hit: Hit): SearchExcerpt | null => {
  const given = useMemo(() => hit.excerpt(), [hit]);
  const [read, setRead] = useState<{ readonly of: Hit; readonly excerpt: SearchExcerpt } | null>(null);
  useEffect(() => {
    if (!(given instanceof Promise)) return;
    let gone = false;
    const show = (excerpt: SearchExcerpt) => {
      if (!gone) setRead({ of: hit, excerpt });
    };
    given.then(show, (error: unknown) => show({ text: errorMessage(error), marks: [] }));
    return () => {
      gone = true;
    };
  }, [hit, given]);
  if (given instanceof Promise) return read?.of === hit ? read.excerpt : null;
  return given;
};

const Marked = ({ excerpt: { text, marks } }: { excerpt: SearchExcerpt }) => {
  let end = 0;
  const parts = marks.map(([from, to]) => {
    const before = text.slice(end, from);
    end = to;
    return (
      <Fragment key={from}>
        {before}
        <mark>{text.slice(from, to)}</mark>
      </Fragment>
    );
  });
  return (
    <>
      {parts}
      {text.slice(end)}
    </>
  );
};

/** Delay after a keystroke before searching, in milliseconds, so that fast typing shows no results for half a word. */
const PAUSE = 30;

interface SearchState {
  /** The results of the last query; null before the first. */
  readonly found: SearchResults | null;
  /** That query. */
  readonly of: string;
  readonly busy: boolean;
  /** Why the search failed, in words. */
  readonly failure: string | null;
}

/** A search that failed: what it found before that stays. Results for other words go, for Enter would not open them. */
export const failedSearch = (before: SearchState, query: string, failure: string): SearchState => ({
  found: before.of === query ? before.found : null,
  of: query,
  busy: false,
  failure,
});

/** Searches as the query is typed. A new query aborts the previous search. */
const useSearch = (query: string): SearchState => {
  const part = usePart();
  const [searching, setSearching] = useState<SearchState>({ found: null, of: '', busy: false, failure: null });

  const isEmpty = query.trim() === '';
  useEffect(() => {
    if (!isEmpty) return;
    const controller = new AbortController();
    // A failure is reported when the user searches.
    part(openSearch)
      .then((search) => search.warm(controller.signal))
      .catch(() => undefined);
    return () => controller.abort();
  }, [isEmpty, part]);

  useEffect(() => {
    if (query.trim() === '') {
      setSearching({ found: null, of: query, busy: false, failure: null });
      return;
    }
    const controller = new AbortController();
    const { signal } = controller;
    setSearching((before) => ({ ...before, busy: true, failure: null }));
    const show = (found: SearchResults) => {
      if (!signal.aborted) setSearching({ found, of: query, busy: !found.done, failure: null });
    };
    const timer = setTimeout(() => {
      const looking = part(openSearch).then((search) => search.find(query, signal, show));
      looking.then(show, (error: unknown) => {
        if (signal.aborted) return;
        const words = errorMessage(error);
        setSearching((before) => failedSearch(before, query, words));
      });
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [query, part]);

  return searching;
};

/** Opens the conversation of a found turn and goes to the turn. */
const openHit = async (reach: CommandContext, { conversationId, nodeId }: Hit): Promise<void> => {
  const { actions, state } = reach;
  if (state().conversationId !== conversationId) await actions.openConversation(conversationId);
  // It could not be opened, and the reason is already shown.
  if (state().conversationId !== conversationId) return;
  goToTurn(reach, nodeId);
};

/** Summarises a search in one line: the number of results, and what could not be searched. */
export const resultSummary = (found: SearchResults, busy: boolean): string => {
  const { hits, total, turns, wordsOnly, meaningFailed, unread } = found;
  const much =
    total === 0
      ? `Nothing in ${counted(turns, 'turn')}${busy ? ' so far' : ''}`
      : `${counted(total, 'turn')}${hits.length < total ? `, the first ${hits.length} shown` : ''}`;
  const parts = [much];
  if (wordsOnly !== null && wordsOnly > 0) {
    parts.push(`${counted(wordsOnly, 'turn')} searched by words only; open the conversation to search by meaning, too`);
  }
  if (meaningFailed !== null)
    parts.push(`searched by words only, because meaning could not be compared: ${meaningFailed}`);
  if (unread > 0) parts.push(`${counted(unread, 'conversation')} could not be read`);
  return `${parts.join('; ').replace(/\.$/, '')}.`;
};
