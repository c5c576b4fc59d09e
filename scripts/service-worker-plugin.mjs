import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { PAGE_HEADERS } from './page-headers.mjs';

const ENTRY = 'src/features/installed/service-worker.ts';
const NAME = 'service-worker.js';

/** Size limit in bytes: larger files are cached only once they are used, except those needed by the embedded models. */
const LARGE = 2 * 1024 * 1024;
const EMBEDDED = [/^models\//, /ort-wasm-simd-threaded-/];
/** Also cached only once they are used: 160 small files that only a PDF in Chinese, Japanese or Korean may need. */
const CHARACTER_MAPS = /\.bcmap$/;
/** Names that contain a hash from Vite. */
const HASHED = /^assets\/.*-[\w-]{8}\.\w+$/;

/**
 * Builds the service worker along with the page, including the list of files to cache.
 *
 * @returns {import('vite').Plugin}
 */
export const serviceWorker = () => {
  /** @type {import('vite').ResolvedConfig} */
  let config;
  return {
    name: 'service-worker',
    apply: 'build',
    configResolved: (resolved) => {
      config = resolved;
    },
    closeBundle: {
      sequential: true,
      handler: async () => {
        const folder = resolve(config.root, config.build.outDir);
        await build({
          configFile: false,
          root: config.root,
          publicDir: false,
          logLevel: 'warn',
          define: {
            BUILT: JSON.stringify(await builtFiles(folder, config.base)),
            'process.env.NODE_ENV': '"production"',
          },
          build: {
            outDir: folder,
            emptyOutDir: false,
            rollupOptions: { input: join(config.root, ENTRY), output: { format: 'iife', entryFileNames: NAME } },
          },
        });
      },
    },
  };
};

/**
 * Lists what was built, by addresses relative to the service worker.
 *
 * @param {string} folder
 * @param {string} base what Vite puts before each address in the page
 */
export const builtFiles = async (folder, base) => {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const urls = found
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((url) => url !== NAME && !url.startsWith('screenshots/'))
    .sort();
  /** @type {{ url: string, revision: string | null }[]} */
  const page = [];
  const runtimes = [];
  for (const url of urls) {
    const { size } = await stat(join(folder, url));
    const isLarge = size > LARGE && !EMBEDDED.some((pattern) => pattern.test(url));
    if (isLarge || CHARACTER_MAPS.test(url)) runtimes.push(url);
    else page.push({ url, revision: HASHED.test(url) ? null : await hashOf(join(folder, url)) });
  }
  const html = await readFile(join(folder, 'index.html'), 'utf8');
  const first = [...html.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, url = '']) =>
    url.startsWith(base) ? url.slice(base.length) : url,
  );
  const lacking = first.filter((url) => !page.some((file) => file.url === url));
  // The service worker would fetch the page at every visit, since it never found all of it cached.
  if (lacking.length > 0) throw new Error(`What the page needs to open is not cached: ${lacking.join(', ')}`);
  return { page, first, runtimes, headers: PAGE_HEADERS };
};

/** @param {string} path */
const hashOf = async (path) =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
    .slice(0, 16);
