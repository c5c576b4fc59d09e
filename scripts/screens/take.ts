import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { App } from '../../e2e/support/app.ts';
import { launchOptions } from '../find-browser.mjs';
import { root } from '../run.mjs';
import { serve } from '../serve.mjs';
import { largeForest, playedSample } from './forests.ts';
import { scenes } from './scenes.ts';

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 1280, height: 720 },
  { width: 390, height: 844 },
];

/** Takes screenshots of the main states, in both themes and at all sizes, into screens/. */
const take = async (browser: Browser, address: string): Promise<void> => {
  const folder = join(root, 'screens');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const logs = { sample: await playedSample(browser, address), large: largeForest() };
  for (const viewport of SIZES) {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const [name, scene] of Object.entries(scenes)) {
        const context = await browser.newContext({
          viewport,
          colorScheme,
          reducedMotion: 'reduce',
          serviceWorkers: 'block',
          ...(viewport.width < 600 && { isMobile: true, hasTouch: true }),
          baseURL: address,
        });
        const app = new App(await context.newPage());
        await scene(app, logs);
        await app.page.waitForLoadState('networkidle');
        await app.page.screenshot({ path: join(folder, `${name}-${viewport.width}-${colorScheme}.png`) });
        await context.close();
      }
      console.log(`${viewport.width}×${viewport.height}, ${colorScheme}`);
    }
  }
};

const { address, close } = await serve();
const browser = await chromium.launch(await launchOptions());
try {
  await take(browser, address);
} finally {
  await browser.close();
  await close();
}
