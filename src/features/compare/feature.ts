import { dialogCommand, type Feature } from '../../ui/commands/feature.ts';

export const compare: Feature<'compare' | 'contexts', 'compare'> = {
  dialogs: {
    compare: async () => (await import('./compare-dialog.tsx')).CompareDialog,
    contexts: async () => (await import('./contexts-dialog.tsx')).ContextsDialog,
  },
  commands: {
    compare: dialogCommand('compare', {
      group: 'Coppice',
      words: 'Compare memories…',
      also: 'policies side by side tokens cost memtree raptor memgpt chart',
      button: { label: 'Compare', place: 'compare' },
    }),
  },
};
