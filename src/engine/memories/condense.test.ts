import { expect, test } from 'vitest';
import { condenseByCentroid, plainSentences } from './similarity.ts';
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

test('a dot inside a word or number ends no sentence, and one without a space after it does in Chinese', () => {
  const text = [
    'User: My budget is 1.5 million. Is that enough?',
    'The budget server is at coppice.example.org',
    'Assistant: Budget meets at 10.30 on Monday.',
    '预算是一百万。够吗？',
  ].join('\n');
  expect(plainSentences(text)).toEqual([
    'My budget is 1.5 million.',
    'Is that enough?',
    'The budget server is at coppice.example.org',
    'Budget meets at 10.30 on Monday.',
    '预算是一百万。',
    '够吗？',
  ]);
});
