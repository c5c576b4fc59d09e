import { readdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { pathToFileURL } from 'node:url';
import { install } from './install.mjs';
import { requireNode } from './node-version.mjs';
import { root, runTool } from './run.mjs';

const SOURCES = [
  'src',
  'public',
  'index.html',
  'package.json',
  'package-lock.json',
  'vite.config.ts',
  'scripts/page-headers.mjs',
  'scripts/service-worker-plugin.mjs',
];

/** Present only in what a complete build without options left: every build empties the folder first. */
const STAMP = join('dist', '.built');

/**
 * Returns when a file, or the newest file in a folder, was last modified; 0 if there is none.
 *
 * @param {string} path
 * @returns {number}
 */
const changedAt = (path) => {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))));
};

/** Whether dist/ is complete, built without options, and up to date with the sources. */
export const isBuilt = (folder = root) =>
  changedAt(join(folder, STAMP)) > Math.max(...SOURCES.map((name) => changedAt(join(folder, name))));

/** Builds the static site into dist/, with Vite options such as `--base /sub/`. Returns the exit status. */
export const build = async (/** @type {readonly string[]} */ options = [], { beside = false } = {}) => {
  const status = await runTool('vite', ['build', ...options], { beside });
  if (status === 0 && options.length === 0) writeFileSync(join(root, STAMP), '');
  return status;
};

// Node follows links to a module, but not in how it names it here.
if (argv[1] !== undefined && import.meta.url === pathToFileURL(realpathSync(argv[1])).href) {
  requireNode();
  process.exitCode = (await install()) ? await build(argv.slice(2)) : 1;
}
