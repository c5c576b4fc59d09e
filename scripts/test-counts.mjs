import { readFileSync } from 'node:fs';

/** @typedef {{ passed: number, failed: number }} Counts */

/** @param {string} report */
const read = (report) => {
  try {
    return JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return null;
  }
};

/**
 * A run that ran nothing has failed, and so has one that ended badly though every test it ran passed.
 *
 * @param {Counts} counts
 * @param {number} status
 */
const honest = ({ passed, failed }, status) =>
  failed === 0 && (status !== 0 || passed === 0) ? { passed, failed: 1 } : { passed, failed };

/**
 * @param {string} report Vitest's JSON
 * @param {number} status the run's exit status
 */
export const readVitest = (report, status) => {
  const result = read(report);
  if (result === null) return { passed: 0, failed: 1 };
  // A file that could not be loaded has no tests to count, but counts as a failure.
  const broken = result.testResults.filter(
    (/** @type {{ status: string, assertionResults: unknown[] }} */ file) =>
      file.status === 'failed' && file.assertionResults.length === 0,
  ).length;
  return honest({ passed: result.numPassedTests, failed: result.numFailedTests + broken }, status);
};

/**
 * @param {string} report Playwright's JSON
 * @param {number} status the run's exit status
 */
export const readPlaywright = (report, status) => {
  const result = read(report);
  if (result === null) return { passed: 0, failed: 1 };
  const { expected, unexpected, flaky } = result.stats;
  return honest({ passed: expected, failed: unexpected + flaky }, status);
};
