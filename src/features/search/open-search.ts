import type { Actions } from '../../app/actions.ts';
import type { Kernel } from '../../app/kernel.ts';
import { once } from '../../engine/tasks.ts';

/** Loads the search when it is first asked for. */
export const openSearch = (kernel: Kernel, opened: Promise<void>): Actions['search'] => {
  const search = once(async () => {
    await opened;
    const { Search } = await import('./search.ts');
    return new Search(kernel);
  });
  return async (query, signal, onPart) => (await search()).find(query, signal, onPart);
};
