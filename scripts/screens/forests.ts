import { type Browser, expect } from '@playwright/test';
import { App } from '../../e2e/support/app.ts';
import { ReplayBar } from '../../e2e/support/replay-bar.ts';
import { printLog } from '../../src/app/testing/conversation-files.ts';
import { syntheticLog } from '../../src/domain/testing/synthetic-forest.ts';

const TURNS = 3_000;
const SEED = 3;
/** Milliseconds. */
const PLAYED_WITHIN = 120_000;

/** A synthetic conversation of thousands of turns, as a file exported by Coppice. */
export const largeForest = (): string => printLog('A long year', syntheticLog(TURNS, SEED));

/** Plays the first sample to its end and returns it as a file exported by Coppice. */
export const playedSample = async (browser: Browser, baseURL: string): Promise<string> => {
  const page = await browser.newPage({ baseURL, viewport: { width: 1440, height: 900 } });
  const app = new App(page);
  await app.open();
  await page
    .getByRole('button', { name: /^Play / })
    .first()
    .click();
  const bar = new ReplayBar(app);
  await expect(bar.root).toBeVisible();
  await bar.withoutPause();
  // Outside a test there is no default timeout.
  await bar.ended(PLAYED_WITHIN);
  const file = await app.exported();
  await page.close();
  return file;
};
