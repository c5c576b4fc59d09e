import { dialogCommand, type Feature } from '../../ui/commands/feature.ts';

/** How new conversations are answered: default instructions, and named personas. */
export const personas: Feature<'personas', 'personas'> = {
  dialogs: { personas: async () => (await import('./personas-dialog.tsx')).PersonasDialog },
  commands: {
    personas: dialogCommand('personas', {
      group: 'Conversations',
      words: 'Personas and default instructions…',
      also: 'system prompt character custom instructions temperature',
      button: { label: 'Personas', place: 'menu' },
    }),
  },
};
