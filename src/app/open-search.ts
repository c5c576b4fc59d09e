import type { Actions } from './actions.ts';
import type { Kernel } from './kernel.ts';
import type { Search } from './search.ts';

/** Loads the search when it is first asked for; asked again after that failed, it is tried again. */
export const openSearch = (kernel: Kernel, opened: Promise<void>): Actions['search'] => {
  let search: Promise<Search> | null = null;
  return async (query, signal, onPart) => {
    await opened;
    search ??= import('./search.ts').then(({ Search }) => new Search(kernel));
    search.catch(() => {
      search = null;
    });
    return (await search).find(query, signal, onPart);
  };
};
