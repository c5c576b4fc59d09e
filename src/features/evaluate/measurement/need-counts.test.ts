import { describe, expect, test } from 'vitest';
import type { Context, Segment } from '../../../domain/context.ts';
import { emptyForest } from '../../../domain/forest.ts';
import type { LabelledDialogue, Need } from '../datasets/dialogues.ts';
import { countNeeds, needsOf } from './need-counts.ts';

const dialogue = (needs: readonly Need[], orNeeds: readonly (readonly Need[])[] = []): LabelledDialogue => ({
  set: 'everyday',
  id: 'made',
  group: 'made',
  language: 'en',
  labels: 'parents',
  turns: [
    { message: 'Book the Sami ferry for the 14th', reply: 'Done, two seats at noon.', parent: null, disputed: false },
    { message: 'Thanks', reply: 'Any time.', parent: 0, disputed: false },
    {
      message: 'Move it to the day after',
      reply: null,
      parent: 1,
      disputed: false,
      needs,
      orNeeds,
      rewrite: 'Move the Sami ferry from the 14th to the day after',
    },
  ],
});

const memory = (text: string, from: string[], tokens = 10): Segment => ({
  kind: 'memory',
  text,
  from,
  score: null,
  tokens,
});

const counted = (talk: LabelledDialogue, ...history: Segment[]) => {
  const counts: Record<string, number> = {};
  const segments: Segment[] = [
    { kind: 'instructions', text: 'Answer about the ferry.', tokens: 4 },
    ...history,
    { kind: 'message', nodeId: 'n2', tokens: 6 },
  ];
  const tokens = segments.reduce((sum, segment) => sum + segment.tokens, 0);
  const context: Context = { policy: 'made', segments, tokens, fullHistoryTokens: 30, unit: 'words' };
  countNeeds(counts, needsOf(talk, 2), { forest: emptyForest(), context, size: null });
  return counts;
};

const MESSAGE: Need = { turn: 0, part: 'message' };
const REPLY: Need = { turn: 0, part: 'reply' };

describe('a needed text', () => {
  const talk = dialogue([MESSAGE, REPLY]);

  test('counts where it is sent word for word, whatever its white space', () => {
    const text = 'You said:  Book the Sami ferry\nfor the 14th';
    expect(counted(talk, memory(text, ['n0']))['needed text recall']).toBe(0.5);
  });

  test('counts where what stands for its turn keeps all its rare words', () => {
    expect(
      counted(talk, memory('The person books the ferry from Sami on the 14th.', ['n0']))['needed text recall'],
    ).toBe(0.5);
    expect(counted(talk, memory('The person books the ferry from Sami.', ['n0']))['needed text recall']).toBe(0);
  });

  test('does not count where its words stand for another turn', () => {
    expect(counted(talk, memory('Book the Sami ferry for the 14th', ['n1']))['needed text recall']).toBe(0);
  });

  test('the best served of several lists counts', () => {
    const either = dialogue([REPLY], [[MESSAGE]]);
    expect(counted(either, memory('Book the Sami ferry for the 14th', ['n0']))['needed text recall']).toBe(1);
  });
});

test('of a rewrite the words count that the message has not, wherever in the history they stand', () => {
  // Sami, ferry, 14th; the instructions do not count, although they name the ferry.
  expect(counted(dialogue([]), memory('Sami, the 14th', ['n1']))['rewrite recall']).toBeCloseTo(2 / 3);
  expect(counted(dialogue([]))['rewrite recall']).toBe(0);
  expect(counted(dialogue([]))['rewrite recall of full']).toBe(1);
});

test('a text made of several turns is off topic by the share of those that are', () => {
  const talk: LabelledDialogue = {
    ...dialogue([]),
    turns: dialogue([]).turns.map((turn, at) => ({ ...turn, parent: at === 2 ? 1 : null })),
  };
  const counts = counted(talk, memory('of both', ['n0', 'n1'], 12), memory('of the path', ['n1'], 8));
  expect(counts['history tokens']).toBe(20);
  expect(counts['off topic tokens']).toBe(6);
});
