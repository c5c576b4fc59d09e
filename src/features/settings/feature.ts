import { Settings, SlidersHorizontal } from 'lucide-react';
import { defineFeature } from '../../ui/commands/feature.ts';

/** Settings of the engine, and the user's preferences for the page. */
export const settings = defineFeature({
  dialogs: {
    'engine-settings': async () => (await import('./engine-dialog.tsx')).EngineDialog,
    settings: async () => (await import('./settings-dialog.tsx')).SettingsDialog,
  },
  commands: {
    'engine-settings': {
      opens: 'engine-settings',
      group: 'Coppice',
      words: 'Engine…',
      also: 'settings policy parameters prompts threshold theta versions',
      button: { label: 'Engine', place: 'studies', icon: SlidersHorizontal },
    },
    settings: {
      opens: 'settings',
      group: 'Coppice',
      words: 'Settings…',
      also: 'preferences storage',
      keys: ['Mod+,'],
      button: { label: 'Settings', place: 'preferences', icon: Settings },
    },
  },
});
