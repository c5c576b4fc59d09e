import { expect, test } from 'vitest';
import { condenseByCentroid } from './similarity.ts';
import { handTools } from './testing/hand-tools.ts';

const { tools } = handTools('xyz');

test('the sentences nearest to the mean of all, in the order in which they stand', async () => {
  const texts = ['User: x and x. y stands alone.', 'Assistant: x with z? x, of course!'];
  expect(await condenseByCentroid(texts, 2, tools.embed)).toBe('x and x. x with z?');
});

test('no sentence twice, and all of them where there are few', async () => {
  expect(await condenseByCentroid(['x is x. x is x.', 'y is y.'], 2, tools.embed)).toBe('x is x. y is y.');
  expect(await condenseByCentroid(['User: One. Two!'], 3, tools.embed)).toBe('One. Two!');
  expect(await condenseByCentroid(['User: ', ''], 3, tools.embed)).toBe('');
});
