import { expect, test } from 'vitest';
import { AS_IT_WAS } from '../../engine/history/what-if.ts';
import { otherwiseWords } from './what-if-words.ts';

test('what is otherwise is told in a few words', () => {
  expect(otherwiseWords(AS_IT_WAS)).toBe('nothing changed');
  expect(otherwiseWords({ ...AS_IT_WAS, parameters: { theta: 0.3 } })).toBe('θ 0.30');
  expect(otherwiseWords({ ...AS_IT_WAS, parameters: { threadDecay: 0.0025, memoryK: 4 } })).toBe(
    'α 0.0025, memory k 4',
  );
  expect(
    otherwiseWords({
      ...AS_IT_WAS,
      from: 'n1',
      base: 'now',
      byHand: 'left-out',
      decider: 'paper-rule',
      embedder: 'embedded',
      policy: 'truncation',
      parameters: { k: 3, theta: null, spareDirectParent: false },
      prompts: { topic: 'Decide.' },
    }),
  ).toBe(
    'k 3, θ none, spareDirectParent false, the paper’s rule, the embedded embedder, truncation, another topic prompt, settings of now, no edits by hand',
  );
});
