import { build, isBuilt } from './build.mjs';
import { install } from './install.mjs';
import { requireNode } from './node-version.mjs';
import { openBrowser } from './open-browser.mjs';

const FIRST_PORT = 4173;

/** @param {number} port */
const serveFrom = async (port) => {
  // Imported late: it needs the packages that were just installed.
  const { serve } = await import('./serve.mjs');
  const wanted = process.env.PORT;
  try {
    return await serve({ port });
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === 'EADDRINUSE' && wanted === undefined) return serveFrom(port + 1);
    if (code === 'EADDRINUSE') throw new Error(`Port ${port} is taken. Set PORT to another, or leave it out.`);
    throw error;
  }
};

requireNode();
if (!(await install())) process.exit(1);
if (!isBuilt() && (await build()) !== 0) process.exit(1);
try {
  const { address } = await serveFrom(Number(process.env.PORT ?? FIRST_PORT));
  console.log(`\nCoppice is at ${address}\nCtrl+C ends it.`);
  openBrowser(address);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
