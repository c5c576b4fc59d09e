import { describe, expect, it } from 'vitest';
import { sentencesOf } from '../../engine/text/sentences.ts';
import { contentWeights, overlap, stem } from '../../engine/text/words.ts';
import { plainText } from './plain-text.ts';

const texts = (markdown: string): string[] => plainText(markdown).lines.map(({ text }) => text);

describe('plain text', () => {
  it('takes the markup away and keeps the words', () => {
    expect(texts('## A *fine* day\n\nSee [the map](https://x.org/a) and `run()` **now**.')).toEqual([
      'A fine day',
      'See the map and run() now.',
    ]);
  });

  it('joins wrapped lines and keeps items apart', () => {
    expect(texts('One line that\ngoes on.\n- first\n- second')).toEqual(['One line that goes on.', 'first', 'second']);
    expect(texts('۱. نان\n۲. پنیر')).toEqual(['نان', 'پنیر']);
  });

  it('sets code aside, also where it never ends', () => {
    expect(plainText('Look:\n```ts\nlet a = 1;\n\nlet b;\n```\nDone.').code).toEqual([{ language: 'ts', lines: 2 }]);
    expect(texts('Look:\n```ts\nlet a = 1;\n```\nDone.')).toEqual(['Look:', 'Done.']);
    expect(texts('```\nlet a = 1;')).toEqual([]);
  });

  it('takes for code neither what stands between backticks in a line, nor what follows the code of a list', () => {
    expect(texts('```npm run build``` fails with exit code 1.\nI am on Node 20.')).toEqual([
      'npm run build fails with exit code 1.',
      'I am on Node 20.',
    ]);
    expect(texts('1. ```bash\n   npm i\n   ```\n\nThen restart it.')).toEqual(['Then restart it.']);
    expect(texts('- ~~~\n  npm i\n  ~~~~\nThen restart it.')).toEqual(['Then restart it.']);
    expect(texts('````md\n```js\na\n```\n````\nWhy?')).toEqual(['Why?']);
  });

  it('keeps names with underscores and arithmetic whole', () => {
    expect(texts('use snake_case_name and 2*3*4')).toEqual(['use snake_case_name and 2*3*4']);
  });

  it('keeps what is written in angle brackets, except for layout', () => {
    expect(texts('How do I center a <div> inside a <section>?')).toEqual([
      'How do I center a <div> inside a <section>?',
    ]);
    expect(texts('Is `Vec<String>` slower than Vec<&str>, and `<br>` than `<!-- -->`?')).toEqual([
      'Is Vec<String> slower than Vec<&str>, and <br> than <!-- -->?',
    ]);
    expect(texts('Do we have a<b and c>d?')).toEqual(['Do we have a<b and c>d?']);
    expect(texts('H<sub>2</sub>O is <b>water</b>.<br/>It is wet.<!-- a note\nto oneself -->')).toEqual([
      'H2O is water. It is wet.',
    ]);
  });

  it('takes no time for tags and comments that are never closed', () => {
    expect(texts('<b>'.repeat(6000))).toHaveLength(1);
    expect(texts('<!--'.repeat(5000))).toEqual([]);
  });

  it('finds items in one line and in tables', () => {
    expect(texts('Do this: 1) Stop. 2) Look.')).toEqual(['Do this:', 'Stop.', 'Look.']);
    expect(texts('termin fehlt, 12. bis 14. september')).toEqual(['termin fehlt, 12. bis 14. september']);
    expect(texts('my mum (84) is home, my dad (79) is not')).toEqual(['my mum (84) is home, my dad (79) is not']);
    expect(texts('۱) نان ۲) پنیر')).toEqual(['نان', 'پنیر']);
    expect(texts('1) Rome\n2) Paris 3) Oslo')).toEqual(['Rome', 'Paris', 'Oslo']);
    expect(texts('3. Rome 4. Paris 5. Oslo')).toEqual(['Rome', 'Paris', 'Oslo']);
    expect(texts('0) Rome 1) Paris')).toEqual(['Rome', 'Paris']);
    expect(texts('1. Rome: in 12. century 2. Paris')).toEqual(['Rome: in 12. century', 'Paris']);
    expect(texts('frei am 12. oder 13. Mai')).toEqual(['frei am 12. oder 13. Mai']);
    expect(texts('my mum (84) and my dad (85) are home')).toEqual(['my mum (84) and my dad (85) are home']);
    expect(texts('| City | Sea |\n|---|---|\n| Split | yes |')).toEqual(['City: Sea', 'Split: yes']);
  });

  it.each([
    '2. weltkrieg zusammenfassung',
    '3. Oktober.',
    '1. fc köln spielplan',
    '2) please',
    'b) and d)',
    '# 2. Weltkrieg',
    '- 5 degrees outside',
    '+ 49 is which country',
    '2) is fine',
    '2. explain more',
    '3) how about that one',
    '2. write it shorter',
    '2. why not the first',
    '2. can you explain?',
  ])('takes no number, letter or sign of a lone line away: %s', (line) => {
    expect(plainText(line).lines).toEqual([
      { text: line.replace('# ', ''), kind: line.startsWith('#') ? 'heading' : 'prose' },
    ]);
  });

  it.each([
    ['Do this:\n1. Stop.', ['Do this:', 'Stop.']],
    ['2. Rome\nOld.\n\n3. Paris', ['Rome', 'Old.', 'Paris']],
    ['1. Rome\n1. Paris', ['Rome', 'Paris']],
    ['a) Rome\nb) Paris', ['Rome', 'Paris']],
    ['- 200 g flour\n- eggs', ['200 g flour', 'eggs']],
    ['- milk', ['milk']],
    ['| 1 | 2 |', ['1: 2']],
    ['## 1. Rome\n## 2. Paris', ['Rome', 'Paris']],
    ['I take\n2) and 4)', ['I take', '2) and 4)']],
    ['3. How do I season a pan?', ['How do I season a pan?']],
    ['2. Explain photosynthesis', ['Explain photosynthesis']],
    ['1. Is the sky blue?', ['Is the sky blue?']],
    ['4. Explain how photosynthesis works and why it matters', ['Explain how photosynthesis works and why it matters']],
    ['5. Who was the first president?', ['Who was the first president?']],
    ['1. Januar\n2. Februar\n3. März', ['Januar', 'Februar', 'März']],
    ['1. Mai\n2. Juni', ['Mai', 'Juni']],
    ['30. April: zu\n1. Mai: zu', ['30. April: zu', '1. Mai: zu']],
    ['1. Mai: zu\n2. Mai: zu', ['1. Mai: zu', '2. Mai: zu']],
    ['3. Earth\n4. Mars\n5. Jupiter', ['Earth', 'Mars', 'Jupiter']],
    ['24. Dezember: zu\n25. Dezember: zu', ['24. Dezember: zu', '25. Dezember: zu']],
    ['3. Oktober.\n\n1. Grund A\n2. Grund B', ['3. Oktober.', 'Grund A', 'Grund B']],
  ])('but those of items: %j', (markdown, expected) => {
    expect(texts(markdown)).toEqual(expected);
  });

  it('takes no time for a line that is almost the rule of a table', () => {
    expect(texts(`${' '.repeat(6600)}${'|'.repeat(13_300)}x`)).toEqual(['x:']);
  });
});

describe('sentences', () => {
  it.each([
    ['It is late. Go home!', ['It is late.', 'Go home!']],
    ['Dr. Who lives at 5 St. James Rd. in London.', ['Dr. Who lives at 5 St. James Rd. in London.']],
    ['It costs 3.50 today.', ['It costs 3.50 today.']],
    ['你好。今天好吗？', ['你好。', '今天好吗？']],
    ['no mark at the end', ['no mark at the end']],
  ])('%s', (line, expected) => {
    expect(sentencesOf(line)).toEqual(expected);
  });
});

describe('words', () => {
  it('compares words by stem', () => {
    expect(stem('planning')).toBe(stem('plan'));
    expect(stem('Ferries')).toBe(stem('ferry'));
    expect(stem('hiked')).toBe(stem('hike'));
  });

  it('measures how much of a text another speaks of', () => {
    const wanted = contentWeights('the ferry to the island');
    expect(overlap(wanted, 'Two ferries serve that island.')).toBe(1);
    expect(overlap(wanted, 'Ferries only.')).toBeGreaterThan(0.3);
    expect(overlap(wanted, 'The bus to town.')).toBe(0);
    expect(overlap(contentWeights('the of and'), 'the of and')).toBe(0);
  });
});
