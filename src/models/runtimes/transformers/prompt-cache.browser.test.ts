import { DynamicCache, Tensor } from '@huggingface/transformers';
import { expect, test } from 'vitest';
import { type KeyValues, PromptCache } from './generate.ts';

/** One layer, one head and one value per token: the token itself. */
const valuesOf = (tokens: readonly number[]): KeyValues =>
  new DynamicCache({
    'past_key_values.0.key': new Tensor('float32', Float32Array.from(tokens), [1, 1, tokens.length, 1]),
    'past_key_values.0.value': new Tensor('float32', Float32Array.from(tokens), [1, 1, tokens.length, 1]),
  });
const held = (values: KeyValues | null): number[] => {
  const keys = (values as unknown as Record<string, Tensor> | null)?.['past_key_values.0.key'];
  return keys === undefined ? [] : [...(keys.data as Float32Array)];
};

const TOPIC = [1, 1, 1, 1, 5, 6];
const BRANCH = [2, 2, 2, 2, 7];

test('texts of several kinds each find their own start', async () => {
  const cache = new PromptCache({ texts: 2, tokens: 100 });
  await cache.keep(TOPIC, valuesOf(TOPIC));
  expect(await cache.take(BRANCH)).toEqual({ values: null, reused: 0 });
  await cache.keep(BRANCH, valuesOf(BRANCH));
  const topic = await cache.take([1, 1, 1, 1, 9, 9]);
  expect([topic.reused, held(topic.values)]).toEqual([4, [1, 1, 1, 1]]);
  const branch = await cache.take([2, 2, 2, 2, 7, 8]);
  expect([branch.reused, held(branch.values)]).toEqual([5, BRANCH]);
  // Both now belong to the caller.
  expect((await cache.take(TOPIC)).reused).toBe(0);
});

test('the last token is always read', async () => {
  const cache = new PromptCache({ texts: 2, tokens: 100 });
  await cache.keep(TOPIC, valuesOf(TOPIC));
  expect((await cache.take(TOPIC)).reused).toBe(TOPIC.length - 1);
});

test('the oldest go where there are too many, or too long ones; the newest stays', async () => {
  const many = new PromptCache({ texts: 2, tokens: 100 });
  for (const tokens of [TOPIC, BRANCH, [3, 3, 3]]) await many.keep(tokens, valuesOf(tokens));
  expect((await many.take(TOPIC)).reused).toBe(0);
  expect((await many.take(BRANCH)).reused).toBe(BRANCH.length - 1);
  const long = new PromptCache({ texts: 4, tokens: 7 });
  for (const tokens of [BRANCH, TOPIC]) await long.keep(tokens, valuesOf(tokens));
  expect((await long.take(BRANCH)).reused).toBe(0);
  expect((await long.take(TOPIC)).reused).toBe(TOPIC.length - 1);
});
