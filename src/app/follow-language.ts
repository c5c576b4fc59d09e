import type { Forest } from '../domain/forest.ts';
import { once } from '../engine/once.ts';
import { type Kernel, reportUnexpected } from './kernel.ts';

/** Keeps `language` right: what the person's last messages are in. What tells it is not needed before there is one. */
export const followLanguage = (kernel: Kernel): void => {
  const { store } = kernel;
  const load = once(() => import('../engine/text/spoken-language.ts'));
  let heard = '';

  const listen = async (): Promise<void> => {
    const { conversationId, forest } = store.getState();
    const now = `${conversationId} ${forest.turnCount}`;
    if (now === heard) return;
    heard = now;
    if (forest.turnCount === 0) return store.setState({ language: null });
    const { languageSpoken, MESSAGES_HEARD } = await load();
    if (heard === now) store.setState({ language: languageSpoken(lastMessages(forest, MESSAGES_HEARD)) });
  };
  const follow = () => void listen().catch((error) => reportUnexpected(kernel, 'Telling the language', error));
  store.subscribe(follow);
  follow();
};

const lastMessages = (forest: Forest, count: number): string[] =>
  [...Object.values(forest.nodes), ...Object.values(forest.pending)]
    .filter(({ number }) => number > forest.turnCount - count)
    .sort((a, b) => a.number - b.number)
    .map(({ message }) => message);
