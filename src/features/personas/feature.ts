import { defineFeature } from '../../ui/commands/feature.ts';

/** How conversations are answered: new ones by default instructions and named personas, the open one by its settings. */
export const personas = defineFeature({
  dialogs: {
    personas: async () => (await import('./personas-dialog.tsx')).PersonasDialog,
    'reply-settings': async () => (await import('./reply-settings-dialog.tsx')).ReplySettingsDialog,
  },
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
