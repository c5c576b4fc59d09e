import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { bestPassages } from './best-passages.ts';
import { passagesOf } from './passages.ts';

const SENTENCES = [
  'The landlord keeps the deposit for two months.',
  'Heating is paid with the rent!',
  'Pets need a letter, says § 4.',
  '家賃は毎月五日までに払います。',
  '- a line of a list\n',
  '```ts\nconst rent = 900;\n\nconst months = 12;\n```\n',
  'Is the cellar dry? ',
  '\n\n',
  'x'.repeat(900),
  '😀'.repeat(400),
];
const texts = fc.array(fc.constantFrom(...SENTENCES), { maxLength: 40 }).map((parts) => parts.join(' '));
const tokensOf = (text: string): number => Math.ceil(text.length / 4);

test('every character of a text is in one passage, and no character is cut in two', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const passages = passagesOf(text);
      expect(passages.map(({ from, to }) => text.slice(from, to)).join('')).toBe(text.trim() === '' ? '' : text);
      for (const { from, to } of passages) {
        expect(to).toBeGreaterThan(from);
        expect(text.slice(from, to)).not.toMatch(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/);
      }
    }),
  );
});

test('a short text is one passage, a long one some of a few sentences', () => {
  expect(passagesOf('Two sentences. Both short.')).toHaveLength(1);
  const long = 'The landlord keeps the deposit for two months. '.repeat(40);
  for (const { from, to } of passagesOf(long)) expect(to - from).toBeLessThanOrEqual(560);
  expect(passagesOf(long).every(({ from }) => long.startsWith('The', from))).toBe(true);
});

test('a block of code is one passage, blank lines and all', () => {
  const code = `\`\`\`ts\n${'const rent = 900;\n\n'.repeat(20)}\`\`\`\n`;
  const text = `${'Some words about the rent. '.repeat(20)}\n${code}${'And more about it. '.repeat(30)}`;
  expect(passagesOf(text).map(({ from, to }) => text.slice(from, to))).toContain(code);
});

const CONTRACT = [
  'This is the contract for the flat in Harbour Street. '.repeat(10),
  'The rent is due on the fifth of every month. '.repeat(10),
  'A dog needs written permission of the landlord. '.repeat(10),
  'The stairs are cleaned in turns. '.repeat(14),
  'Signed by both of them in March. '.repeat(14),
].join('\n');

test('what a question is about is kept in order, what is left out is marked and counted', () => {
  const cut = bestPassages(CONTRACT, 'am I allowed to have a dog', { budget: 250, tokensOf });
  expect(cut.tokens).toBeLessThanOrEqual(250);
  expect(cut.text).toContain('A dog needs written permission');
  const counted = [...cut.text.matchAll(/\[… (\d+) passages? left out …\]/g)].map(([, n]) => Number(n));
  expect(counted.reduce((sum, n) => sum + n, 0)).toBe(cut.leftOut);
  expect(cut.leftOut).toBeGreaterThan(0);
});

test('a cut text keeps to its budget and says what it left out, whatever the text', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 0, max: 2000 }), (text, budget) => {
      const cut = bestPassages(text, 'rent of the cellar', { budget, tokensOf });
      expect(cut.tokens).toBeLessThanOrEqual(budget);
      expect(cut.tokens).toBe(tokensOf(cut.text));
      for (const [at, { from, to }] of cut.kept.entries()) {
        expect(cut.text).toContain(text.slice(from, to).trimEnd());
        expect(from).toBeGreaterThan(cut.kept[at - 1]?.to ?? -1);
      }
      const keptAll = cut.kept.length === 1 && cut.kept[0]?.from === 0 && cut.kept[0].to === text.length;
      if (text.trim() !== '') expect(cut.leftOut === 0).toBe(keptAll);
    }),
  );
});
