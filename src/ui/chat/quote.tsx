import { Copy, MessageSquareQuote, StickyNote } from 'lucide-react';
import { useEffect, useState } from 'react';
import { paneInView, type Session, shownForest } from '../../app/state.ts';
import type { NodeId } from '../../domain/forest.ts';
import { clamp } from '../../domain/numbers.ts';
import { useActions, useAppState, useShowsPast } from '../app-context.ts';
import type { CommandContext } from '../commands/command.ts';
import { Button, useCopy } from '../parts/button.tsx';
import { asQuote } from '../parts/format.ts';
import styles from './conversation.module.css';

/** Gap between a selection and the bar below it, and between the bar and the edge of the page, in pixels. */
const APART = 8;
/** Size of the bar, in pixels. */
const WIDTH = 300;
const HEIGHT = 48;
/** A selection counts once it has been unchanged for this long, in milliseconds. */
const REST = 150;

/** Actions on words selected in a turn, next to the selection. */
export const QuoteBar = () => {
  const actions = useActions();
  const state = useAppState();
  const readOnly = useShowsPast();
  const [quote, setQuote] = useState<ReturnType<typeof selectedQuote>>(null);
  const { copy } = useCopy();

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const changed = () => {
      clearTimeout(timer);
      timer = setTimeout(() => setQuote(selectedQuote()), REST);
    };
    const pressed = (event: KeyboardEvent) => event.key === 'Escape' && setQuote(null);
    // Also while a reply grows and the chat keeps to its end: the bar stays with its words, but once closed it stays closed.
    const scrolled = () => setQuote((before) => before && selectedQuote());
    document.addEventListener('selectionchange', changed);
    document.addEventListener('keydown', pressed);
    document.addEventListener('copy', copyWithSources);
    document.addEventListener('scroll', scrolled, { capture: true, passive: true });
    return () => {
      clearTimeout(timer);
      document.removeEventListener('selectionchange', changed);
      document.removeEventListener('keydown', pressed);
      document.removeEventListener('copy', copyWithSources);
      document.removeEventListener('scroll', scrolled, { capture: true });
    };
  }, []);

  if (quote === null || !quote.inView) return null;
  const below = quote.box.bottom + APART;
  const top = below + HEIGHT < innerHeight ? below : Math.max(APART, quote.box.top - HEIGHT - APART);
  const left = clamp(quote.box.left, APART, innerWidth - WIDTH - APART);
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
      // Keeps the selection while a button is pressed.
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

/** Selected words of one turn. */
interface Quote {
  readonly nodeId: NodeId;
  readonly words: string;
}

const elementOf = (node: Node | null): Element | null =>
  node instanceof Element ? node : (node?.parentElement ?? null);

/** The selection in the conversation; null if there is none, or if it spans more than one turn. */
export const selectedQuote = (): (Quote & { readonly box: DOMRect; readonly inView: boolean }) | null => {
  const selection = getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const turn = elementOf(range.startContainer)?.closest<HTMLElement>('[role="log"] [data-turn]');
  // A triple-click selection ends at the start of the next block, before any of its words.
  const words = wordsOf(range, selection);
  if (turn == null || words === '') return null;
  if (range.endOffset > 0 && !turn.contains(range.endContainer)) return null;
  const box = range.getBoundingClientRect();
  const view = turn.closest(`.${styles.scroller}`)?.getBoundingClientRect();
  const inView = view === undefined || (box.bottom > view.top && box.top < view.bottom);
  return { nodeId: turn.dataset.turn ?? '', words, box, inView };
};

/** The words of a range, with formulas as their source. */
const wordsOf = (range: Range, selection: Selection): string =>
  (withSources(range)?.textContent ?? selection.toString()).trim();

/** A copy of a range with formulas as their source, since KaTeX renders their letters twice; null if there are none in it. */
const withSources = (range: Range): HTMLElement | null => {
  const part = document.createElement('div');
  part.append(range.cloneContents());
  const formulas = part.querySelectorAll('.katex');
  if (formulas.length === 0) return null;
  for (const formula of formulas) {
    const tex = formula.querySelector('annotation')?.textContent;
    const sign = formula.closest('.katex-display') === null ? '$' : '$$';
    if (tex != null) formula.replaceWith(`${sign}${tex}${sign}`);
  }
  return part;
};

/** Copies words of the conversation with their formulas as source. */
const copyWithSources = (event: ClipboardEvent): void => {
  const selection = getSelection();
  const isInField = event.target instanceof Element && event.target.closest('input, textarea') !== null;
  if (isInField || event.clipboardData === null || selection === null || selection.rangeCount === 0) return;
  const range = selection.getRangeAt(0);
  if (elementOf(range.commonAncestorContainer)?.closest('[role="log"]') == null) return;
  const copied = withSources(range);
  if (copied === null) return;
  // Only what is laid out has lines.
  copied.style.cssText = 'position:fixed;inset-inline-start:-200vw';
  document.body.append(copied);
  event.clipboardData.setData('text/plain', copied.innerText);
  event.clipboardData.setData('text/html', copied.innerHTML);
  copied.remove();
  event.preventDefault();
};

/** Makes the next message continue from the turn, with the words quoted before the existing draft. */
export const askAbout = ({ actions, state }: CommandContext, { nodeId, words }: Quote): void => {
  const { session } = state();
  actions.forkFrom(nodeId);
  actions.session({
    draft: `${asQuote(words)}\n\n${session.draft}`,
    ...paneInView('chat', session),
  });
  getSelection()?.removeAllRanges();
  requestAnimationFrame(() => {
    const field = document.querySelector<HTMLTextAreaElement>('#message');
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  });
};

/**
 * Adds the words to the turn's note, and opens it for editing. If it is being edited in the inspector, or cannot be saved
 * now, they are added there.
 */
export const noteWords = async ({ actions, state }: CommandContext, { nodeId, words }: Quote): Promise<void> => {
  const withWords = (note: string) => [...(note === '' ? [] : [note]), `“${words}”`].join('\n');
  const isNote = (one: Session['writing'][number]) => one.nodeId === nodeId && one.what === 'note';
  const note = shownForest(state()).nodes[nodeId]?.note ?? '';
  const begun = state().session.writing.some(isNote);
  const kept = !begun && (await actions.noteTurn(nodeId, withWords(note)));
  if (shownForest(state()).nodes[nodeId] === undefined) return;
  getSelection()?.removeAllRanges();
  actions.select(nodeId);
  if (kept) return actions.session({ dialog: 'note' });
  const { writing } = state().session;
  const text = withWords(writing.find(isNote)?.text.trimEnd() ?? note);
  actions.session({ writing: [...writing.filter((one) => !isNote(one)), { nodeId, what: 'note', text }] });
  actions.showInspector('turn');
};
