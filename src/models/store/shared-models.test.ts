import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hub, startHub } from '../../../e2e/support/hub.ts';
import { MODELS, modelsMissing } from '../../../e2e/support/hub-files.ts';
import { downloadModelFile } from './download.ts';
import { memoryDepot } from './file-store.ts';

describe.skipIf(modelsMissing)(
  'the models of ../shared/models on the hub (skipped where that folder is absent)',
  () => {
    let hub: Hub;
    beforeAll(async () => {
      hub = await startHub();
    });
    afterAll(() => hub.stop());

    it('are listed as the hub lists them, large files with their hash', async () => {
      const tree = await (await fetch(`${hub.address}/api/models/local/stories260K/tree/main?recursive=true`)).json();
      expect(tree).toContainEqual(
        expect.objectContaining({
          path: 'onnx/model.onnx',
          size: 1_190_221,
          lfs: expect.objectContaining({ size: 1_190_221 }),
        }),
      );
      expect(tree).toContainEqual(expect.objectContaining({ path: 'config.json', type: 'file' }));
      const missing = await fetch(`${hub.address}/api/models/local/nobody/tree/main`);
      expect(missing.status).toBe(404);
    });

    it('are downloaded whole, and held to the hash of the list', async () => {
      const tree: { path: string; lfs?: { oid: string } }[] = await (
        await fetch(`${hub.address}/api/models/local/stories260K-gguf/tree/main`)
      ).json();
      const file = tree.find(({ path }) => path.endsWith('.gguf'));
      if (!file?.lfs) throw new Error('no model in the list');
      const url = `${hub.address}/local/stories260K-gguf/resolve/main/${file.path}`;
      const depot = memoryDepot(null);
      await downloadModelFile({ model: { key: 'k', name: 'n' }, url, sha256: file.lfs.oid }, depot, {
        signal: new AbortController().signal,
        onProgress: () => undefined,
        retryAfter: [],
        stalledAfter: 30_000,
      });
      const bytes = Buffer.from((await (await depot.blob(url))?.arrayBuffer()) ?? new ArrayBuffer(0));
      expect(bytes.equals(readFileSync(join(MODELS, 'stories260K-gguf', file.path)))).toBe(true);
    });

    it('leave nothing outside their folders to be had', async () => {
      const outside = await fetch(
        `${hub.address}/local/stories260K/resolve/main/..%2Fstories260K-gguf%2FPROVENANCE.txt`,
      );
      expect(outside.status).toBe(404);
    });
  },
);
