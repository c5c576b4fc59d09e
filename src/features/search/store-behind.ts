import type { Actions } from '../../app/actions.ts';
import type { OpenPart } from '../../app/app.ts';

/** Stores what is searched of conversations beside their logs, as long as the page is open and has time for it. */
export const storeSearched = ({ part, actions }: { part: OpenPart; actions: Actions }): void => {
  import('./search.ts')
    .then(({ openSearch }) => part(openSearch))
    .then((search) => search.storeBehind())
    .catch((error: unknown) => actions.reportFailure('Preparing the search', error));
};
