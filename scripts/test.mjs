import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv } from 'node:process';
import { build, isBuilt } from './build.mjs';
import { getBrowser } from './get-browser.mjs';
import { install } from './install.mjs';
import { requireNode } from './node-version.mjs';
import { root, runTool } from './run.mjs';
import { readPlaywright, readVitest } from './test-counts.mjs';

/** @typedef {import('./test-counts.mjs').Counts} Counts */

const reports = mkdtempSync(join(tmpdir(), 'coppice-test-'));

/** Time limit for a test run on a slow machine, in minutes. A run that is killed leaves no report. */
const LIMIT = 60;
/** Playwright stops itself before that and writes its report; in milliseconds. */
const ENDS_ITSELF = (LIMIT - 5) * 60_000;

/**
 * @param {number} status
 * @returns {Counts}
 */
const check = (status) => ({ passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, names: [] });

/** @param {string} project the folder of a tsconfig.json */
const types = async (project) =>
  check(await runTool('typescript', ['--project', project], { bin: 'tsc', beside: true }));

/** @param {readonly string[]} files to run; all if empty */
const vitest = async (files) => {
  const report = join(reports, 'vitest.json');
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...files];
  const status = await runTool('vitest', args, { limit: LIMIT });
  return readVitest(report, status);
};

/** @param {readonly string[]} files to run; all if empty */
const playwright = async (files) => {
  const report = join(reports, 'playwright.json');
  const status = await runTool(
    '@playwright/test',
    ['test', '--reporter=list,json', `--global-timeout=${ENDS_ITSELF}`, ...files],
    { bin: 'playwright', env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report }, limit: LIMIT },
  );
  return readPlaywright(report, status);
};

/**
 * @typedef {{ name: string, run: (files: readonly string[]) => Promise<Counts>, files?: (path: string) => boolean }} Part
 * `files`: matches the test files that it can run individually
 */

/** Checks that read the sources and open no page. @type {readonly Part[]} */
const CHECKS = [
  { name: 'Types', run: () => types('.') },
  { name: 'Types of what runs in the page', run: () => types('src') },
  { name: 'Types of measure', run: () => types('measure') },
  {
    name: 'Lint and format',
    run: async () =>
      check(await runTool('@biomejs/biome', ['check', '--error-on-warnings'], { bin: 'biome', beside: true })),
  },
  { name: 'Unused code', run: async () => check(await runTool('knip', [], { beside: true })) },
  { name: 'Build', run: async () => check(isBuilt() ? 0 : await build([], { beside: true })) },
];

/** @type {Part} */
const UNIT = {
  name: 'Unit and browser tests',
  run: vitest,
  files: (path) => /^(src|measure)\/.*\.test\.tsx?$/.test(path),
};
/** @type {Part} */
const END_TO_END = {
  name: 'End-to-end tests (e2e)',
  run: playwright,
  files: (path) => /^e2e\/.*\.spec\.ts$/.test(path),
};
const PARTS = [...CHECKS, UNIT, END_TO_END];

const testFiles = () =>
  ['src', 'measure', 'e2e'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
      .filter((path) => UNIT.files?.(path) || END_TO_END.files?.(path)),
  );

/**
 * Selects the requested parts: those whose name contains one of `names`; for a name that matches none, the test
 * files whose path contains it.
 *
 * @param {readonly string[]} names
 * @returns {Map<Part, readonly string[]>} the files to run by part; all if empty
 */
const chosen = (names) => {
  if (names.length === 0) return new Map(PARTS.map((part) => [part, []]));
  const files = testFiles();
  /** @type {Map<Part, readonly string[]>} */
  const found = new Map();
  for (const name of names) {
    const parts = PARTS.filter((part) => part.name.toLowerCase().includes(name.toLowerCase()));
    for (const part of parts) found.set(part, []);
    if (parts.length > 0) continue;
    for (const part of [UNIT, END_TO_END]) {
      const some = files.filter((path) => path.includes(name) && part.files?.(path));
      if (some.length > 0) found.set(part, [...(found.get(part) ?? []), ...some]);
    }
  }
  return found;
};

requireNode();
const names = argv.slice(2);
const wanted = chosen(names);
if (wanted.size === 0) {
  console.error(`No part of the tests and no file of theirs is called ${names.join(' or ')}. The parts:`);
  for (const { name } of PARTS) console.error(`    ${name}`);
  process.exit(1);
}

/** @type {[string, Counts][]} */
const results = [];
/** @param {readonly Part[]} parts run in sequence */
const runAll = async (parts) => {
  for (const part of parts) {
    const files = wanted.get(part);
    if (files === undefined) continue;
    console.log(`\n── ${part.name} ──`);
    results.push([part.name, await part.run(files)]);
  }
};

if (await install()) {
  const inPages = wanted.has(UNIT) || wanted.has(END_TO_END);
  if (inPages) results.push(['Browser', check((await getBrowser()) === null ? 1 : 0)]);
  // Single-core and multi-core work fill each other's gaps.
  await Promise.all([runAll(CHECKS), runAll([UNIT])]);
  await runAll([END_TO_END]);
} else results.push(['Install', check(1)]);
rmSync(reports, { recursive: true });

console.log('');
for (const [name, { passed, failed, names: failures }] of results) {
  console.log(`${failed === 0 ? '✓' : '✗'} ${name}: ${passed} passed, ${failed} failed`);
  for (const failure of failures) console.log(`    ${failure}`);
}
const sum = (/** @type {'passed' | 'failed'} */ key) => results.reduce((total, [, counts]) => total + counts[key], 0);
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = sum('failed') === 0 ? 0 : 1;
