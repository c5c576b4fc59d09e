import { createServer } from 'node:http';
import { join } from 'node:path';
import sirv from 'sirv';
import { PAGE_HEADERS } from './page-headers.mjs';
import { root } from './run.mjs';

/**
 * Serves dist/ on localhost only.
 *
 * @param {{ port?: number, base?: string, folder?: string, isolated?: boolean, onRequest?: (request: import('node:http').IncomingMessage) => void }} [options]
 *   `port` 0 picks a free one; `base` is the path it is served under; `folder` replaces dist/; `isolated`: false sends
 *   only headers that a plain static host would send; `onRequest` is told of every request
 * @returns {Promise<{ address: string, close: () => Promise<void> }>} rejects if the port is taken
 */
export const serve = ({
  port = 0,
  base = '/',
  folder = join(root, 'dist'),
  isolated = true,
  onRequest = () => undefined,
} = {}) => {
  const files = sirv(folder, {
    etag: true,
    // Looks every file up again: a new version is served without a restart.
    dev: true,
    setHeaders: (response, path) => {
      if (path.endsWith('.onnx')) response.setHeader('Content-Type', 'application/octet-stream');
      if (isolated) for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
    },
  });
  const server = createServer((request, response) => {
    const url = request.url ?? '/';
    onRequest(request);
    const missing = () => {
      response.writeHead(404).end();
    };
    if (!url.startsWith(base)) return missing();
    request.url = `/${url.slice(base.length)}`;
    files(request, response, missing);
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const { port: taken } = /** @type {import('node:net').AddressInfo} */ (server.address());
      resolve({
        address: `http://127.0.0.1:${taken}${base}`,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            server.closeAllConnections();
          }),
      });
    });
  });
};

/**
 * Serves dist/ on the first free port, unless Coppice itself already answers on it or on one before.
 *
 * @param {number} port
 * @returns {Promise<{ address: string, close: () => Promise<void>, taken: string[], isRunning: boolean }>} `taken`:
 *   addresses where something else answers; `isRunning`: Coppice was there before, and `close` leaves it alone
 */
export const serveOrFind = async (port) => {
  try {
    return { ...(await serve({ port })), taken: [], isRunning: false };
  } catch (error) {
    // Windows reserves ports for virtual machines, and answers EACCES there.
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    const address = `http://127.0.0.1:${port}/`;
    if (await isCoppice(address)) return { address, close: async () => undefined, taken: [], isRunning: true };
    const found = await serveOrFind(port + 1);
    return { ...found, taken: [address, ...found.taken] };
  }
};

/** @param {string} address */
const isCoppice = async (address) => {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(2000) });
    return (await response.text()).includes('<title>Coppice</title>');
  } catch {
    return false;
  }
};
