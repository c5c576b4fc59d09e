import { describe, expect, test } from 'vitest';
import type { Reply } from '../../domain/forest.ts';
import { replyTrouble } from './reply-trouble.ts';

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
    expect(replyTrouble(reply({ state }))).toMatchObject({ failed: false, ways: ['continue', 'try-again'] });
  });

  test('because its model failed says why, and offers others', () => {
    const failure = 'The GPU was taken away. Try again.';
    expect(replyTrouble(reply({ state: 'failed', failure }))).toEqual({
      words: failure,
      failed: true,
      ways: ['continue', 'try-again', 'smaller-model', 'embedded'],
    });
    expect(replyTrouble(reply({ state: 'failed', failure, text: '' }))?.ways[0]).toBe('try-again');
  });

  test('and is by no language model is not helped by another', () => {
    expect(replyTrouble(reply({ state: 'failed', model: 'recall', text: '' }))?.ways).toEqual(['try-again']);
  });

  test('because nothing came but thoughts, or nothing at all, says so', () => {
    expect(replyTrouble(reply({ text: '<think>Hm.' }))?.words).toMatch(/still thinking/);
    expect(replyTrouble(reply({ text: ' ' }))?.words).toMatch(/without a word/);
  });
});

test('a whole reply, and one that is being written, are no trouble', () => {
  expect(replyTrouble(reply({}))).toBeNull();
  expect(replyTrouble(reply({ state: 'streaming', text: '' }))).toBeNull();
  expect(replyTrouble(reply({ model: 'given', text: '' }))).toBeNull();
});
