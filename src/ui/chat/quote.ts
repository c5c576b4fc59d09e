import { shownForest } from '../../app/state.ts';
import type { NodeId } from '../../domain/forest.ts';
import { quoted } from '../parts/format.ts';
import type { Reach } from '../shell/commands/command.ts';

/** Words of one turn that are selected on the page. */
export interface Quote {
  readonly nodeId: NodeId;
  readonly words: string;
}

const elementOf = (node: Node | null): Element | null =>
  node instanceof Element ? node : (node?.parentElement ?? null);

/** What is selected in the conversation; null where nothing is, or it reaches over more than one turn. */
export const selectedQuote = (): (Quote & { readonly box: DOMRect }) | null => {
  const selection = getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const turn = elementOf(range.startContainer)?.closest<HTMLElement>('[role="log"] [data-turn]');
  // What is selected by three clicks ends where the next block begins, before any of its words.
  const words = wordsOf(range, selection);
  if (turn == null || words === '') return null;
  if (range.endOffset > 0 && !turn.contains(range.endContainer)) return null;
  return { nodeId: turn.dataset.turn ?? '', words, box: range.getBoundingClientRect() };
};

/** The words of a range; a formula in it as it was written, for its letters are there twice. */
const wordsOf = (range: Range, selection: Selection): string => {
  const part = range.cloneContents();
  const formulas = part.querySelectorAll('.katex');
  if (formulas.length === 0) return selection.toString().trim();
  for (const formula of formulas) {
    const tex = formula.querySelector('annotation')?.textContent;
    if (tex != null) formula.replaceWith(`$${tex}$`);
  }
  return (part.textContent ?? '').trim();
};

/** Has the next message go on from the turn, with the words quoted before what is written already. */
export const askAbout = ({ actions, state }: Reach, { nodeId, words }: Quote): void => {
  const { session } = state();
  actions.forkFrom(nodeId);
  actions.session({
    draft: `${quoted(words)}\n\n${session.draft}`,
    pane: 'chat',
    folded: session.folded.filter((pane) => pane !== 'chat'),
  });
  getSelection()?.removeAllRanges();
  requestAnimationFrame(() => {
    const field = document.querySelector<HTMLTextAreaElement>('#message');
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  });
};

/** Adds the words to the turn's note, and opens it to write more. */
export const noteWords = async ({ actions, state }: Reach, { nodeId, words }: Quote): Promise<void> => {
  const note = shownForest(state()).nodes[nodeId]?.note ?? null;
  await actions.noteTurn(nodeId, [...(note === null ? [] : [note]), `“${words}”`].join('\n'));
  getSelection()?.removeAllRanges();
  actions.select(nodeId);
  actions.session({ dialog: 'note' });
};
