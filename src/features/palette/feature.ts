import { dialogCommand, type Feature } from '../../ui/commands/feature.ts';

export const palette: Feature<'palette', 'palette'> = {
  dialogs: { palette: async () => (await import('./palette.tsx')).Palette },
  soon: ['palette'],
  commands: {
    palette: dialogCommand('palette', {
      group: 'Coppice',
      words: 'All commands…',
      also: 'palette',
      keys: ['Mod+K'],
      whileTyping: true,
      button: { label: 'Commands', place: 'menu' },
    }),
  },
};
