import type { LaunchOptions } from '@playwright/test';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { launchOptions, SOFTWARE_GPU, shellOptions } from './scripts/find-browser.mjs';
import { openAiServerCommands } from './src/models/runtimes/server/testing/browser-commands.ts';

const inBrowser = 'src/**/*.browser.test.{ts,tsx}';
const withWebGpu = 'src/**/*.webgpu.test.{ts,tsx}';

/** Milliseconds, some ten times what the longest test takes on two slow cores: no test asserts a time. */
const patience = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 30_000 } } };

/** Tests that run in a page of Chromium. */
const pages = (name: string, include: string, options: LaunchOptions): TestProjectConfiguration => ({
  extends: './vite.config.ts',
  // A dependency found late would reload the page in the middle of a test.
  optimizeDeps: { entries: ['index.html', include] },
  test: {
    name,
    ...patience,
    include: [include],
    globalSetup: ['./e2e/support/hub-for-vitest.ts'],
    browser: {
      enabled: true,
      // By number: not every machine can look its own name up.
      api: { host: '127.0.0.1' },
      headless: true,
      commands: openAiServerCommands,
      screenshotFailures: false,
      provider: playwright({ launchOptions: options }),
      instances: [{ browser: 'chromium' }],
    },
  },
});

export default defineConfig({
  test: {
    // By itself it leaves a core to others.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'unit',
          ...patience,
          environment: 'node',
          // A module is read once for all files: no test leaves anything behind in what it imports.
          pool: 'threads',
          isolate: false,
          include: ['{src,measure,scripts}/**/*.test.{ts,tsx}'],
          exclude: [inBrowser, withWebGpu],
        },
      },
      pages('browser', inBrowser, await shellOptions()),
      // WebGPU on the processor, as CI and machines without a GPU have it.
      pages('webgpu', withWebGpu, await launchOptions(SOFTWARE_GPU)),
    ],
  },
});
