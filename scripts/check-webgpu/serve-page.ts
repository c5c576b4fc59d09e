import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, preview } from 'vite';
import { root } from '../run.mjs';

/** Builds the page next to this file the way the app is built, and serves it on localhost only. */
export const servePage = async (): Promise<{ address: string; close: () => Promise<void> }> => {
  const outDir = await mkdtemp(join(tmpdir(), 'coppice-webgpu-'));
  const config = {
    configFile: false,
    root: join(root, 'scripts', 'check-webgpu'),
    logLevel: 'error',
    worker: { format: 'es' },
    build: { outDir, chunkSizeWarningLimit: 10_000 },
  } as const;
  await build(config);
  const server = await preview({ ...config, preview: { port: 0, host: '127.0.0.1' } });
  return {
    address: server.resolvedUrls?.local[0] as string,
    close: async () => {
      await server.close();
      await rm(outDir, { recursive: true });
    },
  };
};
