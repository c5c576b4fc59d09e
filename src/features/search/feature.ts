import { Search } from 'lucide-react';
import { whenIdle } from '../../engine/tasks.ts';
import { defineFeature } from '../../ui/commands/feature.ts';

export const search = defineFeature({
  dialogs: { search: async () => (await import('./search-dialog.tsx')).SearchDialog },
  soon: ['search'],
  commands: {
    search: {
      opens: 'search',
      group: 'Go',
      words: 'Search all conversations…',
      also: 'find',
      keys: ['Mod+Shift+F'],
      whileTyping: true,
      button: { label: 'Search', place: 'search', icon: Search },
    },
  },
  /** Stores search texts of conversations beside their logs, while the page is open and idle. */
  start: ({ part, actions }) =>
    whenIdle(() => {
      import('./search.ts')
        .then(({ openSearch }) => part(openSearch))
        .then((search) => search.storeBehind())
        .catch((error) => actions.reportFailure('Preparing the search', error));
    }),
});
