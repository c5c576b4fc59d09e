import { defineFeature } from '../../ui/commands/feature.ts';

/** Dialogs about the selected turns. For the commands that open them, see the turn's menu. */
type EditDialogName = 'move' | 'refer' | 'note' | 'summary' | 'topic-title' | 'branch-title' | 'purge';

const load = (name: EditDialogName) => async () => (await import('./edit-dialogs.tsx')).EDIT_DIALOGS[name];

export const edits = defineFeature({
  dialogs: {
    move: load('move'),
    refer: load('refer'),
    note: load('note'),
    summary: load('summary'),
    'topic-title': load('topic-title'),
    'branch-title': load('branch-title'),
    purge: load('purge'),
    'purge-deleted': async () => (await import('./edit-dialogs.tsx')).PurgeDeletedDialog,
    history: async () => (await import('./history-dialog.tsx')).HistoryDialog,
  },
  commands: {
    history: {
      opens: 'history',
      group: 'Time',
      words: 'History…',
      also: 'undo steps list',
      keys: ['U'],
      button: { label: 'History', place: 'phone-menu' },
    },
    'purge-deleted': {
      opens: 'purge-deleted',
      group: 'Conversations',
      words: 'Purge deleted turns of this conversation…',
      also: 'erase remove undone text log privacy',
    },
  },
});
