import { type AppState, shownForest } from '../../app/state.ts';
import { pendingTurn } from '../../domain/queries.ts';
import { recordsOf, sizeOf } from '../../domain/table.ts';
import { whenIdle } from '../../engine/tasks.ts';
import type { App } from '../../ui/app-context.ts';
import { defineFeature } from '../../ui/commands/feature.ts';

const isEmpty = (state: AppState): string | null =>
  sizeOf(shownForest(state).nodes) === 0 ? 'There is no turn yet.' : null;
const noReplay = ({ replay }: AppState): string | null => (replay === null ? 'Nothing is being replayed.' : null);

/** Why there is nothing for the engine to sort, or null: it sorts turns that stand where a file had them. */
const nothingToSort = (state: AppState): string | null => {
  if (state.past !== null) return 'Go back to now first.';
  if (state.turn !== null) return 'A message is still being sent.';
  const there = recordsOf(state.forest.nodes).some(
    ({ decision, label, parentId }) => decision.by === 'import' && label === null && parentId !== null,
  );
  return there ? null : 'No turns here were placed by an imported file.';
};

export const exchange = defineFeature({
  dialogs: {
    import: async () => (await import('./import-dialog.tsx')).ImportDialog,
    export: async () => (await import('./export-dialog.tsx')).ExportDialog,
    'sort-topics': async () => (await import('./sort-topics-dialog.tsx')).SortTopicsDialog,
    backup: async () => (await import('./backup/backup-dialog.tsx')).BackupDialog,
  },
  commands: {
    import: {
      opens: 'import',
      group: 'Conversations',
      words: 'Import…',
      also: 'open file dialogue replay',
      keys: ['Mod+O'],
      button: { label: 'Import', place: 'files' },
    },
    export: {
      opens: 'export',
      group: 'Conversations',
      words: 'Export…',
      also: 'save download file',
      keys: ['Mod+S'],
      button: { label: 'Export', place: 'files' },
    },
    backup: {
      opens: 'backup',
      group: 'Conversations',
      words: 'Backup…',
      also: 'back up restore merge everything all zip copy folder',
    },
    'sort-topics': {
      opens: 'sort-topics',
      group: 'Conversations',
      words: 'Sort into topics',
      also: 'imported find topics split decide engine arrange',
      unless: nothingToSort,
    },
    print: {
      group: 'Conversations',
      words: 'Print the conversation…',
      also: 'paper pdf',
      keys: ['Mod+P'],
      whileTyping: true,
      unless: isEmpty,
      run: ({ actions, state }) => {
        import('./print.ts')
          .then(({ printWithPictures }) => printWithPictures(state, actions))
          .catch((error) => actions.reportFailure('Printing', error));
      },
    },
    'copy-markdown': {
      group: 'Conversations',
      words: 'Copy the conversation as Markdown',
      also: 'clipboard text',
      unless: isEmpty,
      run: ({ actions, state }) => {
        import('./print.ts')
          .then(({ copyAsMarkdown }) => copyAsMarkdown(state(), actions.announce))
          .catch((error) => actions.reportFailure('Copying', error));
      },
    },
    'replay-pause': {
      group: 'Conversations',
      words: 'Replay: pause or resume',
      unless: noReplay,
      run: ({ actions, state }) =>
        state().replay?.running === true ? actions.pauseReplay() : void actions.resumeReplay(),
    },
    'replay-step': {
      group: 'Conversations',
      words: 'Replay: next turn',
      unless: (state) => noReplay(state) ?? (state.replay?.running === true ? 'Pause the replay first.' : null),
      run: ({ actions }) => void actions.stepReplay(),
    },
    'replay-stop': {
      group: 'Conversations',
      words: 'Replay: stop',
      unless: noReplay,
      run: ({ actions }) => actions.stopReplay(),
    },
  },
  start: (app) =>
    whenIdle(() => {
      followPrinting(app);
      import('./backup/write-copies.ts')
        .then(({ keepCopies }) => keepCopies(app))
        .catch((error) => app.actions.reportFailure('Saving copies to your folder', error));
    }),
});

/**
 * Makes the browser's own menu print the conversation instead of the page. The browser does not wait before printing, so the
 * writer is loaded as soon as there is a conversation and nothing is in progress.
 */
const followPrinting = ({ store }: App): void => {
  let loading = false;
  const prepare = ({ forest, turn }: AppState): void => {
    if (loading || forest.turnCount === 0 || turn !== null || pendingTurn(forest) !== null) return;
    loading = true;
    import('./print.ts').then(
      ({ printTheConversation }) => {
        unfollow();
        printTheConversation(store.getState);
      },
      // Until it is loaded, the page itself is printed; the next change tries again.
      () => {
        loading = false;
      },
    );
  };
  const unfollow = store.subscribe(prepare);
  prepare(store.getState());
};
