import { prebuiltAppConfig } from '@mlc-ai/web-llm';
import { describe, expect, it } from 'vitest';
import { buildFor, downloadOf, webLlmModels } from './known-models.ts';

/** Both builds of each model, as listed by the installed library. */
const fromLibrary = () =>
  webLlmModels
    .flatMap(({ spec }) => [spec.modelId, spec.modelId.replace('q4f16', 'q4f32')])
    .flatMap((id) => prebuiltAppConfig.model_list.filter(({ model_id }) => model_id === id))
    .map((record) => ({
      id: record.model_id,
      vramMB: record.vram_required_MB,
      bindingBytes: record.buffer_size_required_bytes ?? 0,
    }));

describe('the models of WebLLM', () => {
  // After an update of the library: npx vitest run --project unit src/models/catalogue --update
  it('are those that the installed library has, with its own figures', async () => {
    await expect(`${JSON.stringify(fromLibrary(), null, 2)}\n`).toMatchFileSnapshot('webllm-builds.json');
  });

  it('all have a build for 16-bit shaders, and all but Gemma 3 one for GPUs without', () => {
    expect(webLlmModels.every((model) => buildFor(model, true)?.id === model.spec.modelId)).toBe(true);
    expect(webLlmModels.filter((model) => buildFor(model, false) === null).map(({ name }) => name)).toEqual([
      'Gemma 3 1B',
    ]);
  });

  // Sizes of the repositories mlc-ai/…-q4f16_1-MLC plus the compiled library, as published with their hashes by others.
  it.each([
    ['Qwen3 0.6B', 357_053_132],
    ['Qwen3 1.7B', 989_722_832],
    ['Qwen3 4B', 2_285_014_203],
  ])('download what is known of %s, within one per cent', (name, known) => {
    const model = webLlmModels.find((one) => one.name === name);
    const build = model && buildFor(model, true);
    if (!model || !build) throw new Error('not in the list');
    expect(Math.abs(downloadOf(model, build) / known - 1)).toBeLessThan(0.01);
  });
});
