import type { StoreApi } from 'zustand/vanilla';
import type { AppState } from '../../app/state.ts';

/**
 * Has the browser's own menu print the conversation, and not the page. The browser waits for nothing before it prints,
 * so what writes the conversation is loaded as soon as there is one and nothing is under way.
 */
export const followPrinting = ({ store }: { store: StoreApi<AppState> }): void => {
  let loading = false;
  const prepare = ({ forest, turn }: AppState): void => {
    if (loading || forest.turnCount === 0 || turn !== null) return;
    loading = true;
    import('./print.ts').then(
      ({ printTheConversation }) => {
        unfollow();
        printTheConversation(store.getState);
      },
      // Until it is there the page itself is printed; the next change tries again.
      () => {
        loading = false;
      },
    );
  };
  const unfollow = store.subscribe(prepare);
  prepare(store.getState());
};
