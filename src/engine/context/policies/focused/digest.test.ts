import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { markdownLines, passagesOf } from '../../../text/sentences.ts';
import { wordCount } from '../../../text/words.ts';
import { excerptOf } from '../../message-segment.ts';
import { digestOf } from './turn-forms.ts';

const REPLY = [
  'The Hotel Raphael in Rome costs 240 euros a night. It is a nice place. You will like it there very much indeed.',
  '- Breakfast is included until 10:30',
  '- The roof terrace looks over Piazza Navona',
  'I hope that this helps you with what you want to do.',
].join('\n');

test('a digest keeps whole sentences with the names and numbers, and counts what it leaves out', () => {
  const digest = digestOf(REPLY, 0.4);
  expect(digest?.text).toContain('The Hotel Raphael in Rome costs 240 euros a night.');
  expect(digest?.text).not.toContain('I hope');
  expect(digest?.text).toMatch(/\[… \d+ words left out …\]$/);
  expect(digest?.wordsLeftOut).toBeGreaterThan(10);
});

test('a short reply has no digest, and code is left out whole', () => {
  expect(digestOf('Yes, at ten.', 0.2)).toBeNull();
  const code = `Here is the script that you asked for, with both columns summed up.\n\`\`\`python\n${'total += amount(row)\n'.repeat(20)}\`\`\`\nRun it once a month, on the first Monday of it, before the bank closes.`;
  expect(digestOf(code, 0.2)?.text).not.toContain('total +=');
  const inline = `\`\`\`npm run build\`\`\` fails on the server.\n${REPLY}`;
  expect(digestOf(inline, 0.4)?.text).toContain('The Hotel Raphael');
});

test('a digest keeps the numbers of a list, and marks only what it leaves out', () => {
  const list = [
    '1. Soak the dried chickpeas overnight in cold water.',
    '2. Blend them with tahini, lemon and garlic.',
    '3. It is nice.',
    '4. Serve the hummus with warm pitta and olives.',
    '5. You will like it very much, as do we all.',
  ];
  const [first, second, , fourth] = list;
  expect(digestOf(list.join('\n'), 0.5)?.text).toBe(`${first}\n${second} … ${fourth} [… 15 words left out …]`);
});

const sentences = fc.array(
  fc.constantFrom('Rome costs 240 euros.', 'It rains.', 'Take the 8:15 train to Ostia!', '- a list item'),
  {
    minLength: 1,
    maxLength: 40,
  },
);

test('every piece of a digest stands in the text, in order, and it is never longer', () => {
  fc.assert(
    fc.property(sentences, fc.constantFrom(' ', '\n'), fc.constantFrom(0.2, 0.45), (parts, gap, share) => {
      const text = parts.join(gap);
      const digest = digestOf(text, share);
      if (digest === null) return;
      let from = 0;
      for (const piece of digest.text.replace(/ \[… [^\]]*\]$/, '').split(/ … |\n/)) {
        const at = text.indexOf(piece, from);
        expect(at).toBeGreaterThanOrEqual(0);
        from = at + piece.length;
      }
      expect(wordCount(digest.text)).toBeLessThan(wordCount(text) + 6);
    }),
  );
});

test('of a long text the passages that matter are kept, each gap marked and counted', () => {
  const text = Array.from(
    { length: 30 },
    (_, i) => `Sentence ${i} says something of its own about item ${i} here.`,
  ).join(' ');
  const passages = passagesOf(text);
  const at = passages.length - 2;
  const excerpt = excerptOf(
    text,
    passages.map((span, i) => ({ ...span, score: i === at ? 1 : 0 })),
    0.35,
  );
  const kept = passages[at] as { from: number; to: number };
  expect(excerpt?.text).toContain(text.slice(kept.from, kept.to).trim());
  const marked = [...(excerpt?.text.matchAll(/\[… (\d+) words? left out …\]/g) ?? [])].map(([, words]) =>
    Number(words),
  );
  expect(marked.length).toBeGreaterThan(0);
  expect(marked.reduce((sum, words) => sum + words, 0)).toBe(excerpt?.wordsLeftOut);
  const left = excerpt?.text.replace(/\[… [^\]]*\]/g, '') ?? '';
  expect(wordCount(left) + (excerpt?.wordsLeftOut ?? 0)).toBe(wordCount(text));
});

test('passages keep their lines as they were written, also at the borders and where something is left out', () => {
  const lines = Array.from({ length: 80 }, (_, i) => `${' '.repeat(4 + 4 * (i % 3))}value_${i} = read(row_${i}, ${i})`);
  const code = lines.join('\n');
  const passages = passagesOf(code).map((span, i) => ({ ...span, score: i % 3 === 1 ? 0 : 1 }));
  const kept = excerptOf(code, passages, 0.7)?.text.split('\n') ?? [];
  expect(kept.filter((line) => line.startsWith('[… ')).length).toBeGreaterThan(1);
  expect(kept.filter((line) => !line.startsWith('[… ') && !lines.includes(line))).toEqual([]);

  const comment = `# ${'Reads the rows. Skips empty ones. '.repeat(30)}`;
  const spans = passagesOf(comment).map((span, i) => ({ ...span, score: i < 2 ? 1 : 0 }));
  expect(excerptOf(comment, spans, 0.75)?.text).toContain(comment.slice(0, spans[1]?.to).trim());
});

test('code whose fences are left out is still told from what follows it', () => {
  const code = Array.from({ length: 90 }, (_, i) => `value_${i} = read(row_${i}, ${i})`).join('\n');
  const text = `Here is the script:\n\n\`\`\`py\n${code}\n\`\`\`\n\n${'Run it on the first Monday of the month. '.repeat(12)}`;
  const spans = passagesOf(text);
  for (const wanted of ['Here is', 'value_45 ', 'value_89 ', 'Run it']) {
    const scored = spans.map((span) => ({ ...span, score: text.slice(span.from, span.to).includes(wanted) ? 1 : 0 }));
    const { lines, unclosed } = markdownLines(excerptOf(text, scored, 0.4)?.text ?? '');
    expect(unclosed).toBeNull();
    for (const line of lines) {
      if (/^value_/.test(line.text)) expect(line.isCode).toBe(true);
      if (/Monday|Here is|left out …/.test(line.text)) expect(line.isCode).toBe(false);
    }
  }
});

test('a text of one passage, or one that is kept whole, is no excerpt', () => {
  expect(excerptOf('short', [{ from: 0, to: 5, score: 1 }], 0.3)).toBeNull();
});
