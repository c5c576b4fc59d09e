import type { Page } from '@playwright/test';

declare global {
  interface Window {
    /** Milliseconds between the frames that came since this was last asked. */
    takeFrames(): number[];
  }
}

/** Notes a page's frames, from its first script on. */
export const noteFrames = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    let before = performance.now();
    let noted: number[] = [];
    const frame = (now: number): void => {
      noted.push(now - before);
      before = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    window.takeFrames = () => {
      const taken = noted;
      before = performance.now();
      noted = [];
      return taken;
    };
  });

/** The milliseconds between those that came since this was last asked. */
export const takeFrames = (page: Page): Promise<number[]> => page.evaluate(() => window.takeFrames());
