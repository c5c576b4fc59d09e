import { defineFeature } from '../../ui/commands/feature.ts';

export const compare = defineFeature({
  dialogs: {
    compare: async () => (await import('./compare-dialog.tsx')).CompareDialog,
    contexts: async () => (await import('./contexts-dialog.tsx')).ContextsDialog,
  },
  commands: {
    compare: {
      opens: 'compare',
      group: 'Coppice',
      words: 'Compare memories…',
      also: 'policies side by side tokens cost memtree raptor memgpt chart',
      button: { label: 'Compare', place: 'compare' },
    },
  },
});
