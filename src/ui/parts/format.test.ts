import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  count,
  counted,
  dateTime,
  dayAndTime,
  duration,
  firstCharacters,
  isoDay,
  isolated,
  lowered,
  ratio,
  savingLabel,
  shortened,
  similarity,
  spokenName,
  spokenNames,
  timeAgo,
  typedNumber,
  typedWhole,
  weight,
  withoutHtml,
} from './format.ts';

test('numbers read as people write them', () => {
  expect(count(2980)).toBe('2,980');
  expect(counted(1, 'turn')).toBe('1 turn');
  expect(counted(2, 'branch', 'branches')).toBe('2 branches');
  expect(similarity(0.708)).toBe('0.71');
});

test('a whole number is read with its thousands apart, as any country writes them', () => {
  fc.assert(
    fc.property(fc.nat(5_000_000), fc.constantFrom(',', '.', ' ', '\u00A0', '\u202F', '’'), (n, separator) => {
      expect(typedWhole(` ${count(n).replaceAll(',', separator)} `)).toBe(n);
      expect(typedWhole(String(n))).toBe(n);
    }),
  );
  expect(typedWhole('1,31,072')).toBe(131_072);
  expect(['2.5', '0,500'].map(typedWhole)).toEqual([2.5, 0.5]);
  for (const text of ['2,000.000', '1.2.3', '2,000,', '1e3', '-5', '', ' ', 'many']) expect(typedWhole(text)).toBeNaN();
});

test('numbers read in the digits of any script', () => {
  expect([typedNumber('۰.۳۵'), typedWhole('۲,۰۰۰'), typedWhole('٤٨٠')]).toEqual([0.35, 2000, 480]);
});

test('in a fraction a comma and a point are decimal', () => {
  expect(['0,5', '0.5', ' .5 ', '1.', '0,125', '2,000'].map(typedNumber)).toEqual([0.5, 0.5, 0.5, 1, 0.125, 2]);
  expect(typedNumber('1.000.000')).toBeNaN();
});

test('times are near in words and far as dates', () => {
  const now = Date.UTC(2026, 0, 20, 12);
  expect(timeAgo(now - 20_000, now)).toBe('just now');
  expect(timeAgo(now - 5 * 60_000, now)).toBe('5 minutes ago');
  expect(timeAgo(now - 26 * 3_600_000, now)).toBe('yesterday');
  expect(timeAgo(now - 30 * 86_400_000, now)).toBe('Dec 21, 2025');
});

test('how many days ago is counted by the calendar, as the headings of a list count them', () => {
  const morning = new Date(2026, 2, 11, 10).getTime();
  const ago = (date: number, hour: number) => timeAgo(new Date(2026, 2, date, hour).getTime(), morning);
  expect(ago(10, 20)).toBe('14 hours ago');
  expect(ago(10, 9)).toBe('yesterday');
  expect(ago(9, 20)).toBe('2 days ago');
  expect(ago(5, 20)).toBe('6 days ago');
  expect(ago(4, 20)).toBe('Mar 4, 2026');
});

test('a time of day says which day is meant while that is near', () => {
  const noon = new Date(2026, 2, 2, 12).getTime();
  const at = (date: number, hour: number) => dayAndTime(new Date(2026, 2, date, hour).getTime(), noon);
  expect(at(2, 23)).toMatch(/^today at 11:00\sPM$/);
  expect(at(3, 9)).toMatch(/^tomorrow at 9:00\sAM$/);
  expect(at(1, 9)).toMatch(/^yesterday at 9:00\sAM$/);
  expect(at(4, 9)).toBe(dateTime(new Date(2026, 2, 4, 9).getTime()));
});

test('the day in the name of a file is the day where the person is', () => {
  expect(isoDay(Date.UTC(2026, 11, 1, 1), 'America/New_York')).toBe('2026-11-30');
  expect(isoDay(Date.UTC(2026, 11, 31, 23), 'Asia/Tokyo')).toBe('2027-01-01');
  expect(isoDay(new Date(2026, 2, 2).getTime())).toBe('2026-03-02');
});

test('figures say their sign, and never minus zero', () => {
  expect(weight(1.84)).toBe('+1.8');
  expect(weight(-0.4)).toBe('−0.4');
  expect(ratio(-0.123)).toBe('−0.12');
  expect(ratio(-0.001)).toBe('0.00');
});

test('durations keep two figures where they are short', () => {
  expect([0.04, 0.42, 9.9, 9.96, 24.4, 999.4, 999.6, 12_345].map(duration)).toEqual([
    '0.0 ms',
    '0.4 ms',
    '9.9 ms',
    '10 ms',
    '24 ms',
    '999 ms',
    '1.0 s',
    '12.3 s',
  ]);
});

test('a saving is measured against what a plain chat would have sent', () => {
  expect(savingLabel(412, 2980)).toBe('−86 %');
  expect(savingLabel(314, 94_970)).toBe('−99.7 %');
  expect(savingLabel(120, 100)).toBe('+20 %');
  expect(savingLabel(100, 100)).toBe('±0 %');
  expect(savingLabel(5, 0)).toBe('±0 %');
});

test('languages go by their names', () => {
  expect(spokenName('es')).toBe('Spanish');
  expect(spokenNames(['en'])).toBe('English');
  expect(spokenNames(['en', 'de'])).toBe('English and German');
});

test('a text begins on one line, without the fences of its code', () => {
  expect(firstCharacters('Explain this:\n```js\nlet a = 1;\n```\nThanks', 80)).toBe('Explain this: let a = 1; Thanks');
  expect(firstCharacters('```npm i``` fails', 80)).toBe('```npm i``` fails');
  expect(firstCharacters('  Two\n\nlines ', 80)).toBe('Two lines');
  expect(firstCharacters('abcdef', 3)).toBe('abc');
});

test('what a person typed in angle brackets stays words in Markdown', () => {
  expect(withoutHtml('Why is List<String> slow,\n<div> not?')).toBe('Why is List\\<String> slow,\n\\<div> not?');
  for (const text of [
    '`List<String>`',
    '\\<b>',
    '<https://a.example>',
    '<a@b.example>',
    'a < b',
    '    <b>',
    '```\n<b>\n```',
  ])
    expect(withoutHtml(text)).toBe(text);
});

test('a text is never cut within a character', () => {
  expect(shortened('Lisbon', 6)).toBe('Lisbon');
  expect(shortened('In Lisbon', 5)).toBe('In L…');
  const text = 'Rain 🌧 in 𠮷野 🌸🌸';
  for (let length = 1; length < text.length; length++) {
    expect(shortened(text, length)).not.toMatch(/\p{Surrogate}/u);
    expect(firstCharacters(text, length)).not.toMatch(/\p{Surrogate}/u);
    expect(text.startsWith(firstCharacters(text, length))).toBe(true);
  }
});

test('words that read from right to left are set apart in a sentence, others stay as they are', () => {
  for (const words of ['דירה בליסבון', 'React ثم Vue', 'ދިވެހި', '𞤀𞤣𞤤𞤢𞤥']) {
    expect(isolated(words)).toBe(`\u2068${words}\u2069`);
  }
  for (const words of ['Lisbon flat', 'Москва', '東京', 'भारत', '😀 ok', '']) expect(isolated(words)).toBe(words);
});

test.each([
  ['Words </details> more', 'Words &lt;/details> more'],
  ['<details>\nOpen', '&lt;details>\nOpen'],
  ['</details>\n<details>', '&lt;/details>\n&lt;details>'],
  ['<details>\nClosed\n</details>', '<details>\nClosed\n</details>'],
  ['`</details>` and\n```\n<details>\n```', '`</details>` and\n```\n<details>\n```'],
])('a fold of %j neither ends the one around the text nor hides what follows', (text, shown) => {
  expect(lowered(text)).toBe(shown);
});
