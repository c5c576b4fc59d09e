import { defineFeature } from '../../ui/commands/feature.ts';

export const palette = defineFeature({
  dialogs: { palette: async () => (await import('./palette.tsx')).CommandPalette },
  soon: ['palette'],
  commands: {
    palette: {
      opens: 'palette',
      group: 'Coppice',
      words: 'All commands…',
      also: 'palette',
      keys: ['Mod+K'],
      whileTyping: true,
      button: { label: 'Commands', place: 'menu' },
    },
  },
});
