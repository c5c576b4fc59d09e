import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findBrowser } from './find-browser.mjs';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'coppice-browser-'));
  vi.stubEnv('CHROME_PATH', '');
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test.skipIf(process.platform === 'win32')('a browser that does not start is passed over', async () => {
  const script = (name: string, status: number) => {
    const file = join(folder, name);
    writeFileSync(file, `#!/bin/sh\nexit ${status}\n`, { mode: 0o755 });
    return file;
  };
  script('chromium', 1);
  const working = script('chromium-browser', 0);
  expect(await findBrowser()).toBe(working);
});
