import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Runs a command in the project's root, without input; its output is passed through, or printed when it ends if
 * other commands run in parallel (`beside`).
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string>, shell?: boolean, limit?: number, beside?: boolean }} [options] `limit` in minutes
 * @returns {Promise<number>} its exit status; 1 if it could not start or was stopped
 */
export const run = (command, args, { env = {}, shell = false, limit = 15, beside = false } = {}) =>
  new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      shell,
      stdio: beside ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
      timeout: limit * 60_000,
      killSignal: 'SIGKILL',
    });
    child.on('error', (error) => {
      console.error(`${command}: ${error.message}`);
      resolve(1);
    });
    /** @type {Buffer[]} */
    const said = [];
    child.stdout?.on('data', (part) => said.push(part));
    child.stderr?.on('data', (part) => said.push(part));
    child.on('close', (code) => {
      if (beside) process.stdout.write(Buffer.concat(said));
      resolve(code ?? 1);
    });
  });

/**
 * Runs the binary of an installed package, bypassing the shims that differ between platforms.
 *
 * @param {string} name of the package
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string>, bin?: string, limit?: number, beside?: boolean }} [options] `bin` if it differs from the package's name
 */
export const runTool = (name, args, { bin = name, ...options } = {}) => {
  const folder = join(root, 'node_modules', name);
  const entries = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).bin;
  const entry = typeof entries === 'string' ? entries : entries[bin];
  return run(process.execPath, [join(folder, entry), ...args], options);
};

/**
 * Runs npm, using the one that started this script if there is one.
 *
 * @param {readonly string[]} args
 */
export const runNpm = (args) => {
  const npm = process.env.npm_execpath;
  // Another package manager names itself there.
  if (npm !== undefined && basename(npm) === 'npm-cli.js') return run(process.execPath, [npm, ...args]);
  return run('npm', args, { shell: process.platform === 'win32' });
};
