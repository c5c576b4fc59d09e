import { Copy, MessageSquareQuote, StickyNote } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useActions, useApp, useAppState } from '../app-context.ts';
import { Button, useCopy } from '../parts/button.tsx';
import styles from './conversation.module.css';
import { askAbout, noteWords, selectedQuote } from './quote.ts';

/** Between a selection and the bar under it, and between the bar and the edge of the page, in pixels. */
const APART = 8;
/** Room that the bar takes, in pixels. */
const WIDTH = 300;
const HEIGHT = 48;
/** A selection is one once it has not changed for so long, in milliseconds. */
const REST = 150;

/** What can be done with words that are selected in a turn, beside them. */
export const QuoteBar = () => {
  const actions = useActions();
  const state = useAppState();
  const readOnly = useApp((app) => app.past !== null);
  const [quote, setQuote] = useState<ReturnType<typeof selectedQuote>>(null);
  const { copy } = useCopy();

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const changed = () => {
      clearTimeout(timer);
      timer = setTimeout(() => setQuote(selectedQuote()), REST);
    };
    const pressed = (event: KeyboardEvent) => event.key === 'Escape' && setQuote(null);
    const gone = () => setQuote(null);
    document.addEventListener('selectionchange', changed);
    document.addEventListener('keydown', pressed);
    document.addEventListener('scroll', gone, { capture: true, passive: true });
    return () => {
      clearTimeout(timer);
      document.removeEventListener('selectionchange', changed);
      document.removeEventListener('keydown', pressed);
      document.removeEventListener('scroll', gone, { capture: true });
    };
  }, []);

  if (quote === null) return null;
  const below = quote.box.bottom + APART;
  const top = below + HEIGHT < innerHeight ? below : Math.max(APART, quote.box.top - HEIGHT - APART);
  const left = Math.max(APART, Math.min(quote.box.left, innerWidth - WIDTH - APART));
  const done = (act: () => void) => () => {
    setQuote(null);
    act();
  };
  return (
    <div
      role="toolbar"
      aria-label="Selected words"
      className={styles.quoteBar}
      style={{ top, left }}
      // The words stay selected while a button is pressed.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
    >
      {!readOnly && (
        <>
          <Button look="quiet" size="small" onClick={done(() => askAbout({ actions, state }, quote))}>
            <MessageSquareQuote size={14} aria-hidden />
            Ask about this
          </Button>
          <Button look="quiet" size="small" onClick={done(() => void noteWords({ actions, state }, quote))}>
            <StickyNote size={14} aria-hidden />
            Note
          </Button>
        </>
      )}
      <Button look="quiet" size="small" onClick={done(() => void copy(quote.words))}>
        <Copy size={14} aria-hidden />
        Copy
      </Button>
    </div>
  );
};
