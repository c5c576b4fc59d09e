import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** Exits with instructions if Node is too old for the project. */
export const requireNode = () => {
  const [major, minor] = engines.node.replace(/^\D+/, '').split('.').map(Number);
  const [hasMajor = 0, hasMinor = 0] = process.versions.node.split('.').map(Number);
  if (hasMajor > major || (hasMajor === major && hasMinor >= minor)) return;
  console.error(
    `Coppice needs Node ${major}.${minor} or newer; this is Node ${process.versions.node}. Install a newer one and run the command again.`,
  );
  process.exit(1);
};
