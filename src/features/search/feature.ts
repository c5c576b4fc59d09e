import { Search } from 'lucide-react';
import type { Actions } from '../../app/actions.ts';
import type { OpenFeaturePart } from '../../app/app.ts';
import { dialogCommand, type Feature } from '../../ui/commands/feature.ts';

export const search: Feature<'search', 'search'> = {
  dialogs: { search: async () => (await import('./search-dialog.tsx')).SearchDialog },
  soon: ['search'],
  commands: {
    search: dialogCommand(
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

/** Stores search texts of conversations beside their logs, while the page is open and idle. */
export const storeSearched = ({ part, actions }: { part: OpenFeaturePart; actions: Actions }): void => {
  import('./search.ts')
    .then(({ openSearch }) => part(openSearch))
    .then((search) => search.storeBehind())
    .catch((error: unknown) => actions.reportFailure('Preparing the search', error));
};
