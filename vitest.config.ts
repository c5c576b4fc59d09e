import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { launchOptions } from './scripts/find-browser.mjs';

const inBrowser = 'src/**/*.browser.test.{ts,tsx}';

export default defineConfig({
  test: {
    projects: [
      {
        test: { name: 'unit', environment: 'node', include: ['src/**/*.test.{ts,tsx}'], exclude: [inBrowser] },
      },
      {
        extends: './vite.config.ts',
        // A dependency found late would reload the page in the middle of a test.
        optimizeDeps: { entries: ['index.html', inBrowser] },
        test: {
          name: 'browser',
          include: [inBrowser],
          globalSetup: ['./e2e/support/hub-for-vitest.ts'],
          browser: {
            enabled: true,
            // By number: not every machine can look its own name up.
            api: { host: '127.0.0.1' },
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: await launchOptions() }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
});
