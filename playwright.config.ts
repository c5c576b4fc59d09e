import { defineConfig } from '@playwright/test';
import { shellOptions } from './scripts/find-browser.mjs';

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/support/build-first.ts',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  // Generous, for machines that are slow or busy: no test asserts a time.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  forbidOnly: Boolean(process.env.CI),
  use: {
    browserName: 'chromium',
    // Every test's page compiles the embedder anew: to optimise that for long use costs more than a test's few texts gain by it.
    launchOptions: await shellOptions(['--js-flags=--wasm-tiering-budget=200000000']),
    viewport: { width: 1440, height: 900 },
    trace: 'off',
    colorScheme: 'light',
    reducedMotion: 'reduce',
    // Kept copies would answer before the routes of a test do; what they are for is tested by itself.
    serviceWorkers: 'block',
  },
});
