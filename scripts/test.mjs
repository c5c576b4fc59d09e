import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';
import { getBrowser } from './get-browser.mjs';
import { install } from './install.mjs';
import { requireNode } from './node-version.mjs';
import { runTool } from './run.mjs';
import { readPlaywright, readVitest } from './test-counts.mjs';

/** @typedef {import('./test-counts.mjs').Counts} Counts */

const reports = mkdtempSync(join(tmpdir(), 'coppice-test-'));

/** Minutes that a run of tests may take on a slow machine. A run that is killed leaves no report. */
const LIMIT = 60;
/** Playwright ends by itself before that, with its report; in milliseconds. */
const ENDS_ITSELF = (LIMIT - 5) * 60_000;

/**
 * @param {number} status
 * @returns {Counts}
 */
const check = (status) => ({ passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, names: [] });

/** @param {string} project the folder of a tsconfig.json */
const types = async (project) => check(await runTool('typescript', ['--project', project], { bin: 'tsc' }));

const vitest = async () => {
  const report = join(reports, 'vitest.json');
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const status = await runTool('vitest', args, { limit: LIMIT });
  return readVitest(report, status);
};

const playwright = async () => {
  const report = join(reports, 'playwright.json');
  const status = await runTool(
    '@playwright/test',
    ['test', '--reporter=list,json', `--global-timeout=${ENDS_ITSELF}`],
    { bin: 'playwright', env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report }, limit: LIMIT },
  );
  return readPlaywright(report, status);
};

/** @type {readonly [string, () => Promise<Counts>][]} */
const stages = [
  ['Types', () => types('.')],
  ['Types of what runs in the page', () => types('src')],
  ['Types of measure', () => types('measure')],
  [
    'Lint and format',
    async () => check(await runTool('@biomejs/biome', ['check', '--error-on-warnings'], { bin: 'biome' })),
  ],
  ['Unused code', async () => check(await runTool('knip', []))],
  ['Browser', async () => check((await getBrowser()) === null ? 1 : 0)],
  ['Unit and browser tests', vitest],
  ['Build', async () => check(await build())],
  ['End-to-end tests', playwright],
];

requireNode();
/** @type {[string, Counts][]} */
const results = [];
if (await install()) {
  for (const [name, stage] of stages) {
    console.log(`\n── ${name} ──`);
    results.push([name, await stage()]);
  }
} else results.push(['Install', check(1)]);
rmSync(reports, { recursive: true });

console.log('');
for (const [name, { passed, failed, names }] of results) {
  console.log(`${failed === 0 ? '✓' : '✗'} ${name}: ${passed} passed, ${failed} failed`);
  for (const failure of names) console.log(`    ${failure}`);
}
const sum = (/** @type {'passed' | 'failed'} */ key) => results.reduce((total, [, counts]) => total + counts[key], 0);
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = sum('failed') === 0 ? 0 : 1;
