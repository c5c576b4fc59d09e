import { Users } from 'lucide-react';
import { defineFeature } from '../../ui/commands/feature.ts';

export const studies = defineFeature({
  dialogs: { studies: async () => (await import('./studies-dialog.tsx')).StudiesDialog },
  commands: {
    studies: {
      opens: 'studies',
      group: 'Coppice',
      words: 'Studies…',
      also: 'label annotate annotators agreement guidelines people kappa coordinate adjudicate',
      button: { label: 'Studies', place: 'studies', icon: Users },
    },
  },
});
