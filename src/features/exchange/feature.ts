import { type AppState, shownForest } from '../../app/state.ts';
import { type Feature, opens } from '../../ui/feature.ts';

const isEmpty = (state: AppState): string | null =>
  Object.keys(shownForest(state).nodes).length === 0 ? 'There is no turn yet.' : null;
const noReplay = ({ replay }: AppState): string | null => (replay === null ? 'Nothing is being replayed.' : null);

export const exchange: Feature<
  'import' | 'export' | 'backup',
  'import' | 'export' | 'backup' | 'print' | 'copy-markdown' | `replay-${'pause' | 'step' | 'stop'}`
> = {
  dialogs: {
    import: async () => (await import('./import-dialog.tsx')).ImportDialog,
    export: async () => (await import('./export-dialog.tsx')).ExportDialog,
    backup: async () => (await import('./backup/backup-dialog.tsx')).BackupDialog,
  },
  commands: {
    import: opens('import', {
      group: 'Conversations',
      words: 'Import…',
      also: 'open file dialogue replay',
      keys: ['Mod+O'],
      button: { label: 'Import', place: 'files' },
    }),
    export: opens('export', {
      group: 'Conversations',
      words: 'Export…',
      also: 'save download file',
      keys: ['Mod+S'],
      button: { label: 'Export', place: 'files' },
    }),
    backup: opens('backup', {
      group: 'Conversations',
      words: 'Backup…',
      also: 'back up restore merge everything all zip copy folder',
    }),
    print: {
      group: 'Conversations',
      words: 'Print the conversation…',
      also: 'paper pdf',
      keys: ['Mod+P'],
      whileTyping: true,
      unless: isEmpty,
      run: ({ actions, state }) => {
        import('./print.ts')
          .then(({ printConversation }) => printConversation(state()))
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
      words: 'Replay: pause, or go on',
      unless: noReplay,
      run: ({ actions, state }) =>
        state().replay?.running === true ? actions.pauseReplay() : void actions.resumeReplay(),
    },
    'replay-step': {
      group: 'Conversations',
      words: 'Replay: one turn',
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
};
