import { spawnSync } from 'node:child_process';
import { env } from 'node:process';
import { findBrowser, isStartable } from './find-browser.mjs';
import { run, runTool } from './run.mjs';

/** Returns the browser that was found, if it starts. */
const startable = async () => {
  const file = await findBrowser();
  return file !== null && isStartable(file) ? file : null;
};

const mayInstall = () =>
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status === 0;

const fromDebian = async () => {
  const options = { env: { DEBIAN_FRONTEND: 'noninteractive' } };
  await run('apt-get', ['update', '-q'], options);
  // The shell separately: if the distribution does not have it, tests run in the full browser.
  for (const name of ['chromium', 'chromium-headless-shell'])
    await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', name], options);
};

/** Some 300 MB, which may be on their way for long. In minutes. */
const DOWNLOAD_LIMIT = 30;

const fromPlaywright = () =>
  runTool('@playwright/test', ['install', 'chromium'], { bin: 'playwright', limit: DOWNLOAD_LIMIT });

/**
 * Finds a Chromium that starts, or installs one: the distribution's package where possible, since it brings its
 * libraries along, else Playwright's own.
 *
 * @returns {Promise<string | null>} null if none is available
 */
export const getBrowser = async () => {
  const present = await startable();
  if (present !== null) return present;
  if (env.CHROME_PATH) {
    console.error(
      `No browser starts at ${env.CHROME_PATH}, which CHROME_PATH names. Correct CHROME_PATH, or unset it.`,
    );
    return null;
  }
  for (const get of mayInstall() ? [fromDebian, fromPlaywright] : [fromPlaywright]) {
    console.log('No Chromium or Chrome here yet: getting one for the tests …');
    await get();
    const got = await startable();
    if (got !== null) return got;
  }
  const broken = await findBrowser();
  console.error(
    broken === null
      ? 'No Chromium or Chrome could be found or installed. Install one, or set CHROME_PATH to it.'
      : `${broken} does not start; system libraries may be missing. Run “npx playwright install-deps chromium” as an administrator, or set CHROME_PATH to another browser.`,
  );
  return null;
};
