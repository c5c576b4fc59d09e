import { execFile } from 'node:child_process';
import { expect, test } from '@playwright/test';
import { root } from '../scripts/run.mjs';

/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:9';

const check = (...args: string[]): Promise<{ code: number; said: string }> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['scripts/check-webgpu.mjs', '--headless', '--hub', NOWHERE, ...args],
      { cwd: root },
      (_, out, err) => resolve({ code: child.exitCode ?? -1, said: out + err }),
    );
  });

test('npm run check:webgpu checks nothing without a GPU, and says so', async () => {
  const { code, said } = await check();
  // On a machine that has one, the internet is what is missing.
  expect(said).toMatch(/^No (GPU|internet): .+\.$/m);
  expect(code).toBe(2);
});

test('npm run check:webgpu checks nothing without the internet, and says so', async () => {
  const { code, said } = await check('--software');
  expect(said).toContain(`No internet: ${NOWHERE} cannot be reached`);
  expect(code).toBe(2);
});
