import { expect, test } from 'vitest';
import type { BranchRule, Personal, TopicAnswer, Trace } from '../../domain/decision.ts';
import type { Node } from '../../domain/forest.ts';
import { Life } from '../../domain/testing/random-life.ts';
import { forestOf } from '../chat/testing/small-forest.ts';
import {
  branchRuleWords,
  branchSource,
  branchWords,
  decidedTopic,
  personalWords,
  topicRuleWords,
  topicSource,
} from './decision-words.ts';

const life = new Life();
const one = life.say(null);
const two = life.say(one);
const node = life.forest.nodes[two] as Node;

const answer: TopicAnswer = {
  action: 'continue-topic',
  confidence: 0.934,
  reasons: [],
  raw: '',
  decider: 'embedded decider',
};
const traceOf = (rule: BranchRule, topic: Partial<Trace['topic']> = {}): Trace => ({
  policy: 'context-agent',
  embedder: 'e',
  decider: 'embedded decider',
  topic: { rule: 'asked', answer, target: node.treeId, candidates: [], ...topic },
  fork: { theta: 0.6, candidates: [{ nodeId: one, similarity: 0.48 }], point: one },
  branch: { rule, answer: null, settled: null },
  fallbacks: [],
  timings: [],
});

test('the source of an answer says how sure it was, or that it did not say', () => {
  expect(topicSource(traceOf('on-tip'))).toBe('embedded decider · sure 0.93');
  const unsure = traceOf('on-tip', { answer: { ...answer, confidence: null } });
  expect(topicSource(unsure)).toBe('embedded decider gave no confidence');
  expect(topicSource(traceOf('on-tip', { rule: 'first-turn', answer: null }))).toBe('first turn');
  expect(branchSource(traceOf('below-threshold'))).toBe('not asked');
});

test('the rule that kept the branch names the turn and the numbers', () => {
  expect(branchRuleWords(life.forest, traceOf('below-threshold'))).toBe(
    'Turn 1 is nearest and stays below θ (0.48 < 0.60), so the branch goes on without asking.',
  );
});

test('a question that nobody could answer says what happened instead', () => {
  expect(branchRuleWords(life.forest, traceOf('asked'))).toMatch(/None could answer: the branch went on\.$/);
  expect(topicRuleWords(traceOf('asked', { answer: null }))).toMatch(/stayed/);
  expect(topicRuleWords(traceOf('asked'))).toBeNull();
});

test('a corrected turn still tells what the engine had said', () => {
  const corrected: Node = {
    ...node,
    treeId: 'elsewhere',
    parentId: null,
    decision: { ...node.decision, branch: 'create-branch', trace: traceOf('asked', { target: null }) },
    label: {
      engine: { treeId: 'first', branchId: 'b', parentId: one },
      person: { treeId: 'elsewhere', branchId: 'c', parentId: null },
      at: 0,
    },
  };
  expect(branchWords(corrected)).toEqual({ action: 'New branch', link: 'from', at: one });
  expect(decidedTopic(corrected)).toBe('first');
});

test('without retrieval no threshold is spoken of, and who was asked is', () => {
  const asked = traceOf('asked-on-revision', {});
  const trace: Trace = {
    ...asked,
    fork: { ...asked.fork, theta: null },
    branch: { ...asked.branch, answer: { ...answer, action: 'create-branch', alternatives: [] } },
  };
  expect(branchSource(trace)).toBe('embedded decider · sure 0.93');
  expect(branchRuleWords(life.forest, trace)).toMatch(/asked about turn 1, the parent of the active one\.$/);
  expect(branchRuleWords(life.forest, trace)).not.toContain('θ');
  expect(branchSource(traceOf('nothing-revised'))).toBe('not asked');
  expect(branchRuleWords(life.forest, asked)).toMatch(/None could answer/);
});

test('of paths that were asked about one by one it says what came of it, and of how many nobody was asked', () => {
  const asked = (...answers: boolean[]) => ({
    rule: 'asked-by-path' as const,
    paths: answers.map((yes, at) => ({ leaf: `${at}`, yes, confidence: null, decider: 'd' })),
  });
  expect(topicRuleWords(traceOf('on-tip', asked(true)))).toMatch(/the first yes wins: it was yes to the first\.$/);
  expect(topicRuleWords(traceOf('on-tip', asked(false, false, true)))).toMatch(/yes to number 3\.$/);
  expect(topicRuleWords(traceOf('new-topic', asked(false)))).toMatch(/no to the only one, so the topic is new\.$/);
  expect(topicRuleWords(traceOf('new-topic', { ...asked(false, false), pathsLeftOut: 4 }))).toMatch(
    /no to all 2 paths, so the topic is new\. 4 more, further off, were not asked about\.$/,
  );
  expect(topicRuleWords(traceOf('on-tip', { ...asked(), answer: null }))).toMatch(/stayed/);
});

test('of a fork that the policy takes from the nearest turn alone the rule says so', () => {
  const at = (similarity: number, rule: BranchRule): Trace => {
    const trace = traceOf(rule);
    return { ...trace, fork: { ...trace.fork, candidates: [{ nodeId: one, similarity }] } };
  };
  expect(branchRuleWords(life.forest, at(0.6, 'not-above-threshold'))).toBe(
    'Turn 1 is nearest and not above θ (0.60 ≤ 0.60), so the branch goes on without asking.',
  );
  expect(branchRuleWords(life.forest, at(0.7, 'asked-top-candidate'))).toMatch(
    /^Turn 1 is nearest, above θ \(0\.70 > 0\.60\).*this policy takes turn 1\. None could answer: the branch went on\.$/,
  );
  expect(branchRuleWords(life.forest, traceOf('parent-excluded'))).toMatch(/never forks from/);
});

const forest = forestOf([[null], [1], [null]]);
const personal = (action: Personal['without']['action'], target: string | null, confidence: number): Personal => ({
  without: { action, target, confidence },
  reasons: [],
});

test('a changed answer says plainly what it would have been', () => {
  const opened = { action: 'create-topic', target: null, confidence: 0.9 } as const;
  expect(personalWords(forest, personal('continue-topic', 't1', 0.62), opened)).toEqual({
    changed: true,
    text: 'Your corrections changed this: without them it would have continued “Topic 1” (0.62).',
  });
  expect(personalWords(forest, personal('switch-topic', 'gone', 0.5), opened).text).toContain(
    'returned to “a topic that is gone” (0.50)',
  );
  const forked = { action: 'create-branch', target: null, confidence: 0.7 } as const;
  expect(personalWords(forest, personal('continue-branch', null, 0.55), forked).text).toContain(
    'gone on with the branch (0.55)',
  );
});

test('a return to another topic is a changed answer, the same answer only surer or less sure', () => {
  const back = { action: 'switch-topic', target: 't1', confidence: 0.8 } as const;
  expect(personalWords(forest, personal('switch-topic', 't3', 0.5), back).changed).toBe(true);
  expect(personalWords(forest, personal('switch-topic', 't1', 0.5), back)).toEqual({
    changed: false,
    text: 'Surer by your corrections: 0.50 without them.',
  });
  expect(personalWords(forest, personal('switch-topic', 't1', 0.9), back).text).toBe(
    'Less sure by your corrections: 0.90 without them.',
  );
});
