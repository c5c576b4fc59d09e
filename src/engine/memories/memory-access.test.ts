import { expect, test } from 'vitest';
import { bagEmbedder, countingChat, firstWords } from '../testing/plain-models.ts';
import { TokenCache } from '../text/token-cache.ts';
import { CostMeter, memoryAccess } from './memory-access.ts';

const tokens = new TokenCache(countingChat().tokens);
const toolsOf = (models: Parameters<typeof memoryAccess>[0]) =>
  memoryAccess(models, tokens, () => 0).tools(
    new CostMeter(
      () => false,
      () => 0,
    ),
  );
const task = { instructions: 'Join.', texts: ['Red apples.', 'Red apples and boats.', 'Red boats.'], sentences: 1 };

test('without a language model texts are condensed to their most central sentences, and nobody is asked', async () => {
  const tools = toolsOf({ embed: bagEmbedder, summarise: firstWords });
  expect(await tools.condense(task)).toBe('Red apples and boats.');
  expect(tools.ask).toBeUndefined();
  expect(await tools.count(['red apples', ''])).toEqual([2, 0]);
});

test('a language model writes; where it fails or says nothing, the central sentences stand in', async () => {
  const by = (write: () => Promise<string>) => toolsOf({ embed: bagEmbedder, summarise: { ...firstWords, write } });
  expect(await by(async () => ' Fruit and boats. ').condense(task)).toBe('Fruit and boats.');
  expect(await by(async () => ' ').condense(task)).toBe('Red apples and boats.');
  const failing = by(() => Promise.reject(new Error('lost')));
  expect(await failing.condense(task)).toBe('Red apples and boats.');
  expect(await failing.ask?.('Which?', 'x')).toBe('');
});

test('a long list is embedded in parts, and where one fails those before it are kept', async () => {
  const texts = Array.from({ length: 80 }, (_, i) => `sentence ${i}`);
  const given: number[] = [];
  let fails = true;
  const embed = {
    ...bagEmbedder,
    embed: async (some: readonly string[]) => {
      if (fails && some.includes('sentence 70')) throw new Error('too slow');
      given.push(some.length);
      return bagEmbedder.embed(some);
    },
  };
  const tools = toolsOf({ embed, summarise: firstWords });
  await expect(tools.embed(texts)).rejects.toThrow('too slow');
  expect(given).toEqual([32, 32]);
  fails = false;
  expect(await tools.embed(texts)).toEqual(await bagEmbedder.embed(texts));
  expect(given).toEqual([32, 32, 16]);
});

test('an empty text has no direction, and is not given to the embedder', async () => {
  const given: string[] = [];
  const embed = {
    ...bagEmbedder,
    embed: (texts: readonly string[]) => {
      given.push(...texts);
      return bagEmbedder.embed(texts);
    },
  };
  const tools = toolsOf({ embed, summarise: firstWords });
  const [none, some] = await tools.embed(['  ', 'red']);
  expect(none?.every((value) => value === 0)).toBe(true);
  expect(some?.some((value) => value !== 0)).toBe(true);
  expect(given).toEqual(['red']);
});
