import {
  type AppState,
  type Colouring,
  type InspectorTab,
  type Pane,
  shownForest,
  type Theme,
  togglePane,
} from '../../../app/state.ts';
import { childrenOf } from '../../../domain/queries.ts';
import { askCanvas, type CanvasCommand, canvasThere, ZOOM_STEP } from '../../canvas/canvas-keys.ts';
import { foldedBelow, nearPath, toggleBelow } from '../../canvas/folding.ts';
import { type Command, type CommandContext, NO_TURN, turnsMeant } from '../../commands/command.ts';
import type { CommandId } from '../../commands/default-keys.ts';

const fold = (pane: Pane): Command => ({
  id: `fold-${pane}`,
  group: 'View',
  words: `Fold or unfold the ${pane}`,
  also: 'pane hide show panel',
  run: ({ actions, state }) => actions.session({ folded: togglePane(state().session.folded, pane), pane }),
});

const tab = (name: InspectorTab): Command => ({
  id: `tab-${name}`,
  group: 'View',
  words: `Inspector: ${name}`,
  run: ({ actions }) => actions.showInspector(name),
});

const COLOURS: Readonly<Record<Colouring, string>> = {
  topic: 'topic',
  branch: 'branch',
  age: 'age',
  tokens: 'tokens',
  context: 'what is in the context',
};
const colour = (by: Colouring): Command => ({
  id: `colour-${by}`,
  group: 'View',
  words: `Colour the canvas by ${COLOURS[by]}`,
  also: 'color',
  unless: ({ session }) => (session.colouring === by ? 'Already selected.' : null),
  run: ({ actions }) => actions.session({ colouring: by }),
});

const THEMES: Readonly<Record<Theme, string>> = { system: 'system', light: 'light', dark: 'dark' };
const theme = (name: Theme): Command => ({
  id: `theme-${name}`,
  group: 'View',
  words: `Theme: ${THEMES[name]}`,
  also: 'appearance mode',
  unless: ({ session }) => (session.theme === name ? 'Already selected.' : null),
  run: ({ actions }) => actions.session({ theme: name }),
});

/** The folded turns of other conversations, or of moments other than the one shown. */
const foldedElsewhere = (state: AppState) => {
  const { nodes } = shownForest(state);
  return state.session.collapsed.filter((id) => nodes[id] === undefined);
};

const onCanvas = (id: CommandId, words: string, command: CanvasCommand): Command => ({
  id,
  group: 'View',
  words,
  also: 'canvas zoom fit',
  unless: () => (canvasThere() ? null : 'Show the canvas first.'),
  run: () => askCanvas(command),
});

export const viewCommands: readonly Command[] = [
  { id: 'next-pane', group: 'View', words: 'Next pane', run: (reach) => focusPane(reach, 1) },
  { id: 'previous-pane', group: 'View', words: 'Previous pane', run: (reach) => focusPane(reach, -1) },
  fold('chat'),
  fold('forest'),
  fold('inspector'),
  {
    id: 'reading',
    group: 'View',
    words: 'Read this path, or everything in order of time',
    also: 'chat turns topics time reading',
    run: ({ actions, state }) =>
      actions.session({ reading: state().session.reading === 'path' ? 'everything' : 'path', pane: 'chat' }),
  },
  {
    id: 'canvas-or-outline',
    group: 'View',
    words: 'Canvas or outline',
    run: ({ actions, state }) =>
      actions.session({ view: state().session.view === 'canvas' ? 'outline' : 'canvas', pane: 'forest' }),
  },
  tab('decision'),
  tab('context'),
  tab('turn'),
  {
    id: 'near-path',
    group: 'View',
    words: 'Only the active path and its neighbours, or all',
    also: 'focus filter canvas',
    run: ({ actions, state }) => actions.session({ nearPath: !state().session.nearPath, pane: 'forest' }),
  },
  {
    id: 'collapse',
    group: 'View',
    words: 'Fold or unfold what is below the turn',
    also: 'collapse expand canvas',
    unless: (state) => {
      const ids = turnsMeant(state);
      if (ids.length === 0) return NO_TURN;
      return ids.some((id) => childrenOf(shownForest(state), id).length > 0)
        ? null
        : 'There is nothing below this turn.';
    },
    run: ({ actions, state }) => {
      const { session } = state();
      const forest = shownForest(state());
      const ids = turnsMeant(state());
      const near = session.nearPath && forest.active !== null ? nearPath(forest, session.selection) : null;
      const folds = foldedBelow(forest, { collapsed: new Set(session.collapsed), near }, ids);
      const folded = toggleBelow(session, forest, ids, folds);
      if (folded !== null) actions.session(folded);
    },
  },
  {
    id: 'expand-all',
    group: 'View',
    words: 'Unfold everything on the canvas',
    also: 'expand',
    unless: (state) => (foldedElsewhere(state).length === state.session.collapsed.length ? 'Nothing is folded.' : null),
    run: ({ actions, state }) => actions.session({ collapsed: foldedElsewhere(state()) }),
  },
  ...(Object.keys(COLOURS) as Colouring[]).map(colour),
  ...(Object.keys(THEMES) as Theme[]).map(theme),
  {
    ...onCanvas('select-several', 'Select several turns by clicks or taps', { do: 'several' }),
    also: 'multiple touch',
  },
  onCanvas('show-forest', 'Show the whole forest', { do: 'fit' }),
  onCanvas('show-topic', 'Show the topic of the turn', { do: 'topic' }),
  onCanvas('show-turn', 'Centre the turn at 100 %', { do: 'actual-size' }),
  onCanvas('zoom-in', 'Zoom in', { do: 'zoom', by: ZOOM_STEP }),
  onCanvas('zoom-out', 'Zoom out', { do: 'zoom', by: 1 / ZOOM_STEP }),
];

/** The panes shown: on a phone the chat stays there, hidden behind the others. */
const paneElements = (): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>('[data-pane]')].filter(
    (element) => getComputedStyle(element).visibility !== 'hidden',
  );
const paneName = (element: Element | null | undefined): Pane | null =>
  (element?.getAttribute('data-pane') as Pane | null | undefined) ?? null;

/** Moves the focus to the next or previous pane. */
const focusPane = ({ actions, state }: CommandContext, step: 1 | -1): void => {
  const { pane } = state().session;
  const panes = paneElements();
  const names: Pane[] = panes.flatMap((element) => paneName(element) ?? []);
  const current = paneName(document.activeElement?.closest('[data-pane]'));
  // A phone shows one pane at a time, so moving on shows the next.
  if (panes.length === 1) {
    const next = paneAfter(['chat', 'forest', 'inspector'], current ?? pane, step);
    if (next !== null) actions.session({ pane: next });
    requestAnimationFrame(() => paneElements()[0]?.focus());
    return;
  }
  const next = paneAfter(names, current, step);
  panes.find((element) => paneName(element) === next)?.focus();
};

/** The next of the panes shown, wrapping around. */
export const paneAfter = (panes: readonly Pane[], current: Pane | null, step: 1 | -1): Pane | null => {
  if (panes.length === 0) return null;
  const at = current === null ? -1 : panes.indexOf(current);
  const next = at === -1 ? (step === 1 ? 0 : panes.length - 1) : (at + step + panes.length) % panes.length;
  return panes[next] ?? null;
};
