import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomFrom } from '../src/domain/numbers.ts';
import { contentWords } from '../src/engine/text/words.ts';
import { type Affinity, continuationScorer, newTopicScore } from '../src/models/embedded/affinity.ts';
import { unpackWeights } from '../src/models/embedded/decider-weights.ts';
import { kinshipTo, knownWords, type Lexicon, UNRELATED, unpackLexicon } from '../src/models/embedded/lexicon.ts';
import { madeUpAffinity } from '../src/models/embedded/testing/made-up-affinity.ts';
import { packLexicon, packWeights } from './pack.ts';

const DIMENSIONS = 6;
const random = randomFrom(5);
const numbers = (count: number) => Float32Array.from({ length: count }, () => 2 * random() - 1);

const affinity = (): Affinity => madeUpAffinity(DIMENSIONS, numbers);

test('packed weights say nearly the same', () => {
  const topicOf = (messages: Float32Array) => ({ tipMessage: messages, tipReply: null, messages, replies: null });
  for (let round = 0; round < 20; round++) {
    const topic = { affinity: affinity(), topic: {} };
    const packed = packWeights({ ...topic, branch: {}, unanswered: { affinity: affinity(), topic: {} } });
    const read = unpackWeights(JSON.parse(JSON.stringify(packed))).affinity;
    const [message, messages] = [numbers(DIMENSIONS), numbers(DIMENSIONS)];
    expect(newTopicScore(read, message)).toBeCloseTo(newTopicScore(topic.affinity, message), 1);
    expect(continuationScorer(read, message)(topicOf(messages))).toBeCloseTo(
      continuationScorer(topic.affinity, message)(topicOf(messages)),
      1,
    );
  }
});

describe('a packed lexicon', () => {
  const subjects = fc.array(
    fc.tuple(fc.stringMatching(/^[a-z]{3,8}( [a-z]{3,8})?$/), fc.stringMatching(/^[a-z]{3,8}(, [a-z]{3,8}){0,9}$/)),
    { minLength: 1, maxLength: 300 },
  );

  test('has every word in its subjects, and in no others', async () => {
    await fc.assert(
      fc.asyncProperty(subjects, async (given) => {
        const { numberOf, starts, members, subjects: names } = await unpackLexicon(packLexicon(given));
        expect(names).toEqual(given.map(([name]) => name));
        const pairs = [...numberOf].flatMap(([word, number]) =>
          [...members.slice(starts[number], starts[number + 1])].map((member) => `${member} ${word}`),
        );
        const wanted = given.flatMap(([name, terms], at) =>
          [...contentWords(`${name} ${terms}`)].map((word) => `${at} ${word}`),
        );
        expect(pairs.sort()).toEqual(wanted.sort());
      }),
    );
  });

  test('gives a kinship between 0 and 1, and none where there are no words', async () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{3,8}$/), { maxLength: 12 });
    const kinship = (lexicon: Lexicon, message: string, texts: readonly string[]) => {
      const known = texts.map((text) => knownWords(lexicon, text));
      const read = { all: new Set(known.flat()), last: new Set(known.at(-1)) };
      return kinshipTo(lexicon, knownWords(lexicon, message))(read);
    };
    await fc.assert(
      fc.asyncProperty(subjects, words, words, async (given, message, texts) => {
        const lexicon = await unpackLexicon(packLexicon(given));
        const names = given.map(([name]) => name).slice(0, 5);
        const near = kinship(lexicon, [...message, ...names.slice(0, 2)].join(' '), [...texts, ...names]);
        const { subject: _, sum: __, ...shares } = near;
        for (const value of Object.values(shares)) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThan(1.0001);
        }
        expect(kinship(lexicon, '', [...texts, ...names])).toEqual(UNRELATED);
        expect(kinship(lexicon, names.join(' '), [])).toEqual(UNRELATED);
      }),
    );
  });
});
