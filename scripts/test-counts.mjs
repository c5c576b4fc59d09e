import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './run.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number, names: readonly string[] }} Counts `names` of the failures */

/** @type {Counts} */
const NO_REPORT = { passed: 0, failed: 1, skipped: 0, names: ['The run ended before it wrote its report; see above.'] };

/** @param {string} report */
const read = (report) => {
  try {
    return JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return null;
  }
};

/** @param {string} text */
const firstLine = (text) => stripVTControlCharacters(text).trim().split('\n', 1)[0] ?? '';

/**
 * A run without tests counts as failed, as does one that exited with an error although every test passed.
 *
 * @param {Counts} counts
 * @param {number} status
 * @returns {Counts}
 */
const honest = (counts, status) =>
  counts.failed === 0 && (status !== 0 || counts.passed + counts.skipped === 0) ? { ...counts, failed: 1 } : counts;

/**
 * @typedef {{ name: string, status: string, message: string,
 *   assertionResults: { status: string, fullName: string }[] }} TestedFile
 */

/**
 * @param {string} report Vitest's JSON
 * @param {number} status the run's exit status
 */
export const readVitest = (report, status) => {
  const result = read(report);
  if (result === null) return NO_REPORT;
  const names = result.testResults.flatMap((/** @type {TestedFile} */ file) => {
    const path = relative(root, file.name);
    // A file that failed to load has no tests but counts as a failure.
    if (file.status === 'failed' && file.assertionResults.length === 0) return [`${path}: ${firstLine(file.message)}`];
    const failed = file.assertionResults.filter((test) => test.status === 'failed');
    return failed.map(({ fullName }) => `${path} › ${fullName}`);
  });
  const skipped = result.numPendingTests + result.numTodoTests;
  return honest({ passed: result.numPassedTests, failed: names.length, skipped, names }, status);
};

/**
 * @typedef {{ title: string, file: string, line: number, tests: { status: string }[] }} Spec
 * @typedef {{ title: string, specs: Spec[], suites?: Suite[] }} Suite
 */

/**
 * @param {Suite} suite
 * @param {string} within titles of the enclosing suites
 * @returns {string[]}
 */
const failedIn = ({ specs, suites = [] }, within = '') => [
  ...specs
    .filter(({ tests }) => tests.some(({ status }) => status === 'unexpected' || status === 'flaky'))
    .map(({ title, file, line }) => `e2e/${file}:${line} › ${within}${title}`),
  ...suites.flatMap((suite) => failedIn(suite, `${within}${suite.title} › `)),
];

/**
 * @param {string} report Playwright's JSON
 * @param {number} status the run's exit status
 */
export const readPlaywright = (report, status) => {
  const result = read(report);
  if (result === null) return NO_REPORT;
  const { expected, unexpected, flaky, skipped } = result.stats;
  const names = [
    ...result.suites.flatMap((/** @type {Suite} */ file) => failedIn(file)),
    // Errors outside any test, such as a run that took too long.
    ...result.errors.map((/** @type {{ message?: string }} */ { message }) => firstLine(message ?? 'unknown error')),
  ];
  return honest({ passed: expected, failed: unexpected + flaky, skipped, names }, status);
};
