import { describe, expect, test } from 'vitest';
import { BrokenLabels } from '../../src/features/evaluate/datasets/dialogues.ts';
import { goalsIn, tasksIn } from './tasks.ts';

const goalsOf = (question: string): readonly string[] => {
  const found = goalsIn(question);
  return found.ok ? found.goals : [found.fault];
};

describe('the goals of a checkpoint question', () => {
  test.each([
    [
      'Does the menu include (1)a soup (no cream), (2) bread for 12 guests and (3)at least two cakes?',
      ['a soup (no cream)', 'bread for 12 guests', 'at least two cakes'],
    ],
    [
      'Does the tour fully meet "(1) four days; (2) a boat; and (3) a guide (2 hours)"?',
      ['four days', 'a boat', 'a guide (2 hours)'],
    ],
    [
      'Is it so: (1) a sign "Open" (2) is the door red? (3) called "Nook"?',
      ['a sign "Open"', 'is the door red', 'called "Nook"'],
    ],
    ['菜单是否包括（1）汤，（2）面包；（3）蛋糕？', ['汤', '面包', '蛋糕']],
    [
      'Does the hut have:\n1. two doors\n2. a stove, 1.5 m wide\n3. no cellar?',
      ['two doors', 'a stove, 1.5 m wide', 'no cellar'],
    ],
    ['Are these there: 1) a hat 2) a scarf', ['a hat', 'a scarf']],
  ])('%s', (question, goals) => {
    expect(goalsOf(question)).toEqual(goals);
  });

  test('one as a whole, where none is numbered', () => {
    const question = 'Does it have the 3 points: doors, a stove (last 2 years), and no cellar?';
    expect(goalsOf(question)).toEqual([question]);
    expect(goalsOf('Is it built in 1. Avenue, from 2019. Yes?')).toHaveLength(1);
  });

  test('are not guessed at: a gap, a repetition and an empty one are faults', () => {
    expect(goalsOf('Is it (1) red, (2) round, (4) small?')).toEqual([
      'its goals are numbered 1, 2, 4, and not from 1 up',
    ]);
    expect(goalsIn('Is it (1) red, (1) round?')).toMatchObject({ ok: false });
    expect(goalsIn('Is it (1) red, (2), (3) round?')).toEqual({ ok: false, fault: 'goal 2 has no words' });
    expect(goalsIn('  ')).toMatchObject({ ok: false });
  });
});

describe('tasks', () => {
  const line = (fields: object) =>
    JSON.stringify({
      conversation_id: 'one',
      user_turns: [{ content: 'A hut, please.' }, { content: 'Now the plan.' }],
      checkpoint_question: 'Has it (1) two doors, (2) a stove?',
      ...fields,
    });
  const failure = (...lines: string[]): string => {
    try {
      tasksIn([{ path: 'ntm/own.jsonl', text: lines.join('\n') }]);
    } catch (error) {
      expect(error).toBeInstanceOf(BrokenLabels);
      return (error as Error).message;
    }
    return 'read';
  };

  test('are read from ntm/*.jsonl alone', () => {
    const text = line({});
    expect(
      tasksIn([
        { path: 'ntm/own.jsonl', text },
        { path: 'sgd/a.json', text: '[' },
      ]),
    ).toEqual([
      {
        id: 'one',
        messages: ['A hut, please.', 'Now the plan.'],
        question: 'Has it (1) two doors, (2) a stove?',
        goals: ['two doors', 'a stove'],
      },
    ]);
    expect(tasksIn([])).toEqual([]);
  });

  test('that are broken are named by file and line', () => {
    expect(failure(line({}), line({ checkpoint_question: undefined }))).toMatch(
      /^ntm\/own\.jsonl: Line 2: expected "checkpoint_question"/,
    );
    expect(failure(line({}), line({ checkpoint_question: 'Has it (1) a door, (3) a stove?' }))).toMatch(
      /^ntm\/own\.jsonl: Line 2: one: its goals are numbered 1, 3/,
    );
    expect(failure(line({ user_turns: [{ content: 'A hut.' }, { content: ' ' }] }))).toMatch(
      /^ntm\/own\.jsonl: Line 1: turn 2 of one says nothing/,
    );
    expect(failure(line({}), '{"conversation_id"')).toMatch(/^ntm\/own\.jsonl: .*Line 2/);
  });
});
