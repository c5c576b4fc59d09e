import type { Actions } from '../../app/actions.ts';

/** What an address that holds a conversation has behind the `#`, which browsers send to nobody. */
export const SHARED = '#shared=';

/** Whether the page is opened for a conversation in its address, alone and inside another page. */
export const isEmbedded = ({ search, hash }: Pick<Location, 'search' | 'hash'>): boolean =>
  new URLSearchParams(search).has('embed') && hash.startsWith(SHARED);

/** Opens what the address holds, now and whenever another such address is followed. */
export const followSharedLinks = ({ session }: Pick<Actions, 'session'>): void => {
  const follow = (): void => {
    if (location.hash.startsWith(SHARED)) session({ dialog: 'shared' });
  };
  window.addEventListener('hashchange', follow);
  follow();
};
