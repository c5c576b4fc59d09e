import type { StoreApi } from 'zustand/vanilla';
import type { Host } from '../engine/core.ts';
import type { AppState } from './state.ts';

/** Streamed text reaches the screen at most this often, in milliseconds, … */
const SHOW_EVERY = 40;
/** … takes at most about this share of the page's time, however long the text has become, … */
const SHARE = 0.25;
/** … and comes when the page has time, but at the latest so many milliseconds after that. */
const AT_LATEST = 300;

/** Shows streamed text every so often: typing and drawing come first. `elapsed`: milliseconds on a clock that never goes back. */
export const showSometimes = (store: StoreApi<AppState>, elapsed: () => number): Host['received'] => {
  let latest: Parameters<Host['received']> | null = null;
  let waiting = false;
  let pause = SHOW_EVERY;

  const show = async (): Promise<void> => {
    waiting = false;
    if (latest === null) return;
    const [nodeId, replyId, whole] = latest;
    latest = null;
    const begun = elapsed();
    store.setState(({ turn, forest }) => {
      if (turn?.nodeId !== nodeId || turn.replyId !== replyId) return {};
      const saved = forest.nodes[nodeId]?.replies.find(({ id }) => id === replyId)?.text.length ?? 0;
      return { turn: { ...turn, unsaved: whole.slice(saved) } };
    });
    // React draws what a store tells it in the microtasks that follow.
    await Promise.resolve();
    pause = Math.max(SHOW_EVERY, Math.min(AT_LATEST, (elapsed() - begun) / SHARE));
  };

  return (...received) => {
    latest = received;
    if (waiting) return;
    waiting = true;
    setTimeout(() => whenFree(() => void show()), pause);
  };
};

/** Outside of a browser, and where it cannot tell, at once. */
const whenFree = (task: () => void): void => {
  if (globalThis.requestIdleCallback === undefined) task();
  else requestIdleCallback(task, { timeout: AT_LATEST });
};
