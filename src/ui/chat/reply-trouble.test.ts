import { describe, expect, test } from 'vitest';
import { readyRoles } from '../../app/testing/plain-app.ts';
import type { Reply } from '../../domain/forest.ts';
import { reasoningLabel, replyTrouble, waitingWords } from './reply.tsx';

const reply = (parts: Partial<Reply>): Reply => ({
  id: 'r',
  text: 'Some of it',
  state: 'done',
  model: 'Qwen',
  at: 0,
  failure: null,
  context: null,
  timings: [],
  usage: null,
  ...parts,
});

describe('a reply that is not whole', () => {
  test.each(['interrupted', 'stopped'] as const)('and was %s can be gone on with', (state) => {
    expect(replyTrouble(reply({ state }))).toMatchObject({ failed: false, remedies: ['continue', 'try-again'] });
  });

  test('because its model failed says why, and offers others', () => {
    const failure = 'The GPU was lost. Try again.';
    expect(replyTrouble(reply({ state: 'failed', failure }))).toEqual({
      words: failure,
      failed: true,
      remedies: ['continue', 'try-again', 'smaller-model', 'embedded'],
    });
    expect(replyTrouble(reply({ state: 'failed', failure, text: '' }))?.remedies[0]).toBe('try-again');
  });

  test('because its model failed in a way that is known offers what helps', () => {
    const remediesOf = (failureKind: string) =>
      replyTrouble(reply({ state: 'failed', failure: 'x', failureKind }))?.remedies;
    expect(remediesOf('unauthorised')).toEqual(['settings', 'embedded', 'try-again']);
    expect(remediesOf('too-long')).toEqual(['another-model', 'embedded', 'try-again']);
    expect(remediesOf('out-of-memory')).toEqual(['smaller-model', 'embedded', 'try-again']);
    expect(remediesOf('rate-limited')).toEqual(['continue', 'try-again', 'embedded']);
    expect(remediesOf('of a later version')).toEqual(['continue', 'try-again', 'smaller-model', 'embedded']);
  });

  test('because it reached its limit says which, and can be gone on with', () => {
    const usage = { prefilled: 9, reused: 0, generated: 1200, cut: true } as const;
    expect(replyTrouble(reply({ usage }))).toEqual({
      words: 'Stopped at the limit of 1,200 tokens.',
      failed: false,
      remedies: ['continue'],
    });
    expect(replyTrouble(reply({ usage, text: '<think>Hm.' }))?.words).toMatch(/1,200 tokens while still thinking/);
    const untold = { ...usage, generated: null };
    expect(replyTrouble(reply({ usage: untold }))?.words).toMatch(/the limit of tokens/);
  });

  test('and is by no language model is not helped by another', () => {
    expect(replyTrouble(reply({ state: 'failed', model: 'recall', text: '' }))?.remedies).toEqual(['try-again']);
  });

  test('because nothing came but thoughts, or nothing at all, says so', () => {
    expect(replyTrouble(reply({ text: '<think>Hm.' }))?.words).toMatch(/still thinking/);
    expect(replyTrouble(reply({ text: ' ' }))?.words).toMatch(/returned an empty reply/);
  });
});

test('a whole reply, and one that is being written, are no trouble', () => {
  expect(replyTrouble(reply({}))).toBeNull();
  expect(replyTrouble(reply({ state: 'streaming', text: '' }))).toBeNull();
  expect(replyTrouble(reply({ model: 'given', text: '' }))).toBeNull();
});

test('reasoning is counted in words, in scripts that put no spaces between them too', () => {
  expect(reasoningLabel('Let me see.', false)).toBe('Thought for 3 words');
  expect(reasoningLabel('让我想一想这个问题。', false)).toBe('Thought for 5 words');
  expect(reasoningLabel('让我想一想'.repeat(10), true)).toBe('Thinking… 20 words so far');
  expect(reasoningLabel('Let me', true)).toBe('Thinking…');
});

test('a reply waits for a model only if none before it can write meanwhile', () => {
  const loading = { ...readyRoles.chat, name: 'Qwen', state: 'loading' } as const;
  expect(waitingWords('replying', { ...loading, missing: true })).toBe('waiting for Qwen to load…');
  expect(waitingWords('replying', loading)).toBe('writing a reply…');
  expect(waitingWords('replying', { ...loading, state: 'failed', missing: true })).toBe('writing a reply…');
  expect(waitingWords('deciding', { ...loading, missing: true })).toBe('placing…');
});
