import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eachFit, fitOf, folded, marksOf, searchExcerpt, searchTerms, textFilter } from './search-words.ts';

const has = (text: string, query: string): boolean => searchTerms(query).every((term) => fitOf(folded(text), term) > 0);

const marked = (text: string, query: string): string[] =>
  marksOf(text, searchTerms(query)).map(([from, to]) => text.slice(from, to));

describe('a text is found', () => {
  test('by all the words, in any order, each the beginning of a word', () => {
    expect(has('A flat in Lisbon with a view', 'lis fla')).toBe(true);
    expect(has('A flat in Lisbon', 'lisbon house')).toBe(false);
    expect(has('A flat in Lisbon', 'lat')).toBe(false);
  });

  test('whatever its capitals and accents', () => {
    expect(has('Ein Café in São Paulo', 'cafe sao')).toBe(true);
    expect(has('a cafe in Sao Paulo', 'Café')).toBe(true);
    // Vowel signs of other scripts are not accents.
    expect(has('कितना', 'कत')).toBe(false);
  });

  test('by its letters, which a sign can make into others', () => {
    expect(has('かぎ', 'かき')).toBe(false);
    expect(has('か\u304d\u3099', 'かぎ')).toBe(true);
    expect(has('한국', '하')).toBe(false);
    expect(has('한국'.normalize('NFD'), '한국')).toBe(true);
    expect(has('कमी', 'कम')).toBe(true);
    expect(has('कमी', '"कम"')).toBe(false);
    expect(has('नीम', 'म')).toBe(false);
    // The sign that colours an emoji is not one of them.
    expect(has('❤\ufe0fLisbon ❤\ufe0f Porto', '"lisbon porto"')).toBe(true);
  });

  test('by a phrase in quotes only as it stands there', () => {
    expect(has('the view of the river, by night', '"river by night"')).toBe(true);
    expect(has('by night the river', '"river by night"')).toBe(false);
    expect(has('rivers', '"river"')).toBe(false);
    // Unclosed quotes: still being typed.
    expect(has('the river by night', '"river by ni')).toBe(true);
  });

  test('in scripts without spaces, anywhere', () => {
    expect(has('東京の天気', '天気')).toBe(true);
    expect(has('東京の天気予報', '"天気"')).toBe(true);
  });

  test.each([
    ['我用Python写代码', 'python'],
    ['我用Python写代码', '"Python"'],
    ['新しいiPhoneを買う', 'iphone'],
    ['コンピューターPython入門', 'python'],
    ['在2024年', '2024'],
    ['12月25日に', '25日'],
    ['ภาษาที่Pythonใช้', 'python'],
    ['איך כותבים בPython', 'python'],
    ['المكتوب بPython', 'python'],
  ])('where a name or number touches letters of a script without spaces, or a prefix: %s', (text, query) => {
    expect(has(text, query)).toBe(true);
    expect(marked(text, query)).toHaveLength(1);
  });

  test('but not within a word of a script with spaces, nor in part of a quoted word', () => {
    expect(has('MicroPython', 'python')).toBe(false);
    expect(has('яPython', 'python')).toBe(false);
    expect(has('12024年', '2024')).toBe(false);
    expect(has('הספרים', '"ספר"')).toBe(false);
    expect(has('เด็ก', '"เด"')).toBe(false);
  });

  test('behind the article that Arabic and Hebrew attach to a word', () => {
    expect(has('המלון בליסבון', 'מלון')).toBe(true);
    expect(has('قرأت الكتاب', 'كتاب')).toBe(true);
  });

  test('with signs of patterns taken as nothing but signs', () => {
    expect(has('what (is) a+b?', '(is) a+b')).toBe(true);
    expect(searchTerms('*** ""')).toEqual([]);
  });
});

test('a whole word fits better than the beginning of one', () => {
  const [term] = searchTerms('plan');
  if (term === undefined) throw new Error('no term');
  expect(fitOf('the plan', term)).toBeGreaterThan(fitOf('planets', term));
  const [hindi] = searchTerms('कम');
  if (hindi === undefined) throw new Error('no term');
  expect(fitOf('कम', hindi)).toBeGreaterThan(fitOf('कमी', hindi));
});

test('a language whose name ends in signs is found as it is written', () => {
  expect(['a class in C++, please', 'C++11', 'what is C#?'].map((text) => has(text, 'c++'))).toEqual([
    true,
    true,
    false,
  ]);
  expect(['a class in C++', 'what is C#?'].map((text) => has(text, '"C#"'))).toEqual([false, true]);
  expect(has('C++ templates', '"c++ templates"')).toBe(true);
  expect(['C++17 modules', 'C#12'].map((text) => has(text, `"${text}"`))).toEqual([true, true]);
  expect(marksOf('with C++ here', searchTerms('c++'))).toEqual([[5, 8]]);
  expect(has('1 + 1', '1+1')).toBe(true);
});

test('a simple filter finds all of its words, whatever their order, capitals and accents', () => {
  const isFound = textFilter(' cafe  Malmö ');
  expect(['Malmö, Café am Möllan', 'malmo: CAFÉS'].map(isFound)).toEqual([true, true]);
  expect(isFound('Café in Lund')).toBe(false);
  expect(textFilter('か')('が')).toBe(false);
  expect(textFilter('  ')('')).toBe(true);
});

test('many texts in one are found as each by itself', () => {
  const letters = fc.array(fc.constantFrom('a', 'b', 'é', ' ', '-', '𝒜', '天'), { maxLength: 12 });
  const text = letters.map((all) => all.join(''));
  fc.assert(
    fc.property(fc.array(text, { maxLength: 6 }), text, fc.boolean(), (texts, query, phrase) => {
      const plain = texts.map(folded);
      const whole = plain.map((one) => `${one}\u0001`).join('');
      let end = -1;
      const ends = plain.map((one) => (end += one.length + 1));
      for (const term of searchTerms(phrase ? `"${query}"` : query)) {
        const fits = plain.map(() => 0);
        eachFit(whole, ends, term, (at, fit) => {
          fits[at] = fit;
        });
        // Must agree with the pattern that marks excerpts, also where matches overlap.
        const byPattern = plain.map((one) => {
          const here = new RegExp(term.pattern.source, 'uy');
          const ways = Array.from({ length: one.length }, (_, at) => {
            here.lastIndex = at;
            const found = here.exec(one);
            if (found === null) return 0;
            return /^[\p{L}\p{N}]/u.test(one.slice(found.index + found[0].length)) ? 1 : 1.5;
          });
          return Math.max(0, ...ways);
        });
        expect(fits).toEqual(byPattern);
        expect(plain.map((one) => fitOf(one, term))).toEqual(byPattern);
      }
    }),
    { numRuns: 500 },
  );
});

test('marks stand where the words were written, accents and all', () => {
  expect(marked('Ein Café in São Paulo', 'cafe sao')).toEqual(['Café', 'São']);
  expect(marked('Cafe\u0301s everywhere', 'cafe')).toEqual(['Cafe\u0301']);
  expect(marked('か\u304d\u3099 한국', 'かぎ 한')).toEqual(['か\u304d\u3099', '한']);
  expect(marked('한국'.normalize('NFD'), '한')).toEqual(['한'.normalize('NFD')]);
  expect(marked('कमी', 'कम')).toEqual(['कमी']);
  expect(marked('ΟΔΟΣ, οδός', 'ΟΔΟΣ')).toEqual(['ΟΔΟΣ', 'οδός']);
  expect(marked('aa aab', 'aa aab')).toEqual(['aa', 'aab']);
});

test('an excerpt begins a little before its first mark', () => {
  const { text, marks } = searchExcerpt(`${'before '.repeat(60)}needle ${'after '.repeat(60)}`, searchTerms('needle'));
  expect(text.startsWith('… ')).toBe(true);
  expect(text.endsWith(' …')).toBe(true);
  expect(marks.map(([from, to]) => text.slice(from, to))).toEqual(['needle']);
});

test('an excerpt is cut between characters, and says at both ends that it is', () => {
  const emoji = searchExcerpt(`${'a'.repeat(219)}🌸 and more`, []);
  expect(emoji.text).toBe(`${'a'.repeat(219)} …`);
  const { text, marks } = searchExcerpt(
    `${'雨'.repeat(100)}天気${'晴'.repeat(200)} ${'雪'.repeat(10)}`,
    searchTerms('天気'),
  );
  expect(text).toBe(`… 天気${'晴'.repeat(200)} ${'雪'.repeat(10)}`);
  expect(marks).toEqual([[2, 4]]);
  expect(searchExcerpt(`${'雨'.repeat(100)}天気${'晴'.repeat(240)} 雪`, searchTerms('天気')).text).toBe(
    `… 天気${'晴'.repeat(218)} …`,
  );
});

test('an excerpt reads as the reply did, not as it was marked up', () => {
  const reply =
    '## Plan\n\n| Day | Where |\n|---|:--:|\n| 3 | **Pinhão** by train |\n\nSee [the map](https://maps.example/x) and `ls -a`.';
  expect(searchExcerpt(reply, searchTerms('train')).text).toBe(
    'Plan Day · Where; 3 · Pinhão by train; See the map and ls -a.',
  );
  expect(searchExcerpt('5 * 3 * 2, snake_case_name, a | b', searchTerms('snake')).text).toBe(
    '5 * 3 * 2, snake_case_name, a | b',
  );
});

test('an excerpt of a reply of signs alone takes no time', () => {
  const lengthFor = (reply: string): number => searchExcerpt(reply, []).text.length;
  expect(lengthFor(`|${'-|'.repeat(400_000)}b`)).toBe(222);
  expect(lengthFor(`|a${' '.repeat(1_000_000)}b|`)).toBe('a b;'.length);
  expect(lengthFor(`a${'`'.repeat(40_000)}b`)).toBe(222);
});

test('what was found in the markup is shown with it', () => {
  const { text, marks } = searchExcerpt('See [the map](https://maps.example/x).', searchTerms('example'));
  expect(text).toBe('See [the map](https://maps.example/x).');
  expect(marks).toHaveLength(1);
});
