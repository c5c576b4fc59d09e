import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Usage } from '../../../domain/reply.ts';
import { CHOICE_SCHEMA } from '../../prompted/choice.ts';
import { openModelFiles } from '../../store/open-model-files.ts';
import type { TransformersSpec } from '../model-spec.ts';
import type { TextGenerator } from '../runtime.ts';
import { asked, collect, loading, never, stoppedEarly } from '../testing/asking.ts';
import { keptFolder } from './testing/own-folder.ts';
import { transformersRuntime } from './transformers-runtime.ts';

const missing = inject('modelsMissing');
const files = openModelFiles({ folder: 'transformers-writes-tests' });
const runtime = transformersRuntime({ files, hub: () => inject('hub') });
const auto = { dtype: 'auto', device: 'auto' } as const;
const stories: TransformersSpec = {
  runtime: 'transformers',
  source: { kind: 'hub', repo: 'local/stories260K' },
  task: 'generate',
  ...auto,
};

afterAll(async () => {
  for (const { key } of await files.list()) await files.remove(key);
  files.close();
});

describe.skipIf(missing !== null)(`a language model${missing === null ? '' : ` (${missing})`}`, () => {
  let model: TextGenerator;
  beforeAll(async () => {
    model = await runtime.loadGenerator(stories, loading);
  });
  afterAll(() => model.close());
  const say = async (...request: Parameters<typeof asked>): Promise<string> =>
    (await collect(model.generate(asked(...request), never))).text;

  test('streams an answer, as long as it may be, and tells what it used', async () => {
    const usage: Usage[] = [];
    const request = asked('Once upon a time', { maxTokens: 24, onUsage: (one) => usage.push(one) });
    const { text, pieces } = await collect(model.generate(request, never));
    expect(text.length).toBeGreaterThan(10);
    expect(pieces).toBeGreaterThan(3);
    expect(usage).toMatchObject([{ generated: 24, prefilled: 5, reused: 0 }]);
    expect(model.window).toBe(512);
  });

  test('says the same at temperature 0, other things at a high one, and heeds top-p', async () => {
    const greedy = await say('The cat sat', { maxTokens: 16 });
    expect(await say('The cat sat', { maxTokens: 16 })).toBe(greedy);
    const hot = { temperature: 2, maxTokens: 16 };
    expect(new Set([await say('The cat sat', hot), await say('The cat sat', hot), greedy]).size).toBeGreaterThan(1);
    expect(await say('The cat sat', { ...hot, topP: 0.000_01 })).toBe(greedy);
  });

  test('goes on with an answer that was begun as if it had never stopped', async () => {
    const whole = await say('Once upon a time', { maxTokens: 24 });
    const space = whole.indexOf(' ', whole.length / 2);
    const rest = await say('Once upon a time', { begun: whole.slice(0, space), maxTokens: 12 });
    expect(rest).not.toBe('');
    expect(whole.slice(space).startsWith(rest) || rest.startsWith(whole.slice(space))).toBe(true);
  });

  test('reads again only what is new', async () => {
    const usage: Usage[] = [];
    const story = 'Tom had a red ball and a big dog. He liked to run in the park.';
    const onUsage = (one: Usage): void => {
      usage.push(one);
    };
    await say(story, { maxTokens: 8, onUsage });
    await say(`${story} Then they`, { maxTokens: 8, onUsage });
    const fresh = await runtime.loadGenerator(stories, loading);
    const cold = await collect(fresh.generate(asked(`${story} Then they`, { maxTokens: 8 }), never));
    fresh.close();
    const [first, second] = usage;
    expect(second?.reused).toBeGreaterThanOrEqual(first?.prefilled ?? Number.NaN);
    expect(await say(`${story} Then they`, { maxTokens: 8 })).toBe(cold.text);
  });

  test('chooses by a schema, whatever it would rather say', async () => {
    for (const temperature of [0, 1.5]) {
      const answer = JSON.parse(
        await say('Which one?', { schema: CHOICE_SCHEMA, temperature, maxTokens: 80 }),
      ) as object;
      expect(Object.keys(answer)).toEqual(['action', 'target']);
    }
  });

  test('counts tokens as it reads them', async () => {
    const usage: Usage[] = [];
    const [none, some] = await model.count(['', 'Tom had a big dog.']);
    await say('Tom had a big dog.', { onUsage: (one) => usage.push(one) });
    expect(none).toBe(0);
    // The template adds the start mark.
    expect((usage[0]?.prefilled ?? 0) + (usage[0]?.reused ?? 0)).toBe((some ?? 0) + 1);
  });

  test('says that a text is too long, and is well afterwards', async () => {
    await expect(say('word '.repeat(600))).rejects.toMatchObject({ kind: 'too-long' });
    expect(await say('Hi', { maxTokens: 4 })).not.toBe('');
  });

  test('stops when it is told to, keeps what came, and answers the next', async () => {
    const { text, usage } = await stoppedEarly(model);
    expect(text.length).toBeGreaterThan(20);
    expect(usage[0]?.generated).toBeLessThan(400);
    expect(await say('Hi', { maxTokens: 4 })).not.toBe('');
  });

  test('stops while it still reads, and needs not read that again', async () => {
    const long = 'The little bird sang a song to the old tree. '.repeat(18);
    const [stopped, whole]: [Usage[], Usage[]] = [[], []];
    const stop = new AbortController();
    const request = asked(long, { maxTokens: 4, onUsage: (one) => stopped.push(one) });
    const answer = collect(model.generate(request, stop.signal));
    setTimeout(() => stop.abort(), 0);
    await answer;
    await say(long, { maxTokens: 4, onUsage: (one) => whole.push(one) });
    // If the abort was faster than the request, nothing was read and nothing reported.
    const read = (stopped[0]?.prefilled ?? 0) + (stopped[0]?.reused ?? 0);
    expect(read).toBeLessThan((whole[0]?.prefilled ?? 0) + (whole[0]?.reused ?? 0));
    expect(whole[0]?.reused).toBeGreaterThanOrEqual(read);
    expect(whole[0]?.generated).toBe(4);
  });

  test('without a chat template goes on with a transcript, and ends where the person would speak', async () => {
    const config = {
      tokenizer_class: 'PreTrainedTokenizerFast',
      bos_token: '<s>',
      eos_token: '</s>',
      unk_token: '<unk>',
    };
    const spec = await keptFolder(
      files,
      `${inject('hub')}/local/stories260K`,
      ['config.json', 'generation_config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model_quantized.onnx'],
      { key: 'plain', task: 'generate', ...auto },
      { 'tokenizer_config.json': JSON.stringify(config) },
    );
    const plain = await runtime.loadGenerator(spec, loading);
    const { text } = await collect(plain.generate(asked('Tell me about a dog', { maxTokens: 60 }), never));
    plain.close();
    expect(text).not.toBe('');
    expect(text).not.toContain('\nUser:');
  });

  test('put away in the middle of an answer, says so', async () => {
    const other = await runtime.loadGenerator(stories, loading);
    const reading = async (): Promise<void> => {
      for await (const _ of other.generate(asked('Once', { maxTokens: 400 }), never)) other.close();
    };
    await expect(reading()).rejects.toMatchObject({ kind: 'closed' });
  });
});
