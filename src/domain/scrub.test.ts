import { expect, test } from 'vitest';
import { withoutQuotesOf } from './scrub.ts';

const clean = withoutQuotesOf(['We meet at the old mill. The code of the back door is 4711, I think.'], '[gone]');

test.each([
  ['They said: “We meet at the old mill.” Fine.', 'They said: “[gone]” Fine.'],
  ['so the code of the back door is 4711!', 'so [gone]!'],
  ['The old mill is far.', 'The old mill is far.'],
  ['I think so.', 'I think so.'],
  ['', ''],
])('%j becomes %j', (text, expected) => {
  expect(clean(text)).toBe(expected);
});

test('nothing is taken out where nothing was said', () => {
  expect(withoutQuotesOf(['', 'yes'], '[gone]')('yes, yes, yes')).toBe('yes, yes, yes');
});
