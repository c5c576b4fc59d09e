import { describe, expect, test } from 'vitest';
import type { Reply } from '../../domain/forest.ts';
import { edited } from '../../features/edits/testing/edited.ts';
import { authorOf, paceOf, previewWords, speedWords, turnsNamed } from './turn-words.ts';

test('a reply that came with an import is said to be imported', () => {
  expect([authorOf({ model: 'given' }), authorOf({ model: 'gpt-4o' })]).toEqual(['imported', 'gpt-4o']);
});

test('turns are named while they are few, then counted', () => {
  const { life, one, two, three, four, five, six } = edited();
  const named = (...ids: string[]) => turnsNamed(life.forest, ids);
  expect(named(two)).toBe('turn 2');
  expect(named(three, one)).toBe('turns 1 and 3');
  expect(named(one, two, three)).toBe('turns 1, 2 and 3');
  expect(named(one, two, three, four, five)).toBe('turns 1, 2, 3, 4 and 1 other');
  expect(named(one, two, three, four, five, six)).toBe('turns 1, 2, 3, 4 and 2 others');
});

test('a preview says tokens and turns, or why it cannot be', () => {
  const { life, one, two, six } = edited();
  const same = { refusal: null, tokensBefore: 1204, tokensAfter: 1204, entering: [], leaving: [] };
  expect(previewWords(life.forest, same)).toBe('The next message’s context: 1,204 tokens, unchanged.');
  expect(previewWords(life.forest, { ...same, tokensAfter: 980, entering: [six], leaving: [one, two] })).toBe(
    'The next message’s context: 1,204 → 980 tokens · adds turn 6 · drops turns 1 and 2.',
  );
  expect(previewWords(life.forest, { ...same, refusal: 'It is already there.' })).toBe('It is already there.');
  expect(previewWords(life.forest, 'failed')).toMatch(/^Could not work out .* Moving is still possible\.$/);
});

const reply = (parts: Partial<Reply>): Reply => ({
  id: 'r',
  text: 'Hello.',
  state: 'done',
  model: 'Qwen',
  at: 0,
  failure: null,
  context: null,
  timings: [
    { step: 'context', start: 0, ms: 4 },
    { step: 'first token', start: 4, ms: 500 },
    { step: 'reply', start: 4, ms: 2500 },
  ],
  usage: { prefilled: 100, reused: 300, generated: 41 },
  ...parts,
});

describe('the pace of a reply', () => {
  test('is told from what the model counted and when its words came', () => {
    expect(paceOf(reply({}))).toEqual({
      firstToken: 500,
      prefillSpeed: 200,
      speed: 20,
      prefilled: 100,
      reused: 300,
      generated: 41,
    });
  });

  test('is not told of recall, of a given reply, and of one that is being written', () => {
    for (const parts of [{ model: 'recall' }, { model: 'given' }, { state: 'streaming' as const }]) {
      expect(paceOf(reply(parts))).toBeNull();
    }
  });

  test('of a model that does not count is when its first word came', () => {
    expect(paceOf(reply({ usage: null }))).toMatchObject({ firstToken: 500, speed: null, prefilled: null });
  });

  test('of a reply that was gone on with is that of its last part', () => {
    const { timings } = reply({});
    const later = [
      { step: 'first token', start: 0, ms: 100 },
      { step: 'reply', start: 0, ms: 1100 },
    ];
    expect(paceOf(reply({ timings: [...timings, ...later] }))).toMatchObject({ firstToken: 100, speed: 40 });
    const failed = [{ step: 'reply', start: 0, ms: 9 }];
    expect(paceOf(reply({ timings: [...timings, ...failed], usage: null }))).toBeNull();
    // The tab went away while it was continued: nothing timed that.
    expect(paceOf(reply({ state: 'interrupted', usage: null }))).toBeNull();
  });

  test('has no speed where part of what the model wrote did not stream: thoughts, or all of it', () => {
    const usage = { prefilled: 100, reused: 300, generated: 41, hidden: true } as const;
    const timings = [
      { step: 'first token', start: 0, ms: 5000 },
      { step: 'reply', start: 0, ms: 5001 },
    ];
    for (const parts of [{ usage }, { timings }]) {
      expect(paceOf(reply(parts))).toMatchObject({ prefillSpeed: null, speed: null, generated: 41 });
    }
  });

  test('of a few tokens of a small model counts, however soon they were there', () => {
    const timings = [
      { step: 'first token', start: 0, ms: 10 },
      { step: 'reply', start: 0, ms: 50 },
    ];
    expect(paceOf(reply({ timings, usage: { prefilled: 5, reused: 0, generated: 21 } }))?.speed).toBe(500);
  });

  test('of one token is no speed', () => {
    expect(paceOf(reply({ usage: { prefilled: 0, reused: 5, generated: 1 } }))?.speed).toBeNull();
  });
});

test('a speed is told as exactly as it matters', () => {
  expect([speedWords(3.14), speedWords(23.6)]).toEqual(['3.1 tokens/s', '24 tokens/s']);
});
