import { defineFeature } from '../../ui/commands/feature.ts';

/** How new conversations are answered: default instructions, and named personas. */
export const personas = defineFeature({
  dialogs: { personas: async () => (await import('./personas-dialog.tsx')).PersonasDialog },
  commands: {
    personas: {
      opens: 'personas',
      group: 'Conversations',
      words: 'Personas and default instructions…',
      also: 'system prompt character custom instructions temperature',
      button: { label: 'Personas', place: 'menu' },
    },
  },
});
