import { Search } from 'lucide-react';
import { type Feature, opens } from '../../ui/feature.ts';

export const search: Feature<'search', 'search'> = {
  dialogs: { search: async () => (await import('./search-dialog.tsx')).SearchDialog },
  soon: ['search'],
  commands: {
    search: opens(
      'search',
      {
        group: 'Go',
        words: 'Search all conversations…',
        also: 'find',
        keys: ['Mod+Shift+F'],
        whileTyping: true,
        button: { label: 'Search', place: 'search', icon: Search },
      },
      { sought: '' },
    ),
  },
};
