import { expect, it } from 'vitest';
import { gestureOf } from './verbs.ts';

it.each([
  'thank you so much for all your help with this ',
  'thanks a lot for your help with the ',
  'thanks for all of this very good ',
  'sounds good good ',
  'it looks good fine ok ',
])('tells soon that a long text is no gesture: “%s” again and again', (words) => {
  for (const times of [2, 3, 4, 6, 8, 12, 500]) expect(gestureOf(`${words.repeat(times)}zebra 5`)).toBeNull();
});

it('knows several thanks in a row', () => {
  expect(gestureOf('thanks thank you so much for all your help with this')).toBe('thanks the assistant');
});
