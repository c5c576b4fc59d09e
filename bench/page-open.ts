import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { App } from '../e2e/support/app.ts';
import { ImportDialog } from '../e2e/support/import-dialog.ts';
import { launchOptions } from '../scripts/find-browser.mjs';
import { serve } from '../scripts/serve.mjs';
import { printLog } from '../src/app/testing/conversation-files.ts';
import { syntheticLog } from '../src/domain/testing/synthetic-forest.ts';
import { type Figure, median } from './figure.ts';

const TURNS = 1_000;
const SEED = 7;
const OPENS = 7;
const GOAL_MS = 2_000;

/** Marks the frame that first shows the last turn in the chat, the laid-out forest on the canvas and the whole timeline. */
export const markInPlace = (page: Page, turns: number) =>
  page.addInitScript((last) => {
    const inPlace = () =>
      document.querySelector(`[role=log] [aria-label="Turn ${last}"]`) !== null &&
      document.querySelector('[aria-label="Forest"] [aria-busy=false] canvas') !== null &&
      document.querySelector<HTMLInputElement>('[aria-label="Timeline"]')?.max === String(last);
    const look = () => {
      if (inPlace()) performance.mark('in-place');
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, turns);

/** Returns the time from navigation to that frame, in milliseconds. */
export const timeInPlace = async (page: Page): Promise<number> => {
  const found = await page.waitForFunction(() => performance.getEntriesByName('in-place')[0]?.startTime);
  return Number(await found.jsonValue());
};

const openingTime = async (context: BrowserContext, turns: number): Promise<number> => {
  const page = await context.newPage();
  await markInPlace(page, turns);
  await page.goto('./');
  const time = await timeInPlace(page);
  await page.close();
  return time;
};

/** Creates a browser profile whose most recent conversation has `turns` turns. */
const profileWith = async (browser: Browser, baseURL: string, turns: number): Promise<BrowserContext> => {
  const context = await browser.newContext({ baseURL, viewport: { width: 1440, height: 900 } });
  const app = new App(await context.newPage());
  await app.open();
  const dialog = new ImportDialog(app);
  await dialog.open();
  await dialog.giveFile('made-up.coppice.jsonl', printLog('Made up', syntheticLog(turns, SEED)));
  await dialog.openConversation();
  await app.turn(turns).waitFor();
  await app.page.close();
  return context;
};

/** Measures how long the page takes to open with a thousand turns, compared to a single one. */
export const pageOpen = async (): Promise<Figure[]> => {
  const { address, close } = await serve();
  const browser = await chromium.launch(await launchOptions());
  const measure = async (turns: number): Promise<number> => {
    const context = await profileWith(browser, address, turns);
    const times: number[] = [];
    for (let i = 0; i < OPENS; i++) times.push(await openingTime(context, turns));
    await context.close();
    return median(times);
  };
  try {
    const value = await measure(TURNS);
    const baseline = { name: 'with one turn', value: await measure(1) };
    return [
      {
        name: `Page open with ${TURNS} turns in place, median of ${OPENS}`,
        value,
        unit: 'ms',
        goal: GOAL_MS,
        baseline,
      },
    ];
  } finally {
    await browser.close();
    await close();
  }
};
