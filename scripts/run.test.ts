import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { runNpm } from './run.mjs';

test('npm is run by npm, also where another package manager started the script', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'coppice-run-'));
  try {
    for (const [name, status] of [
      ['yarn.js', 0],
      ['npm-cli.js', 7],
    ] as const) {
      writeFileSync(join(folder, name), 'process.exit(7)');
      vi.stubEnv('npm_execpath', join(folder, name));
      expect(await runNpm(['--version'])).toBe(status);
    }
  } finally {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  }
});
