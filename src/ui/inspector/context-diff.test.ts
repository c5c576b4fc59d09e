import { expect, test } from 'vitest';
import { contextDiff } from './context-diff.ts';
import type { Part } from './context-parts.ts';

const part = (key: string, content: string, tokens = 10): Part => ({
  index: 0,
  key,
  kind: 'turn',
  label: key,
  tokens,
  nodeId: null,
  topic: null,
  said: [{ role: 'user', content }],
});

test('what entered, left, stayed and changed is told apart, and how much of the front is the same', () => {
  const before = [
    part('instructions', 'Be brief.', 4),
    part('topic a', 'A'),
    part('turn 1', 'one'),
    part('turn 2', 'two'),
  ];
  const after = [
    part('instructions', 'Be brief.', 4),
    part('topic b', 'B'),
    part('turn 1', 'one'),
    { ...part('turn 2', 'two'), said: [...part('', 'two').said, { role: 'assistant' as const, content: 'Yes.' }] },
  ];
  const { entered, left, changed, stayed, front } = contextDiff(before, after);
  expect(entered.map(({ key }) => key)).toEqual(['topic b']);
  expect(left.map(({ key }) => key)).toEqual(['topic a']);
  expect(changed.map((pair) => pair.after.key)).toEqual(['turn 2']);
  expect(stayed.map(({ key }) => key)).toEqual(['instructions', 'turn 1']);
  expect(front).toBe(4);
});

test('the same context has changed in nothing, and all of it is its front', () => {
  const parts = [part('instructions', 'Be brief.', 4), part('turn 1', 'one', 6)];
  expect(contextDiff(parts, parts)).toEqual({ entered: [], left: [], changed: [], stayed: parts, front: 10 });
});
