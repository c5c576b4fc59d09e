import { defineFeature } from '../../ui/commands/feature.ts';

export const throwaway = defineFeature({
  dialogs: { throwaway: async () => (await import('./throwaway-dialog.tsx')).ThrowawayDialog },
  commands: {
    throwaway: {
      opens: 'throwaway',
      group: 'Coppice',
      words: 'Throwaway…',
      button: { label: 'Throwaway', place: 'menu' },
    },
  },
});
