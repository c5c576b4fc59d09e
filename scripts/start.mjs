import { build, isBuilt } from './build.mjs';
import { install } from './install.mjs';
import { requireNode } from './node-version.mjs';
import { openBrowser } from './open-browser.mjs';

const FIRST_PORT = 4173;

/** Serves where PORT says, or where it finds a place, and returns the address. */
const start = async () => {
  // Imported late: it needs the packages that were just installed.
  const { serve, serveOrFind } = await import('./serve.mjs');
  const wanted = process.env.PORT;
  if (wanted === undefined) {
    const { address, taken, isRunning } = await serveOrFind(FIRST_PORT);
    for (const other of taken)
      console.log(`\nAnother program is at ${other}. Conversations kept at that address appear only there.`);
    console.log(
      isRunning ? `\nCoppice is already running at ${address}` : `\nCoppice is at ${address}\nCtrl+C ends it.`,
    );
    return address;
  }
  try {
    const { address } = await serve({ port: Number(wanted) });
    console.log(`\nCoppice is at ${address}\nCtrl+C ends it.`);
    return address;
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === 'EADDRINUSE') throw new Error(`Port ${wanted} is taken. Set PORT to another, or leave it out.`);
    throw error;
  }
};

requireNode();
if (!(await install())) process.exit(1);
if (!isBuilt() && (await build()) !== 0) process.exit(1);
try {
  openBrowser(await start());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
