import { describe, expect, test } from 'vitest';
import { samples } from './samples.ts';

test('samples can be told apart', () => {
  expect(new Set(samples.map(({ id }) => id)).size).toBe(samples.length);
  expect(new Set(samples.map(({ title }) => title)).size).toBe(samples.length);
});

describe.each(samples)('sample $id', (sample) => {
  test('has the title and the number of turns that it is listed with, and a reply to every message', async () => {
    const dialogue = await sample.load();
    expect(dialogue.title).toBe(sample.title);
    expect(dialogue.turns).toHaveLength(sample.turns);
    expect(sample.turns).toBeGreaterThanOrEqual(15);
    for (const { message, reply } of dialogue.turns) {
      expect(message.trim()).not.toBe('');
      expect(reply?.trim()).toBeTruthy();
    }
  });
});
