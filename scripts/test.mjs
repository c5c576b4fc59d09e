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
const check = (status) => ({ passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, skipped: 0, names: [] });

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
 * @typedef {{ key: string, name: string, run: (files: readonly string[]) => Promise<Counts>, files?: RegExp }} Part
 * `key`: what it is called on the command line; `files`: the test files that it can run individually
 */

/** Checks that read the sources and open no page. @type {readonly Part[]} */
const CHECKS = [
  { key: 'types', name: 'Types', run: () => types('.') },
  { key: 'types', name: 'Types of what runs in the page', run: () => types('src') },
  { key: 'types', name: 'Types of measure', run: () => types('measure') },
  {
    key: 'lint',
    name: 'Lint and format',
    run: async () =>
      check(await runTool('@biomejs/biome', ['check', '--error-on-warnings'], { bin: 'biome', beside: true })),
  },
  { key: 'unused', name: 'Unused code', run: async () => check(await runTool('knip', [], { beside: true })) },
  { key: 'build', name: 'Build', run: async () => check(isBuilt() ? 0 : await build([], { beside: true })) },
];

/** @type {Part} */
const UNIT = {
  key: 'unit',
  name: 'Unit and browser tests',
  run: vitest,
  files: /^(src|measure|scripts)\/.*\.test\.tsx?$/,
};
/** @type {Part} */
const END_TO_END = { key: 'e2e', name: 'End-to-end tests', run: playwright, files: /^e2e\/.*\.spec\.ts$/ };
const PARTS = [...CHECKS, UNIT, END_TO_END];
const KEYS = new Set(PARTS.map(({ key }) => key));

requireNode();
const names = argv.slice(2);
const paths = names.filter((name) => !KEYS.has(name));
const files = ['src', 'measure', 'scripts', 'e2e'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => UNIT.files?.test(path) || END_TO_END.files?.test(path)),
);
const unknown = paths.filter((name) => !files.some((file) => file.includes(name)));
if (unknown.length > 0) {
  for (const name of unknown) console.error(`${name} is neither a part of the tests nor in the path of a test file.`);
  console.error(`The parts: ${[...KEYS].join(', ')}.`);
  process.exit(1);
}

const asked = files.filter((file) => paths.some((name) => file.includes(name)));
/** The requested parts, each with the files to run, or none to run all. @type {Map<Part, readonly string[]>} */
const wanted = new Map();
for (const part of PARTS) {
  const some = asked.filter((file) => part.files?.test(file));
  if (names.length === 0 || names.includes(part.key)) wanted.set(part, []);
  else if (some.length > 0) wanted.set(part, some);
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
const sum = (/** @type {'passed' | 'failed' | 'skipped'} */ key) =>
  results.reduce((total, [, counts]) => total + counts[key], 0);
console.log('');
if (sum('skipped') > 0) {
  console.log(`${sum('skipped')} skipped: they need data or models of ../shared, or a GPU, and there is none`);
}
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = sum('failed') === 0 ? 0 : 1;
