import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { markdownLines, passagesOf, sentencesOf } from './sentences.ts';

const SENTENCES = [
  'The landlord keeps the deposit for two months.',
  'Heating is paid with the rent!',
  'Pets need a letter, says § 4.',
  '家賃は毎月五日までに払います。',
  'किराया हर महीने पाँच तारीख को देना है।',
  'هل الإيجار يشمل التدفئة؟',
  '- a line of a list\n',
  '```ts\nconst rent = 900;\n\nconst months = 12;\n```\n',
  'Is the cellar dry? ',
  '\n\n',
  'x'.repeat(900),
  '😀'.repeat(400),
];
const texts = fc.array(fc.constantFrom(...SENTENCES), { maxLength: 40 }).map((parts) => parts.join(' '));

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

test.each([
  ['किराया पाँच तारीख को देना है। "गर्मी शामिल है।" ठीक है?', ['किराया पाँच तारीख को देना है।', '"गर्मी शामिल है।"', 'ठीक है?']],
  ['धर्मक्षेत्रे कुरुक्षेत्रे॥ अगला श्लोक।और एक', ['धर्मक्षेत्रे कुरुक्षेत्रे॥', 'अगला श्लोक।', 'और एक']],
  ['هل تشمل التدفئة؟! نعم، تشملها.', ['هل تشمل التدفئة؟!', 'نعم، تشملها.']],
  ['کیا یہ ایم۔اے ہے؟ جی ہاں۔ شکریہ', ['کیا یہ ایم۔اے ہے؟', 'جی ہاں۔', 'شکریہ']],
])('the sentences of "%s" end at its own marks, and so do its passages', (line, sentences) => {
  expect(sentencesOf(line)).toEqual(sentences);
  const long = `${line} `.repeat(20);
  const starts = passagesOf(long).map(({ from }) => long.slice(from));
  expect(starts.length).toBeGreaterThan(1);
  for (const start of starts) expect(sentences.some((sentence) => start.startsWith(sentence))).toBe(true);
});

test.each([
  '1. Chop the onions.',
  '## 12. Fry them.',
  'Wir fahren am 3. Mai nach Rom.',
  'Vom 3. bis 5. Juni ist zu.',
  'Das war im 19. Jahrhundert.',
  '3. května jedeme do Brna.',
  'Etwas z. B. mit Käse, z.B. Gouda.',
  'Es sind d. h. ca. 20 km.',
  'Nr. 5 in der Hauptstr. 12 bei Fr. Weber.',
  'Obst, Nüsse usw. sind gut.',
  'Una fruta, p. ej. la pera, para la Sra. López.',
  'Il Sig. Rossi porta pane, vino ecc. alla festa.',
  'Owoce, np. gruszki.',
  'Завтра, т. е. в пятницу, на ул. Ленина.',
])('a full stop within a sentence does not end it: %s', (sentence) => {
  expect(sentencesOf(`${sentence} Ja?`)).toEqual([sentence, 'Ja?']);
});

test.each([
  ['It is 5.', 'Really?'],
  ['Use plan b.', 'Ok then.'],
  ['i live in the u.s.', 'what about taxes'],
  ['Cast it to str.', 'Then add it.'],
  ['Obst, Nüsse usw.', 'Dann gehen wir.'],
  ['Pane, vino ecc.', 'Poi il dolce.'],
  ['Яблоки и т. д.', 'Потом домой.'],
])('one at its end does: “%s” “%s”', (first, second) => {
  expect(sentencesOf(`${first} ${second}`)).toEqual([first, second]);
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

test.each(['.', '۔', '।'])('a run of a hundred thousand marks such as %s is read in one go', (mark) => {
  const text = `So${mark.repeat(100_000)}so. And then!?`;
  expect(sentencesOf(text).at(-1)).toBe('And then!?');
  const covered = passagesOf(text).map(({ from, to }) => text.slice(from, to));
  expect(covered.join('')).toBe(text);
});

/** The lines that are not code, and what would close the code at the end. */
const outsideCode = (markdown: string) => {
  const { lines, unclosed } = markdownLines(markdown);
  return [lines.flatMap(({ text, isCode }) => (isCode ? [] : [text])), unclosed];
};

test.each([
  ['a\n```js\nb\n```\nc', ['a', 'c'], null],
  ['```npm i``` fails\nc', ['```npm i``` fails', 'c'], null],
  ['1. ```sh\n   npm i\n   ```\nc', ['c'], null],
  ['2. Run\n   ```sh\n   npm i', ['2. Run'], '   ```'],
  ['- > ~~~\n  > npm i', [], '  > ~~~'],
  ['1. ```sh\nc', ['c'], null],
  ['> ```\n> a\nc', ['c'], null],
  ['-\t```\n\ta\n\n\t```\nc', ['c'], null],
  ['```py\nabout\n    ```\n', [], '```'],
  ['1.  Run\n\n    ```sh\n    npm i\n    ```\nc', ['1.  Run', '', 'c'], null],
])('fenced code is told from other lines, in lists and quotes too: %j', (markdown, lines, unclosed) => {
  expect(outsideCode(markdown)).toEqual([lines, unclosed]);
});
