import { readFile } from 'node:fs/promises';
import { Tokenizer } from '@huggingface/tokenizers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SentenceEncoder } from './sentence-encoder.ts';
import { encoderFromDisk } from './testing/models-from-disk.ts';

const FERRY = 'The ferry to the island leaves at nine.';
const BOAT = 'At nine o’clock the boat sets off for the island.';
const SORT = 'How do I sort a list in Python?';
const ORDER = 'Which Python function puts a list in order?';

const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, i) => sum + value * (b[i] ?? Number.NaN), 0);

describe('the sentence encoder, with the weights that ship', () => {
  let encoder: SentenceEncoder;
  const embed = async (text: string): Promise<Float32Array> => {
    const [vector] = await encoder.embed([text]);
    if (vector === undefined) throw new Error('no vector');
    return vector;
  };
  beforeAll(async () => {
    encoder = await encoderFromDisk();
  });

  it('gives the vector of the full-precision model, up to int8', async () => {
    // First components of the fp32 model's vector.
    const golden = [-0.0115, 0.0597, 0.0666, 0.0244, 0.0094, 0.0387, -0.0045, -0.062];
    const vector = await embed(FERRY);
    expect(vector).toHaveLength(512);
    golden.forEach((value, i) => {
      expect(Math.abs((vector[i] ?? Number.NaN) - value)).toBeLessThan(0.004);
    });
  });

  it('finds the same thing said twice alike, and different things different', async () => {
    const [ferry, boat, sort, order] = await encoder.embed([FERRY, BOAT, SORT, ORDER]);
    if (!ferry || !boat || !sort || !order) throw new Error('a vector is missing');
    // Cosines of the fp32 model: 0.791, 0.848, 0.054, 0.026.
    expect(cosine(ferry, boat)).toBeCloseTo(0.79, 1);
    expect(cosine(sort, order)).toBeCloseTo(0.85, 1);
    expect(cosine(ferry, sort)).toBeCloseTo(0.05, 1);
    expect(cosine(boat, order)).toBeCloseTo(0.03, 1);
  });

  it('gives normalised vectors, whatever the length', async () => {
    for (const text of ['a', FERRY, `${FERRY} ${SORT} `.repeat(30), 'word '.repeat(20_000), 'x'.repeat(20_000)]) {
      expect(Math.hypot(...(await embed(text)))).toBeCloseTo(1, 4);
    }
  });

  it('gives a text the same vector alone and among others', async () => {
    const [, among] = await encoder.embed([SORT.repeat(8), FERRY, 'b']);
    expect(among).toEqual(await embed(FERRY));
  });

  it('does not care how a text is laid out', async () => {
    expect(await embed('  The ferry to\n\n the   island\tleaves at nine. ')).toEqual(await embed(FERRY));
  });

  it('hears what a long text says after its first window', async () => {
    const long = `${'We packed the tent and the stove for the hills. '.repeat(12)}${`${SORT} `.repeat(12)}`;
    expect(cosine(await embed(long), await embed(SORT))).toBeGreaterThan(0.3);
  });

  it.each(['', '   \n', '👍', '🎉🎉 🎉', '你好，今天天气怎么样', '.!?'])(
    'is similar to nothing where it can read nothing: %j',
    async (text) => {
      expect(await embed(text)).toEqual(new Float32Array(512));
    },
  );

  it('reads the known words of a mixed text', async () => {
    expect(cosine(await embed('Python 怎么 sort a list 🙂?'), await embed(SORT))).toBeGreaterThan(0.5);
  });

  it('counts every token and does not cut', () => {
    const [empty, one, many] = encoder.count(['', FERRY, `${FERRY} `.repeat(100)]);
    expect(empty).toBe(0);
    expect(one).toBe(11);
    expect(many).toBe(1100);
  });

  it('finds word by word the tokens that the tokenizer finds in the whole', async () => {
    const file = async (name: string) =>
      JSON.parse(await readFile(`public/models/use-lite-en/${name}`, 'utf8')) as object;
    const tokenizer = new Tokenizer(await file('tokenizer.json'), await file('tokenizer_config.json'));
    const texts = [
      FERRY,
      BOAT,
      'It’s 10:30 – 3½ km at 5:40/km; costs €12,50 (“cheap”), isn’t it?',
      'ﬁne ﬂour: １２ ㎏, naïve café ☕☕ 日本語とEnglish混ぜて',
      'a\u00a0non-breaking\u3000space',
      `const x = [1, 2].map((n) => n ** 2); // ${'x'.repeat(80)} ${'word'.repeat(20)}`,
    ];
    const whole = texts.map((text) => tokenizer.encode(text.replace(/\s+/g, ' ').trim()).ids.length);
    expect(encoder.count(texts)).toEqual(whole);
    // Again, now that the words are known.
    expect(encoder.count(texts)).toEqual(whole);
  });
});
