import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runNpm } from './run.mjs';

/** @param {string} file */
const packagesIn = (file) => {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8')).packages;
  } catch {
    return null;
  }
};

/**
 * Whether a list of platforms or processors in the lock file, such as `linux` or `!win32`, includes this machine's.
 *
 * @param {readonly string[] | undefined} list
 * @param {string} own
 */
const includes = (list, own) =>
  list === undefined || list.includes(own) || (list.every((one) => one.startsWith('!')) && !list.includes(`!${own}`));

/** Whether the installed packages match the lock file. npm keeps its own record of what it installed. */
const isInstalled = () => {
  const wanted = packagesIn('package-lock.json');
  const present = packagesIn('node_modules/.package-lock.json');
  if (wanted === null || present === null) return false;
  return Object.entries(wanted).every(([path, { version, optional, os, cpu }]) => {
    if (path === '') return true;
    // An optional package may be for another platform.
    if (present[path] === undefined) return optional === true;
    // Packages copied from another machine are of no use here.
    if (!includes(os, process.platform) || !includes(cpu, process.arch)) return false;
    return present[path].version === version;
  });
};

/**
 * Installs what the lock file specifies, if it is missing.
 *
 * @returns {Promise<boolean>} whether everything is there now
 */
export const install = async () => {
  if (isInstalled()) return true;
  console.log('Installing what Coppice is built with …');
  // Build tools are dev dependencies, needed regardless of NODE_ENV.
  if ((await runNpm(['ci', '--include=dev'])) === 0) return true;
  console.error('npm could not install the dependencies. Check the connection to the npm registry and try again.');
  return false;
};
