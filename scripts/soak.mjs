import { build, isBuilt } from './build.mjs';
import { install } from './install.mjs';
import { requireNode } from './node-version.mjs';
import { run } from './run.mjs';

requireNode();
if (!(await install())) process.exit(1);
if (!isBuilt() && (await build()) !== 0) process.exit(1);
process.exitCode = await run(
  process.execPath,
  ['scripts/run-ts.mjs', 'scripts/soak/main.ts', ...process.argv.slice(2)],
  {
    limit: 24 * 60,
  },
);
