import { describe, expect, test } from 'vitest';
import { planOf } from './load-llama.ts';

const machine = { gpu: false, threads: 1, memory: 8 };
const llama = (more: Record<string, string | number>) =>
  new Map<string, string | number>([
    ['general.architecture', 'llama'],
    ...Object.entries(more).map(([key, value]) => [`llama.${key}`, value] as const),
  ]);

describe('the window', () => {
  test('is never longer than the model was trained for', () => {
    expect(planOf(llama({ context_length: 512, block_count: 5, embedding_length: 64 }), machine, false).n_ctx).toBe(
      512,
    );
  });

  test('is shorter where there is little memory', () => {
    const small = llama({
      context_length: 131_072,
      block_count: 16,
      embedding_length: 1024,
      'attention.head_count': 16,
    });
    expect(planOf(small, machine, false).n_ctx).toBe(8192);
    expect(planOf(small, { ...machine, memory: 4 }, false).n_ctx).toBe(4096);
  });

  test('is what its cache may take where the model is large', () => {
    const large = llama({
      context_length: 32_768,
      block_count: 64,
      embedding_length: 8192,
      'attention.head_count': 64,
      'attention.head_count_kv': 8,
    });
    // 64 layers of 8 heads of 2 × 128 values of 2 bytes: 256 KiB per token.
    const plan = planOf(large, machine, false);
    expect(plan.n_ctx).toBe(3072);
    expect(plan.cache_type_k).toBe('q8_0');
  });
});

test('an embedder takes a text in one batch, and pools as it says or by the mean', () => {
  const bert = new Map<string, string | number>([
    ['general.architecture', 'bert'],
    ['bert.context_length', 512],
    ['bert.pooling_type', 2],
  ]);
  expect(planOf(bert, machine, true)).toMatchObject({ n_ctx: 512, n_batch: 512, n_ubatch: 512 });
  expect(planOf(bert, machine, true).pooling_type).toBeUndefined();
  expect(planOf(llama({ context_length: 512 }), machine, true).pooling_type).toBe('mean');
});

test('the GPU takes all layers or none', () => {
  expect(planOf(llama({}), machine, false).n_gpu_layers).toBe(0);
  expect(planOf(llama({}), { ...machine, gpu: true }, false).n_gpu_layers).toBeGreaterThan(100);
});
