import { expect, test } from 'vitest';
import { recordsOf } from '../../domain/table.ts';
import { Life } from '../../domain/testing/random-life.ts';
import { AS_IT_WAS, type WhatIfDecider } from '../../engine/history/what-if.ts';
import { decision, forestOf, tracedTo } from '../../ui/chat/testing/small-forest.ts';
import {
  changedSettingsWords,
  deciderOptions,
  leftOutWords,
  notesOn,
  otherChangesWords,
  otherCountersWords,
  otherDifferencesWords,
  reasonWords,
  unchangedWords,
} from './what-if-words.ts';

test('what is otherwise is told in a few words', () => {
  expect(changedSettingsWords(AS_IT_WAS)).toBe('nothing');
  expect(changedSettingsWords({ ...AS_IT_WAS, parameters: { theta: 0.3 } })).toBe('θ 0.30');
  expect(changedSettingsWords({ ...AS_IT_WAS, parameters: { threadDecay: 0.0025, memoryK: 4 } })).toBe(
    'α 0.0025, memory k 4',
  );
  expect(
    changedSettingsWords({
      ...AS_IT_WAS,
      from: 'n1',
      base: 'now',
      byHand: 'left-out',
      decider: 'paper-rule',
      embedder: 'embedded',
      policy: 'truncation',
      parameters: { k: 3, theta: null, patience: 5_000, reconsiderFrom: 2, spareDirectParent: false },
      prompts: { topic: 'Decide.' },
    }),
  ).toBe(
    'k 3, θ the embedder’s own, model timeout 5 seconds, threshold for moving after the reply never, skip the direct parent: no, the paper’s rule, the embedded embedder, truncation, another topic prompt, current settings, no manual edits',
  );
});

test('a decider that was chosen stays among the options though the lessons are forgotten', () => {
  const offered = (lessons: number, chosen: WhatIfDecider) =>
    deciderOptions({ decider: 'embedded decider', embedded: true, lessons }, chosen).map(([value]) => value);
  expect(offered(2, 'chosen')).toEqual([
    'chosen',
    'embedded-taught',
    'embedded-untaught',
    'paper-rule',
    'one-threshold',
  ]);
  expect(offered(0, 'chosen')).toEqual(['chosen', 'paper-rule', 'one-threshold']);
  expect(offered(0, 'embedded-untaught')).toEqual(['chosen', 'embedded-untaught', 'paper-rule', 'one-threshold']);
});

test('of a sweep, what was changed besides its parameter is told', () => {
  expect(otherChangesWords({ ...AS_IT_WAS, parameters: { theta: 0.3 } }, 'theta')).toBeNull();
  expect(otherChangesWords({ ...AS_IT_WAS, parameters: { theta: 0.3, k: 4 } }, 'theta')).toBe('k 4');
});

test('that every turn ends up where it is, is promised only where none was imported and the same models decide', () => {
  const life = new Life();
  life.say(null, 'oak');
  const { forest } = life;
  expect(unchangedWords(forest, true)).toMatch(/as long as the embedded models decided them all\.$/);
  expect(unchangedWords(forest, false)).toMatch(/chosen now decided them all and answer as they did then\.$/);
  const imported = recordsOf(forest.nodes).map((node) => [
    node.id,
    { ...node, decision: { ...node.decision, by: 'import' as const } },
  ]);
  expect(unchangedWords({ ...forest, nodes: Object.fromEntries(imported) }, true)).toContain('Imported turns');
});

test('turns that were not decided differently are told apart by why they differ', () => {
  const changes = ['moved', 'carried', 'by-hand', 'carried', 'same-place'] as const;
  expect(otherDifferencesWords(changes.map((change) => ({ change })))).toEqual([
    '1 moved by manual edits',
    '1 in the same place by another action',
    '2 moved along with others',
  ]);
  expect(otherDifferencesWords([{ change: 'moved' }])).toEqual([]);
});

test('tokens of other tokenizers are not compared without a word', () => {
  expect(otherCountersWords(['words'], ['words'])).toBeNull();
  expect(otherCountersWords([], ['words'])).toBeNull();
  expect(otherCountersWords(['words', 'qwen'], ['llama'])).toBe(
    'Tokens were counted by words and qwen then and by llama here.',
  );
});

test('a model that failed twice for a turn, for its topic and its branch, failed for one turn', () => {
  const fallback = { role: 'decide' as const, from: 'a model', to: 'embedded decider', why: 'it timed out.' };
  const failed = tracedTo(decision('continue-topic', 'continue-branch'), 'n1', 0.5);
  if (failed.trace !== null) failed.trace.fallbacks.push(fallback, fallback);
  const forest = forestOf([[null], [1, failed]]);
  const rerun = { question: AS_IT_WAS, entries: [], forest, decided: new Set(['n2']), leftOut: [] };
  const notes = notesOn({ origin: { conversationId: 'c', entries: [], forest }, rerun, differences: [] });
  expect(notes).toEqual([
    { text: 'a model failed for 1 turn (it timed out). embedded decider was used instead.', alert: true },
  ]);
});

test('a manual edit that was left out names its turns', () => {
  const life = new Life();
  const ids = [life.say(null, 'oak'), life.say(null, 'ash')];
  const skipped = { seq: 9, what: 'turns-deleted', why: 'wanted' } as const;
  expect(leftOutWords(life.forest, { ...skipped, nodeIds: ids })).toBe('Turns 1 and 2, deleted: ignored, as you chose');
  expect(leftOutWords(life.forest, { ...skipped, nodeIds: ids.slice(0, 1) })).toMatch(/^Turn 1, deleted/);
  expect(leftOutWords(life.forest, { ...skipped, nodeIds: [] })).toMatch(/^Something, deleted/);
  // As the menu of a turn calls it.
  const extracted = { ...skipped, what: 'turn-extracted', nodeIds: ids.slice(0, 1) } as const;
  expect(leftOutWords(life.forest, extracted)).toMatch(/^Turn 1, detached from its path/);
});

test('reasons are told with their sign, and come to what is said of all of them', () => {
  const rows = [
    { text: 'it shares words', weight: 1.2 },
    { text: 'no word of going on', weight: -0.4 },
    { text: 'its form', weight: 0.3 },
    { text: 'other', weight: 0.5 },
  ];
  expect(reasonWords({ head: 'For a new topic against staying', rows, sum: 1.6 })).toBe(
    'For a new topic against staying: it shares words +1.2, no word of going on −0.4, other +0.8; total +1.6.',
  );
  expect(reasonWords({ head: null, rows: rows.slice(0, 1), sum: null })).toBe('Evidence: it shares words +1.2.');
});
