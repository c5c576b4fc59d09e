import type { Actions } from '../../app/actions.ts';
import { mayReplaceDialogs } from '../../ui/parts/dialog.tsx';

/** Prefix of the `#` fragment of an address that holds a conversation; browsers do not send fragments to servers. */
export const SHARED = '#shared=';

/** Whether an address leads everybody to a server of their own machine, as that of `npm start` does. */
export const isOfThisMachine = (hostname: string): boolean =>
  /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);

/** Whether the page was opened to show only the conversation in its address, inside another page. */
export const isEmbedded = ({ search, hash }: Pick<Location, 'search' | 'hash'>): boolean =>
  new URLSearchParams(search).has('embed') && hash.startsWith(SHARED);

/** Opens what the address holds, now and whenever another such address is visited. */
export const followSharedLinks = ({ session }: Pick<Actions, 'session'>): void => {
  const follow = (): void => {
    if (!location.hash.startsWith(SHARED)) return;
    if (mayReplaceDialogs()) return session({ dialog: 'shared' });
    // The same link can then be followed again.
    history.replaceState(history.state, '', location.pathname + location.search);
  };
  window.addEventListener('hashchange', follow);
  follow();
};
