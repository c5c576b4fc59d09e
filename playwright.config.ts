import { defineConfig } from '@playwright/test';
import { launchOptions } from './scripts/find-browser.mjs';

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/support/build-first.ts',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  use: {
    browserName: 'chromium',
    launchOptions: await launchOptions(),
    trace: 'off',
    colorScheme: 'light',
    reducedMotion: 'reduce',
  },
});
