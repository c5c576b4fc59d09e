import { expect, test } from 'vitest';
import { asWritten, contentWeights, contentWords, overlap, stem, wordsOf } from './words.ts';

test('stems are named as the text writes their words', () => {
  const text = 'What makes the gears noisy after changing Batteries?';
  const stems = [...contentWords(text)];
  expect(stems).toContain('make');
  expect(asWritten(stems, text)).toEqual(expect.arrayContaining(['makes', 'gears', 'changing', 'Batteries']));
  expect(asWritten(['unsaid'], text)).toEqual(['unsaid']);
});

test('a number weighs, and is the same, in the digits of any script', () => {
  const weights = contentWeights('اتاق ۱۲ سال ۱۴۰۳');
  expect(weights.get('12')).toBe(contentWeights('room 12').get('12'));
  expect(weights.get('1403')).toBe(contentWeights('year 1403').get('1403'));
  expect(asWritten(['1403'], 'سال ۱۴۰۳')).toEqual(['۱۴۰۳']);
});

test('a text has the share of what is wanted whose stems it has', () => {
  const wanted = contentWeights('Which ferries leave the harbour at nine for Kyoto in 2026?');
  for (const text of ['The ferry leaves at nine from pier four.', 'A tent.', '', 'Kyoto, KYOTO and kyoto in 2026']) {
    const stems = new Set(wordsOf(text).map(stem));
    let [all, shared] = [0, 0];
    for (const [word, weight] of wanted) {
      all += weight;
      if (stems.has(word)) shared += weight;
    }
    expect(overlap(wanted, text)).toBe(shared / all);
  }
  expect(overlap(new Map(), 'a tent')).toBe(0);
});

test.each([
  'egg eggs',
  'app apps',
  'add adds added adding',
  'eye eyes',
  'pie pies',
  'die dies died dying',
  'age ages',
  'bus buses',
  'box boxes',
  'virus viruses',
  'menu menus',
  'dress dresses',
  'movie movies',
  'calorie calories',
  'party parties',
  'carry carries carried',
  'reply replies replied',
  'tv tvs',
  'tomato tomatoes',
  'plan plans planned planning',
  'plane planes',
  'hope hopes hoped hoping',
  'hop hops hopped hopping',
  'care cares cared caring',
  'cook cooks cooked cooking',
  'bake bakes baked baking',
  'visit visits visited visiting',
  'travel travels travelled traveled travelling',
  'bleed bleeds bleeding',
  'exercise exercises exercising',
  'tree trees',
  'slow slowly',
  'gas gases',
  'GPU GPUs',
  'niño niños',
  'idée idées',
  'glue glued gluing',
])('forms of one word have one stem: %s', (forms) => {
  expect(new Set(forms.split(' ').map(stem)).size).toBe(1);
});

test.each([
  'app apply',
  'ear early',
  'car care',
  'plan plane',
  'win wine',
  'hat hate',
  'cut cute',
  'cod code',
  'star stare',
  'new news',
  'speed spend',
  'GP GPS',
  'July Julie',
])('words that only look alike have different stems: %s', (words) => {
  const [a = '', b = ''] = words.split(' ').map(stem);
  expect(a).not.toBe(b);
});

test('words end at runs of marks and at slashes, and keep their vowel signs', () => {
  expect(wordsOf('so slow...what now, pasta/pizza 24/7?')).toEqual([
    'so',
    'slow',
    'what',
    'now',
    'pasta',
    'pizza',
    '24/7',
  ]);
  expect(wordsOf("C++, e-mail, node.js and user_id aren't cut")).toEqual([
    'C++',
    'e-mail',
    'node.js',
    'and',
    'user_id',
    "aren't",
    'cut',
  ]);
  expect(wordsOf('पनीर कैसे')).toEqual(['पनीर', 'कैसे']);
});

test('web addresses have only their site and path in common', () => {
  const shop = 'https://www.bestbuy.com/site/laptop-15?ref=mail&utm_source=x';
  expect(overlap(contentWeights(shop), 'and https://www.booking.com/hotel/pt?ref=mail')).toBe(0);
  expect(wordsOf(`look at ${shop} please`)).toEqual(['look', 'at', 'bestbuy', 'site', 'laptop-15', 'please']);
});

test('contractions without their apostrophe and small numbers say nothing about a subject', () => {
  expect([...contentWords('i dont know whats wrong, its 20 past')]).toEqual(
    expect.not.arrayContaining(['dont', 'whats', '20']),
  );
  expect([...contentWords('since 1998')]).toContain('1998');
});

test('what follows an address in a script without spaces stays', () => {
  expect(wordsOf('看看 https://item.jd.com/1.html?cu=true，这个手机怎么样').at(-1)).toBe('这个手机怎么样');
});

test('a word of any length is stemmed at once', () => {
  expect(stem('ae'.repeat(100_000))).toHaveLength(200_000);
});
