import type { Page } from '@playwright/test';

/** Pauses shorter than this are those between the words of a reply; in milliseconds. */
const SHORT = 20;

/** Slows replies down, as from a large model, so that a test can act in the middle of one. */
export const slowReplies = async (page: Page): Promise<void> => {
  // With reduced motion, replies appear at once.
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.addInitScript((short) => {
    const { setTimeout: wait } = window;
    const slow = (run: () => void, ms = 0, ...rest: never[]) => wait(run, ms > 0 && ms < short ? ms * 40 : ms, ...rest);
    Object.assign(window, { setTimeout: slow });
  }, SHORT);
};
