import { expect, test } from 'vitest';
import { shardFiles } from './webllm-cache.ts';

const place = {
  folder: 'https://huggingface.co/me/mine/resolve/main/',
  source: 'https://hub.example/me/mine/resolve/main/',
  library: 'https://hub.example/mine.wasm',
};
const shards = (dataPath: string) => shardFiles(place, { records: [{ dataPath, nbytes: 1 }] });

test('a shard lies in the folder of its model', () => {
  expect(shards('params/shard_0.bin')).toMatchObject([
    { url: `${place.folder}params/shard_0.bin`, source: `${place.source}params/shard_0.bin` },
  ]);
});

test.each([
  'https://tracker.example/shard_0.bin',
  '//tracker.example/shard_0.bin',
  '/shard_0.bin',
  '../../../../mlc-ai/another/resolve/main/shard_0.bin',
  'http://',
])('a model that names %s as a shard is refused', (dataPath) => {
  expect(() => shards(dataPath)).toThrow(expect.objectContaining({ kind: 'corrupt' }));
});
