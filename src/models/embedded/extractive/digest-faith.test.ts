import { readdirSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainText } from '../../text/plain-text.ts';
import { summaryOf } from './summary.ts';

interface Turn {
  readonly message: string;
  readonly reply: string;
}

/** Everyday conversations in 25 languages. */
const FOLDER = new URL('../../../../measure/dialogues/everyday/', import.meta.url);
const everyday: readonly Turn[] = readdirSync(FOLDER).flatMap((file) =>
  readFileSync(new URL(file, FOLDER), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap((line) => (JSON.parse(line) as { turns: readonly { message: string; reply?: string }[] }).turns)
    .map(({ message, reply = '' }) => ({ message, reply })),
);

const word = fc.constantFrom(
  'a',
  'the',
  'rent',
  'in',
  'Lisbon',
  '1,250',
  '19:30',
  '4.5',
  '–',
  'because',
  'it',
  '"so"',
  '(two',
);
const text = fc
  .array(fc.tuple(word, fc.constantFrom('', '', '', ',', '.', '?', '!', ';', '。')), { maxLength: 90 })
  .map((words) => words.map(([said, mark]) => said + mark).join(' '));

const readOf = ({ message, reply }: Turn): string =>
  [message, reply].map((said) => [...plainText(said).lines.map((line) => line.text), said].join(' ')).join(' ');

/** The whole turn, in the wording of a digest. */
const whole = ({ message, reply }: Turn): string =>
  `The user writes: “${message}”.${reply.trim() === '' ? '' : ` The assistant: “${reply}”.`}`;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
const wordsOf = (said: string): Set<string> =>
  new Set([...segmenter.segment(said)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment));
const numbersOf = (said: string): string[] => said.match(/\p{N}+(?:[.,:/]\p{N}+)*/gu) ?? [];
const quoted = (digest: string): string =>
  digest
    .replace(/^The user (?:asks|writes): /, '')
    .replace(/ The assistant: /, ' ')
    .replaceAll('…', ' ');

const isFaithful = (turn: Turn): void => {
  const digest = summaryOf(turn);
  // The third person adds “the assistant” where the turn says nothing.
  if (!/^The user (?!asks:|writes:)/.test(digest)) expect(digest.length).toBeLessThanOrEqual(whole(turn).length);
  const numbers = new Set(numbersOf(readOf(turn)));
  if (!/ and \d+ more\.$/.test(digest) && !/^The user shares/.test(digest)) {
    expect(
      numbersOf(digest).filter((number) => !numbers.has(number)),
      digest,
    ).toEqual([]);
  }
  if (
    /^The user (?:asks|writes): /.test(digest) &&
    !digest.includes('The assistant lists') &&
    !digest.includes('gives code')
  ) {
    const words = wordsOf(readOf(turn));
    expect(
      [...wordsOf(quoted(digest))].filter((said) => !words.has(said)),
      digest,
    ).toEqual([]);
  }
};

describe('a digest is never longer than its turn told whole, and cuts no word and no number', () => {
  test('of everyday talk', () => {
    expect(everyday.length).toBeGreaterThan(7000);
    for (const turn of everyday) isFaithful(turn);
  });

  test('of any words', () => {
    fc.assert(
      fc.property(text, text, (message, reply) => {
        fc.pre(/\p{L}/u.test(message));
        isFaithful({ message, reply });
      }),
      { numRuns: 500 },
    );
  });
});
