import { describe, expect, test } from 'vitest';
import { ModelFailure } from '../../engine/model-failure.ts';
import type { TextGenerator } from '../runtimes/runtime.ts';
import { CHOICE_SCHEMA, choiceIn, wholeAnswer } from './choice.ts';
import { scriptedGenerator } from './testing/scripted-generator.ts';

test.each([
  ['{"action":"continue","target":2}'],
  ['```json\n{\n  "target": 2,\n  "action": "continue"\n}\n```'],
  ['Sure! The message goes on: {"action": "continue", "target": 2}. Let me know {if} that helps.'],
  ['{"action":"continue","target":2}\n{"action":"continue","target":2}'],
])('reads %j', (answer) => {
  expect(choiceIn(answer)).toEqual({ action: 'continue', target: 2 });
});

test.each([
  ['continue'],
  ['{"action":"continue"}'],
  ['{"action":"keep going","target":2}'],
  ['{"action":"continue","target":2.5}'],
  ['{"action":"continue","target":"2"}'],
  ['{"action":"switch","target":10}'],
  ['{"action":"switch","target":'],
  ['{"action":"switch","target":1} or {"action":"create","target":0}'],
])('refuses %j, quoting it', (answer) => {
  expect(() => choiceIn(answer)).toThrow(expect.objectContaining({ kind: 'nonsense' }));
  expect(() => choiceIn(answer)).toThrow(answer);
});

describe.each([
  ['shown', false],
  ['hidden', true],
])('an answer that is cut off while thinking, with thoughts %s', (_, hidden) => {
  /** Thinks for so many tokens, as reported, before it answers. */
  const thinkingFor = (tokens: number) => {
    const limits: (number | null)[] = [];
    const generator: TextGenerator = {
      ...scriptedGenerator(''),
      async *generate({ maxTokens, thinking, onUsage }) {
        expect(thinking).toBe(false);
        limits.push(maxTokens);
        const cut = (maxTokens ?? 0) < tokens;
        if (!hidden) yield '<think>\nHm';
        if (!cut) yield hidden ? 'Yes.' : '\n</think>\n\nYes.';
        onUsage?.({ prefilled: null, reused: null, generated: null, ...(cut && { cut }) });
        if (cut && hidden) throw new ModelFailure('empty', 'Nothing.');
      },
    };
    return { generator, limits };
  };
  const question = { messages: [], schema: null, maxTokens: 96 };

  test('is asked for once more, with room for thinking, which the next has at once', async () => {
    const { generator, limits } = thinkingFor(800);
    expect(await wholeAnswer(generator, question)).toMatchObject({ answer: 'Yes.' });
    expect(limits).toEqual([96, 1120]);
    expect(await wholeAnswer(generator, question)).toMatchObject({ answer: 'Yes.' });
    expect(limits).toEqual([96, 1120, 1120]);
  });

  test('is none if that is not enough', async () => {
    const { generator, limits } = thinkingFor(5000);
    await expect(wholeAnswer(generator, question)).rejects.toMatchObject({ kind: 'empty' });
    expect(limits).toHaveLength(2);
  });
});

test('an answer that is empty, but was not cut off, is not asked for again', async () => {
  const generator = scriptedGenerator(() => new ModelFailure('empty', 'Nothing.'));
  await expect(wholeAnswer(generator, { messages: [], schema: null, maxTokens: 96 })).rejects.toThrow('Nothing.');
  expect(generator.requests).toHaveLength(1);
});

test('the schema allows what is read and nothing else, in words that every grammar engine knows', () => {
  expect(CHOICE_SCHEMA).toEqual({
    type: 'object',
    properties: {
      action: { type: 'string', enum: ['continue', 'switch', 'create'] },
      target: { type: 'number', enum: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] },
    },
    required: ['action', 'target'],
    additionalProperties: false,
  });
});
