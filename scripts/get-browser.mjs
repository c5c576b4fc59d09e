import { spawnSync } from 'node:child_process';
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
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-q'], { env });
  // The shell separately: if the distribution does not have it, tests run in the full browser.
  for (const name of ['chromium', 'chromium-headless-shell'])
    await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', name], { env });
};

const fromPlaywright = () => runTool('@playwright/test', ['install', 'chromium'], { bin: 'playwright', limit: 4 });

/**
 * Finds a Chromium that starts, or installs one: the distribution's package where possible, since it brings its
 * libraries along, else Playwright's own.
 *
 * @returns {Promise<string | null>} null if none is available
 */
export const getBrowser = async () => {
  const present = await startable();
  if (present !== null) return present;
  for (const get of mayInstall() ? [fromDebian, fromPlaywright] : [fromPlaywright]) {
    console.log('No Chromium or Chrome here yet: getting one for the tests …');
    await get();
    const got = await startable();
    if (got !== null) return got;
  }
  console.error('No Chromium or Chrome could be found or installed. Install one, or set CHROME_PATH to it.');
  return null;
};
