import { MLCEngine } from '@mlc-ai/web-llm';
import { expect, test } from 'vitest';
import { type Tokenizer, tokenizerOf } from './served-engine.ts';
import { replyOf, standInModel } from './testing/stand-in-model.ts';

const letters: Tokenizer = { encode: (text) => [...text].map((_, i) => i), idToToken: (id) => `<${id}>` };

test('is where it is looked for in the real library: by model, in its pipeline', () => {
  const engine = new MLCEngine();
  expect(tokenizerOf(engine, 'tiny')).toBeNull();
  const pipelines: unknown = Reflect.get(engine, 'loadedModelIdToPipeline');
  expect(pipelines).toBeInstanceOf(Map);
  (pipelines as Map<string, unknown>).set('tiny', { tokenizer: letters });
  expect(tokenizerOf(engine, 'tiny')).toBe(letters);
});

test.each([
  ['nothing', undefined],
  ['no tokenizer', {}],
  ['something else by that name', { tokenizer: { encode: 'utf-8' } }],
  ['one that gives nothing', { tokenizer: { ...letters, encode: () => [] } }],
])('%s in its place is not believed', (_, pipeline) => {
  const engine = new MLCEngine();
  (Reflect.get(engine, 'loadedModelIdToPipeline') as Map<string, unknown>).set('tiny', pipeline);
  expect(tokenizerOf(engine, 'tiny')).toBeNull();
});

test('where it cannot be reached, counts are estimates and say so', async () => {
  const guessing = await standInModel().load();
  expect(guessing.estimates).toBe(true);
  expect(await guessing.count(['', 'a text of some length'])).toEqual([0, 6]);
  const counting = await standInModel({ tokenizer: letters }).load();
  expect(counting.estimates).toBe(false);
  expect(await counting.count(['', 'abc'])).toEqual([0, 3]);
  expect((await replyOf(counting)).failure).toBeNull();
});
