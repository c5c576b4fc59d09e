import { describe, expect, test } from 'vitest';
import { readGgufHeader } from './gguf.ts';
import { ggufFile } from './testing/gguf-file.ts';

const read = (bytes: Uint8Array<ArrayBuffer>) => readGgufHeader(new Blob([bytes]), 'model.gguf');

describe('a GGUF file', () => {
  test('tells what it is and how long it has to be', async () => {
    const file = ggufFile({
      metadata: { 'general.architecture': 'llama', 'llama.context_length': 512, 'tokenizer.ggml.tokens': ['<s>', 'a'] },
      tensors: [{ name: 'weights', dimensions: [32, 4], type: 8 }],
    });
    const { metadata, bytes } = await read(file);
    expect(metadata.get('general.architecture')).toBe('llama');
    expect(metadata.get('llama.context_length')).toBe(512);
    expect(metadata.get('tokenizer.ggml.tokens')).toBe(2);
    // 128 weights in Q8_0: four blocks of 34 bytes.
    expect(bytes).toBe(file.length);
  });

  test.each([34, 35, 39] as const)('has its length checked in ternary and four-bit formats, too (%s)', async (type) => {
    const file = ggufFile({ metadata: {}, tensors: [{ name: 'weights', dimensions: [256, 3], type }] });
    expect((await read(file)).bytes).toBe(file.length);
    await expect(read(file.slice(0, -1))).rejects.toMatchObject({ kind: 'corrupt' });
  });

  test('of which the end is missing is corrupt, with the number of bytes', async () => {
    const file = ggufFile({ metadata: {}, tensors: [{ name: 'weights', dimensions: [1000], type: 0 }] });
    await expect(read(file.slice(0, -1))).rejects.toMatchObject({
      kind: 'corrupt',
      message: expect.stringContaining(`${(file.length - 1).toLocaleString('en')} of`),
    });
    await expect(read(file.slice(0, 40))).rejects.toMatchObject({ kind: 'corrupt' });
  });

  test('that is something else is corrupt', async () => {
    const page = new TextEncoder().encode('<!doctype html><title>Not found</title>');
    await expect(read(page)).rejects.toMatchObject({ kind: 'corrupt', message: expect.stringContaining('not a GGUF') });
    await expect(read(new Uint8Array())).rejects.toMatchObject({ kind: 'corrupt' });
  });

  test('with a header of nonsense is corrupt, and does not take for ever', async () => {
    const file = ggufFile({ metadata: { a: 1 }, tensors: [] });
    new DataView(file.buffer).setBigUint64(8, 2n ** 60n, true);
    await expect(read(file)).rejects.toMatchObject({ kind: 'corrupt' });
  });
});
