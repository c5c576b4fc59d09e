import { createServer } from 'node:http';
import { join } from 'node:path';
import sirv from 'sirv';
import { root } from './run.mjs';

/**
 * Serves dist/ to this machine alone.
 *
 * @param {{ port?: number, base?: string }} [options] `port` 0 takes any free one; `base` is the path it is served under
 * @returns {Promise<{ address: string, close: () => Promise<void> }>} rejects if the port is taken
 */
export const serve = ({ port = 0, base = '/' } = {}) => {
  const files = sirv(join(root, 'dist'), {
    etag: true,
    setHeaders: (response, path) => {
      // WASM may use several threads only in a page that shares nothing with others. The page works without, on one.
      response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
      response.setHeader('Cross-Origin-Embedder-Policy', 'credentialless');
      if (path.endsWith('.onnx')) response.setHeader('Content-Type', 'application/octet-stream');
    },
  });
  const server = createServer((request, response) => {
    const url = request.url ?? '/';
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
