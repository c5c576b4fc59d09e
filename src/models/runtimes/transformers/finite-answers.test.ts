import { expect, test } from 'vitest';
import { CHOICE_SCHEMA } from '../../prompted/choice.ts';
import { finiteAnswers } from './sampling.ts';

test('a decision has a few answers, each of which is one', () => {
  const answers = finiteAnswers(CHOICE_SCHEMA) ?? [];
  expect(answers).toHaveLength(30);
  expect(answers.map((answer) => JSON.parse(answer) as unknown)).toContainEqual({ action: 'switch', target: 7 });
});

test('ranges, booleans and alternatives are few, too', () => {
  const schema = {
    type: 'object',
    properties: {
      sure: { type: 'boolean' },
      place: { anyOf: [{ type: 'null' }, { type: 'integer', minimum: 1, maximum: 3 }] },
    },
  };
  expect(finiteAnswers(schema)).toHaveLength(8);
});

test.each([
  { type: 'object', properties: { name: { type: 'string' } } },
  { type: 'integer' },
  { type: 'array', items: { type: 'boolean' } },
  { type: 'integer', minimum: 0, maximum: 1_000_000 },
])('free ones are not: %j', (schema) => {
  expect(finiteAnswers(schema)).toBeNull();
});
