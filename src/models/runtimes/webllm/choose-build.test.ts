import { prebuiltAppConfig } from '@mlc-ai/web-llm';
import { describe, expect, test } from 'vitest';
import { chooseBuild } from './load-webllm.ts';

const HUB = 'https://huggingface.co';
const own = (modelId: string) => ({ runtime: 'webllm' as const, modelId, custom: null });
const custom = (modelId: string, weights: string, library = 'https://x.example/m.wasm') => ({
  runtime: 'webllm' as const,
  modelId,
  custom: { weights, library },
});
const choose = (spec: Parameters<typeof chooseBuild>[0], { f16 = true, hub = HUB } = {}) =>
  chooseBuild(spec, prebuiltAppConfig.model_list, hub, f16);

describe('a model of the library’s list', () => {
  test('is fetched from the hub that is set, and asked for under its own address', () => {
    expect(choose(own('Qwen3-0.6B-q4f16_1-MLC'), { hub: 'http://mirror.example/hf' })).toMatchObject({
      name: 'Qwen3-0.6B-q4f16_1 (WebLLM, WebGPU)',
      source: 'http://mirror.example/hf/mlc-ai/Qwen3-0.6B-q4f16_1-MLC/resolve/main/',
      record: { model: 'https://huggingface.co/mlc-ai/Qwen3-0.6B-q4f16_1-MLC/resolve/main/' },
    });
  });

  test('is its 32-bit build where the GPU has no 16-bit shaders, and says so', () => {
    const { record, name } = choose(own('Llama-3.2-1B-Instruct-q4f16_1-MLC'), { f16: false });
    expect(record.model_id).toBe('Llama-3.2-1B-Instruct-q4f32_1-MLC');
    expect(name).toBe('Llama-3.2-1B-Instruct-q4f32_1 (WebLLM, WebGPU without shader-f16)');
    expect(choose(own('Qwen3-0.6B-q4f32_1-MLC'), { f16: false }).name).toBe('Qwen3-0.6B-q4f32_1 (WebLLM, WebGPU)');
  });

  test('every 16-bit build has a 32-bit one or is refused by name', () => {
    for (const { model_id, model_type } of prebuiltAppConfig.model_list) {
      if (model_type === 1) continue;
      try {
        const { record } = choose(own(model_id), { f16: false });
        expect(record.required_features ?? []).not.toContain('shader-f16');
        expect(record.model_id).not.toMatch(/q\df16/);
      } catch (error) {
        expect(error).toMatchObject({ kind: 'no-shader-f16', message: expect.stringContaining(model_id) });
      }
    }
  });

  test('that is not in it, or does not write, is refused', () => {
    expect(() => choose(own('Nobody-7B'))).toThrow(expect.objectContaining({ kind: 'not-found' }));
    expect(() => choose(own('snowflake-arctic-embed-s-q0f32-MLC-b4'))).toThrow(
      expect.objectContaining({ kind: 'unsupported' }),
    );
  });
});

describe('a model of the person’s own', () => {
  test.each([
    ['https://huggingface.co/me/mine', 'https://huggingface.co/me/mine/resolve/main/'],
    ['https://huggingface.co/me/mine/resolve/v2/', 'https://huggingface.co/me/mine/resolve/v2/'],
    ['http://127.0.0.1:8000/models/mine', 'http://127.0.0.1:8000/models/mine/'],
  ])('of %s is fetched from %s', (weights, source) => {
    const build = choose(custom('mine', weights));
    expect(build.source).toBe(source);
    // The form that the library gives to every address.
    expect(build.record.model).toMatch(/\/resolve\/[^/]+\/$/);
  });

  test.each([
    ['mine-q4f16_1', 'https://x.example/m.wasm'],
    ['mine', 'https://x.example/mine-q4f16_1-webgpu.wasm'],
  ])('%s by %s needs 16-bit shaders', (modelId, library) => {
    const spec = custom(modelId, 'https://x.example/m', library);
    expect(() => choose(spec, { f16: false })).toThrow(expect.objectContaining({ kind: 'no-shader-f16' }));
    expect(choose(spec).record.model_lib).toBe(library);
  });
});
