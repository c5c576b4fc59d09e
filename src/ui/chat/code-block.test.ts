import { expect, test } from 'vitest';
import { settledCode } from './markdown.tsx';

test('code that is being written is painted anew every few lines, never within one', () => {
  const lines = Array.from({ length: 20 }, (_, i) => `line ${i}\n`);
  const code = lines.join('');
  const seen = new Set<string>();
  for (let length = 0; length <= code.length; length++) seen.add(settledCode(code.slice(0, length)));
  expect([...seen]).toEqual(['', lines.slice(0, 8).join(''), lines.slice(0, 16).join('')]);
});
