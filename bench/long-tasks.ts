import type { Page } from '@playwright/test';

declare global {
  interface Window {
    /** Returns the duration of each long task since the last call, in milliseconds. */
    takeLongTasks(): number[];
  }
}

/** Records every task over 50 ms on a page's main thread, from its first script on. */
export const noteLongTasks = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const noted: number[] = [];
    const note = (entries: PerformanceEntryList) => noted.push(...entries.map(({ duration }) => duration));
    const observer = new PerformanceObserver((list) => note(list.getEntries()));
    observer.observe({ type: 'longtask' });
    window.takeLongTasks = () => {
      note(observer.takeRecords());
      return noted.splice(0);
    };
  });

/** Returns the tasks recorded since the last call. Waits two frames first, so that work in progress is counted. */
export const takeLongTasks = (page: Page): Promise<number[]> =>
  page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await frame();
    await frame();
    return window.takeLongTasks();
  });

/** A page is at rest after this long without a task over 50 ms, in milliseconds. */
const REST_MS = 1_500;

/** Resolves once the page has had no long task for a while, with the time since navigation at which the last one ended. */
export const atRest = (page: Page): Promise<number> =>
  page.evaluate(
    (ms) =>
      new Promise<number>((resolve) => {
        let last = performance.now();
        const observer = new PerformanceObserver((list) => {
          for (const { startTime, duration } of list.getEntries()) last = Math.max(last, startTime + duration);
        });
        observer.observe({ type: 'longtask' });
        const look = () => {
          if (performance.now() - last > ms) resolve(last);
          else setTimeout(look, ms / 10);
        };
        setTimeout(look, ms / 10);
      }),
    REST_MS,
  );
