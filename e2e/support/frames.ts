import type { Page } from '@playwright/test';

declare global {
  interface Window {
    /** Milliseconds between the frames since the last call. */
    takeFrames(): number[];
  }
}

/** Records a page's frames, from before its first script. */
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

/** Milliseconds between the frames since the last call. */
export const takeFrames = (page: Page): Promise<number[]> => page.evaluate(() => window.takeFrames());
