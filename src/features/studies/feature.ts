import { Users } from 'lucide-react';
import { dialogCommand, type Feature } from '../../ui/commands/feature.ts';

export const studies: Feature<'studies', 'studies'> = {
  dialogs: { studies: async () => (await import('./studies-dialog.tsx')).StudiesDialog },
  commands: {
    studies: dialogCommand('studies', {
      group: 'Coppice',
      words: 'Studies…',
      also: 'label annotate annotators agreement guidelines people kappa coordinate adjudicate',
      button: { label: 'Studies', place: 'studies', icon: Users },
    }),
  },
};
