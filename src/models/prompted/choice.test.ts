import { expect, test } from 'vitest';
import { CHOICE_SCHEMA, choiceIn } from './choice.ts';

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
