import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Attachment } from '../../../domain/attachment.ts';
import type { Usage } from '../../../domain/reply.ts';
import { openModelFiles } from '../../store/open-model-files.ts';
import type { TransformersSpec } from '../model-spec.ts';
import type { GenerationRequest, TextGenerator } from '../runtime.ts';
import { asked, collect, loading, never } from '../testing/asking.ts';
import { keptFolder } from './testing/own-folder.ts';
import { transformersRuntime } from './transformers-runtime.ts';

const files = openModelFiles({ folder: 'transformers-sees-tests' });
const runtime = transformersRuntime({ files, hub: () => inject('hub') });
const auto = { dtype: 'auto', device: 'auto' } as const;
const hub: TransformersSpec = {
  runtime: 'transformers',
  source: { kind: 'hub', repo: 'made/seeing' },
  task: 'generate',
  ...auto,
};

let model: TextGenerator;
beforeAll(async () => {
  model = await runtime.loadGenerator(hub, loading);
});
afterAll(async () => {
  model.close();
  for (const { key } of await files.list()) await files.remove(key);
  files.close();
});

/** A picture of one colour, wider than it is high. */
const painted = async (colour: string): Promise<string> => {
  const canvas = new OffscreenCanvas(40, 20);
  const pen = canvas.getContext('2d');
  if (pen === null) throw new Error('no canvas');
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 40, 20);
  const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
  return `data:image/png;base64,${btoa(String.fromCharCode(...bytes))}`;
};

const named = (id: string): Attachment => ({ id, name: `${id}.png`, mediaType: 'image/png', size: 1 });

const about = (ids: readonly string[], pictures: Readonly<Record<string, string>>): GenerationRequest =>
  asked('What colour is it?', {
    messages: [{ role: 'user', content: 'What colour is it?', pictures: ids.map(named) }],
    pictures,
  });

const say = async (request: GenerationRequest): Promise<string> =>
  (await collect(model.generate(request, never))).text.trim();

test('a model that sees says so, and what it is shown changes what it says', async () => {
  expect(model.sees).toBe(true);
  expect(model.name).toMatch(/^seeing \(transformers\.js, WASM, fp32/);
  const [red, blue] = [await painted('#e00'), await painted('#00e')];
  expect(await say(asked('What colour is it?'))).toBe('nothing.');
  expect(await say(about(['red'], { red }))).toBe('red.');
  expect(await say(about(['blue'], { blue }))).toBe('blue.');
  // Two of one colour outweigh one of the other, wherever they are.
  expect(await say(about(['red', 'blue', 'other'], { red, blue, other: blue }))).toBe('blue.');
  // A picture that is named but not provided is not shown.
  expect(await say(about(['gone'], {}))).toBe('nothing.');
});

test('goes on after a picture without looking at it again, and looks anew where it is another one', async () => {
  const [red, green] = [await painted('#c00'), await painted('#0c0')];
  const usage: Usage[] = [];
  const onUsage = (one: Usage): void => {
    usage.push(one);
  };
  const first = about(['it'], { it: red });
  const then = (picture: string): GenerationRequest => ({
    ...about(['it'], { it: picture }),
    messages: [...first.messages, { role: 'assistant', content: 'red.' }, { role: 'user', content: 'Are you sure?' }],
    onUsage,
  });
  expect(await say({ ...first, onUsage })).toBe('red.');
  expect(await say(then(red))).toBe('red.');
  // Everything but the answer's mark, which the template does not repeat before what was said.
  expect(usage[1]?.reused).toBe((usage[0]?.prefilled ?? Number.NaN) - 1);
  expect(await say(then(green))).toBe('green.');
  expect(usage[2]?.reused).toBe(0);
});

test('a picture that cannot be read is told in words, and the model is well afterwards', async () => {
  const broken = `data:image/png;base64,${btoa('no picture')}`;
  await expect(say(about(['it'], { it: broken }))).rejects.toMatchObject({
    kind: 'unreadable-picture',
    message: expect.stringContaining('Convert it to PNG or JPEG'),
  });
  expect(await say(about(['it'], { it: await painted('#0c0') }))).toBe('green.');
});

test('what its files do not say is refused in words: how pictures are cut, a part that is missing', async () => {
  const address = `${inject('hub')}/made/seeing`;
  const all = [
    'config.json',
    'generation_config.json',
    'tokenizer.json',
    'tokenizer_config.json',
    'chat_template.json',
    'preprocessor_config.json',
    'processor_config.json',
    'onnx/embed_tokens.onnx',
    'onnx/vision_encoder_quantized.onnx',
    'onnx/decoder_model_merged.onnx',
  ];
  const kept = (key: string, changed: Readonly<Record<string, BlobPart | null>>): Promise<TransformersSpec> =>
    keptFolder(files, address, all, { key, task: 'generate', ...auto }, changed);

  const uncut = await kept('uncut', {
    'preprocessor_config.json': JSON.stringify({ image_processor_type: 'Idefics3ImageProcessor', max_image_size: {} }),
    'processor_config.json': '{}',
  });
  await expect(runtime.loadGenerator(uncut, loading)).rejects.toMatchObject({
    kind: 'unsupported',
    message: expect.stringContaining('do not say how it is shown pictures'),
  });
  const blind = await kept('blind', { 'onnx/vision_encoder_quantized.onnx': null });
  await expect(runtime.loadGenerator(blind, loading)).rejects.toMatchObject({
    kind: 'not-found',
    message: expect.stringContaining('onnx/decoder_model_merged….onnx and its other parts'),
  });
  // Newer repositories name the processor elsewhere.
  const { processor_class: _, ...unnamed } = (await (
    await fetch(`${address}/resolve/main/preprocessor_config.json`)
  ).json()) as Record<string, unknown>;
  const whole = await kept('whole', { 'preprocessor_config.json': JSON.stringify(unnamed) });
  const own = await runtime.loadGenerator(whole, loading);
  expect(own.sees).toBe(true);
  own.close();
});
