import { useEffect, useState } from 'react';
import { useActions } from '../../ui/app-context.ts';
import type { Found } from './search.ts';

/** Milliseconds without a keystroke before it looks: nobody needs what is found for half a word. */
const PAUSE = 120;

interface Searching {
  /** What was found for the query that was asked last; null before the first. */
  readonly found: Found | null;
  readonly busy: boolean;
  /** Why it could not be done, in words. */
  readonly failure: string | null;
}

/** Looks for a query as it is written. Another query ends the search for the one before. */
export const useSearch = (query: string): Searching => {
  const { search } = useActions();
  const [searching, setSearching] = useState<Searching>({ found: null, busy: false, failure: null });

  useEffect(() => {
    if (query.trim() === '') {
      setSearching({ found: null, busy: false, failure: null });
      return;
    }
    const controller = new AbortController();
    const { signal } = controller;
    setSearching(({ found }) => ({ found, busy: true, failure: null }));
    const show = (found: Found) => {
      if (!signal.aborted) setSearching({ found, busy: !found.done, failure: null });
    };
    const timer = setTimeout(() => {
      search(query, signal, show).then(show, (error: unknown) => {
        if (signal.aborted) return;
        const words = error instanceof Error ? error.message : String(error);
        setSearching(({ found }) => ({ found, busy: false, failure: words }));
      });
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [query, search]);

  return searching;
};
