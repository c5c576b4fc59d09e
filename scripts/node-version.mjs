import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

const numbersIn = (/** @type {string} */ text) => (text.match(/\d+/g) ?? []).map(Number);

/**
 * Whether the project runs on this version of Node, by the ranges in package.json: `^20.19.0` and `>=22.12.0`.
 *
 * @param {string} version
 */
export const isSupported = (version) => {
  const [hasMajor = 0, hasMinor = 0] = numbersIn(version);
  return engines.node.split('||').some((/** @type {string} */ range) => {
    const [major = 0, minor = 0] = numbersIn(range);
    return hasMajor === major ? hasMinor >= minor : hasMajor > major && range.includes('>=');
  });
};

/** Exits with instructions if the project does not run on this version of Node. */
export const requireNode = () => {
  if (isSupported(process.versions.node)) return;
  console.error(
    `Coppice needs Node ${engines.node.replace('||', 'or')}; this is Node ${process.versions.node}. Install one of those and run the command again.`,
  );
  process.exit(1);
};
