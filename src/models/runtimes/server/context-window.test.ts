import { afterEach, describe, expect, test } from 'vitest';
import { serverRuntime } from './server-runtime.ts';
import { loading } from './testing/asking.ts';
import { type OpenAiServer, type OpenAiServerOptions, startOpenAiServer } from './testing/open-ai-server.ts';

let server: OpenAiServer;
afterEach(() => server.close());

const windowOf = async (entry: Record<string, unknown>, also: OpenAiServerOptions['also'] = {}) => {
  const listed = { id: 'm', ...entry };
  server = await startOpenAiServer({ models: [listed], also });
  const spec = { runtime: 'server', baseUrl: server.address, model: listed.id } as const;
  const { window, name } = await serverRuntime({ keyFor: () => '' }).loadGenerator(spec, loading());
  return { window, assumed: name.includes('window assumed') };
};

test.each<[string, Record<string, unknown>, Record<string, unknown>, number]>([
  ['vLLM lists it', { owned_by: 'vllm', max_model_len: 32768 }, {}, 32768],
  [
    'llama.cpp: what it was started with',
    { owned_by: 'llamacpp', meta: { n_ctx_train: 40960 } },
    { '/props': { default_generation_settings: { n_ctx: 2048 } } },
    2048,
  ],
  [
    'llama.cpp that tells no more: what the model was trained for',
    { owned_by: 'llamacpp', meta: { n_ctx_train: 40960 } },
    {},
    40960,
  ],
  [
    'LM Studio: what it loaded it with',
    { owned_by: 'organization_owner' },
    { '/api/v0/models': { data: [{ id: 'm', max_context_length: 32768, loaded_context_length: 4000 }] } },
    4000,
  ],
  [
    'Ollama: as it runs',
    { owned_by: 'library' },
    { '/api/ps': { models: [{ name: 'm:latest', context_length: 16384 }] } },
    16384,
  ],
  [
    'Ollama: as its file sets it',
    { owned_by: 'library' },
    { '/api/ps': { models: [] }, '/api/show': { parameters: 'stop "x"\nnum_ctx    6000', model_info: {} } },
    6000,
  ],
  ['OpenRouter lists it', { context_length: 131072 }, {}, 131072],
])('%s', async (_, entry, also, tokens) => {
  expect(await windowOf(entry, also)).toEqual({ window: tokens, assumed: false });
});

test.each([
  [131_072, 4096],
  [2048, 2048],
])('LM Studio tells of a model made for %d that is not loaded: its default, as a guess', async (max, tokens) => {
  const also = { '/api/v0/models': { data: [{ id: 'm', state: 'not-loaded', max_context_length: max }] } };
  expect(await windowOf({ owned_by: 'organization_owner' }, also)).toEqual({ window: tokens, assumed: true });
});

test.each([
  [131_072, 4096],
  [2048, 2048],
])(
  'Ollama tells of a model made for %d that is not loaded: the least of its defaults, as a guess',
  async (max, tokens) => {
    const also = { '/api/show': { model_info: { 'qwen3.context_length': max } } };
    expect(await windowOf({ owned_by: 'library' }, also)).toEqual({ window: tokens, assumed: true });
  },
);

test.each(['gpt-oss:120b-cloud', 'glm-4.6:cloud'])(
  'Ollama gives %s, which runs elsewhere, all it was made for',
  async (id) => {
    const also = { '/api/show': { model_info: { 'gptoss.context_length': 131_072 } } };
    expect(await windowOf({ id, owned_by: 'library' }, also)).toEqual({ window: 131_072, assumed: false });
  },
);

test('where nobody tells, a careful guess, that the name owns up to', async () => {
  expect(await windowOf({})).toEqual({ window: 8192, assumed: true });
  await server.close();
  expect(await windowOf({ owned_by: 'library' }, { '/api/show': 'nonsense' })).toEqual({ window: 8192, assumed: true });
});

test('texts are estimated to cost more in scripts whose letters do', async () => {
  const { estimatedTokens } = await import('../runtime.ts');
  expect(['', 'four', 'fourteen letters', 'Москва', '東京都'].map(estimatedTokens)).toEqual([0, 1, 4, 3, 3]);
});

describe('whether a model sees is told by', () => {
  const sees = async (id: string, entry: Record<string, unknown>, also: OpenAiServerOptions['also'] = {}) => {
    server = await startOpenAiServer({ models: [{ id, ...entry }], also });
    const spec = { runtime: 'server', baseUrl: server.address, model: id } as const;
    return (await serverRuntime({ keyFor: () => '' }).loadGenerator(spec, loading())).sees;
  };
  const props = { default_generation_settings: { n_ctx: 2048 } };

  test.each<[string, boolean, string, Record<string, unknown>, Record<string, unknown>]>([
    ['llama.cpp', true, 'm', { owned_by: 'llamacpp' }, { '/props': { ...props, modalities: { vision: true } } }],
    [
      'llama.cpp, not',
      false,
      'llava',
      { owned_by: 'llamacpp' },
      { '/props': { ...props, modalities: { vision: false } } },
    ],
    [
      'LM Studio',
      true,
      'm',
      { owned_by: 'organization_owner' },
      { '/api/v0/models': { data: [{ id: 'm', type: 'vlm' }] } },
    ],
    [
      'LM Studio, not',
      false,
      'm',
      { owned_by: 'organization_owner' },
      { '/api/v0/models': { data: [{ id: 'm', type: 'llm' }] } },
    ],
    ['Ollama', true, 'm', { owned_by: 'library' }, { '/api/show': { capabilities: ['completion', 'vision'] } }],
    ['Ollama, not', false, 'llava', { owned_by: 'library' }, { '/api/show': { capabilities: ['completion'] } }],
    ['OpenRouter', true, 'm', { architecture: { input_modalities: ['text', 'image'] } }, {}],
    ['Mistral', true, 'm', { capabilities: { vision: true } }, {}],
    ['its name alone', true, 'Qwen2.5-VL-7B-Instruct', { max_model_len: 8192 }, {}],
    ['its name alone, not', false, 'Qwen3-8B', { max_model_len: 8192 }, {}],
    ['its name alone: the smallest Gemma 3 does not', false, 'gemma-3-1b-it', {}, {}],
    ['its name alone: its larger kin does', true, 'gemma-3-4b-it', {}, {}],
  ])('%s', async (_, expected, id, entry, also) => {
    expect(await sees(id, entry, also)).toBe(expected);
  });
});
