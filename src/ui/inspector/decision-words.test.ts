import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BranchRule, PersonalEffect, TopicAnswer, Trace } from '../../domain/decision.ts';
import type { Node } from '../../domain/forest.ts';
import { Life } from '../../domain/testing/random-life.ts';
import { forestOf } from '../chat/testing/small-forest.ts';
import {
  answerWords,
  asDecided,
  branchReasons,
  branchRuleWords,
  branchSource,
  branchWords,
  chosenWords,
  confirmedWords,
  decidedTopic,
  foreignSettingsWords,
  forkTaken,
  gateOf,
  personalWords,
  topicReasons,
  topicRuleWords,
  topicSource,
  topicTitle,
  topicWeighing,
} from './decision-words.ts';

const life = new Life();
const one = life.say(null);
const two = life.say(one);
const node = life.forest.nodes[two] as Node;

const answer = {
  action: 'continue-topic' as const,
  confidence: 0.934,
  reasons: [],
  raw: '',
  decider: 'embedded decider',
} satisfies TopicAnswer;
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

test('what this version or this browser does not know of the settings of a decision is told', () => {
  const saved = {
    current: 2,
    versions: [
      { version: 2, at: 0, from: 0, policy: 'focused', parameters: { k: 2, theta: 0.3 }, prompts: { topic: 'Sort.' } },
    ],
  };
  const words = (settings: NonNullable<Trace['settings']>, policy = 'focused') =>
    foreignSettingsWords(saved, { ...traceOf('on-tip'), policy, settings });
  const ours = { version: 2, parameters: { theta: 0.3, k: 2 }, prompts: ['topic'] };
  expect(words(ours)).toEqual([]);
  expect(words({ version: 0, parameters: {}, prompts: [] })).toEqual([]);
  const notSaved = ['These are not the settings that are saved as version 2 in this browser.'];
  expect(words({ ...ours, parameters: { k: 3 } })).toEqual(notSaved);
  expect(words(ours, 'truncation')).toEqual(notSaved);
  const notDefault = ['These are not the default settings.'];
  expect(words({ version: 0, parameters: { theta: 0.3 }, prompts: [] })).toEqual(notDefault);
  expect(words({ version: 0, parameters: {}, prompts: ['topic'] }, 'truncation')).toEqual(notDefault);
  expect(words({ version: 0, parameters: {}, prompts: [] }, 'truncation')).toEqual([]);
  expect(words({ version: 0, parameters: { k: 'many', depth: 4 }, prompts: [] }, 'from-the-future')).toEqual([
    'Another version of Coppice decided this. This one does not have its policy, k, depth, so a re-run goes without.',
  ]);
  expect(foreignSettingsWords(saved, traceOf('on-tip'))).toEqual([]);
});

test('only a place that the engine gave a turn is told to be the engine’s where it is confirmed', () => {
  const words = (by: 'engine' | 'person' | 'import') => confirmedWords({ ...node.decision, by });
  expect(words('engine')).toBe('You agree with where the engine put this turn.');
  expect(words('person')).toMatch(/yourself/);
  expect(words('import')).toMatch(/imported/);
});

test('of a place chosen for a draft, it says that a label is saved only once the message is sent', () => {
  const place = { treeId: 't', branchId: 'b', parentId: one };
  const elsewhere = { ...place, parentId: null };
  for (const engine of [place, elsewhere]) {
    const label = { engine, person: place, at: 0, beforehand: true };
    expect(chosenWords(label, true)).toMatch(/Once the message is sent, that is saved as a label/);
    expect(chosenWords(label, false)).toMatch(/^You chose the place before the message was sent\. .*That is saved/);
  }
});

test('the source of an answer says how sure it was, or that it did not say', () => {
  expect(topicSource(traceOf('on-tip'))).toBe('embedded decider · confidence 0.93');
  const unsure = traceOf('on-tip', { answer: { ...answer, confidence: null } });
  expect(topicSource(unsure)).toBe('embedded decider gave no confidence');
  expect(topicSource(traceOf('on-tip', { rule: 'first-turn', answer: null }))).toBe('first turn');
  expect(branchSource(traceOf('below-threshold'))).toBe('not asked');
});

test('the rule that kept the branch names the turn and the numbers', () => {
  expect(branchRuleWords(life.forest, traceOf('below-threshold'))).toBe(
    'Turn 1 is nearest and stays below θ (0.48 < 0.60), so the branch continues without asking the decider.',
  );
});

test('a similarity just below or above θ does not read like it', () => {
  const at = (similarity: number, rule: BranchRule, theta = 0.45): string => {
    const trace = traceOf(rule);
    return branchRuleWords(life.forest, {
      ...trace,
      fork: { ...trace.fork, theta, candidates: [{ nodeId: one, similarity }] },
    });
  };
  expect(at(0.447, 'below-threshold')).toContain('stays below θ (0.447 < 0.450),');
  expect(at(0.44996, 'below-threshold')).toContain('(0.44996 < 0.45000)');
  expect(at(0.6004, 'asked-top-candidate', 0.6)).toContain('above θ (0.6004 > 0.6000)');
  expect(at(0.45, 'not-above-threshold')).toContain('(0.45 ≤ 0.45)');
  expect(at(-0.001, 'below-threshold', 0)).toContain('(−0.001 < 0.000)');
});

test('where the direct parent is nearer and skipped, the rule does not call another turn the nearest', () => {
  const trace = traceOf('below-threshold');
  const fork = { ...trace.fork, candidates: [{ nodeId: two, similarity: 0.5 }, ...trace.fork.candidates] };
  expect(branchRuleWords(life.forest, { ...trace, fork })).toBe(
    'Turn 1 is the nearest besides the turn that the active one continues, and stays below θ (0.48 < 0.60), so the branch continues without asking the decider.',
  );
});

test('a question that nobody could answer says what happened instead', () => {
  expect(branchRuleWords(life.forest, traceOf('asked'))).toMatch(/None could answer, so the branch continued\.$/);
  expect(topicRuleWords(traceOf('asked', { answer: null }))).toMatch(/stayed/);
  expect(topicRuleWords(traceOf('asked'))).toBeNull();
});

test('of a place that the decider named, it does not say that it reaches θ', () => {
  expect(branchRuleWords(life.forest, traceOf('asked'))).toMatch(
    /^A turn .* reaches θ \(0\.60\).* named another place\./,
  );
  const near = {
    ...traceOf('asked'),
    fork: { theta: 0.6, candidates: [{ nodeId: one, similarity: 0.7 }], point: one },
  };
  expect(branchRuleWords(life.forest, near)).toMatch(/^Turn 1 reaches θ \(0\.70 ≥ 0\.60\)/);
  const unlisted = (...ids: string[]) => ({
    ...near,
    fork: { ...near.fork, candidates: ids.map((nodeId) => ({ nodeId, similarity: 0.7 })), point: two },
  });
  expect(branchRuleWords(life.forest, unlisted(one, 'other'))).toMatch(
    /^A turn .* reaches θ \(0\.60\).* named another place\./,
  );
  // With k = 1 the turn that opened the gate may not be kept.
  expect(branchRuleWords(life.forest, unlisted(one))).not.toMatch(/Turn|named/);
});

test('of a place that the person gave, it does not say that nobody was asked', () => {
  for (const words of [
    topicRuleWords(traceOf('person', { rule: 'person', answer: null })),
    branchRuleWords(life.forest, traceOf('person')),
  ]) {
    expect(words).toMatch(/no decider’s answer was used\.$/);
    expect(words).not.toContain('asked');
  }
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

test('a turn that became the first of its topic, since the one before it was taken out, says so', () => {
  const gone = new Life();
  const first = gone.say(null);
  const second = gone.say(first);
  gone.do({ type: 'delete', nodeIds: [first], alone: true, step: gone.id() });
  const left = gone.forest.nodes[second] as Node;
  const words = (branch: Node['decision']['branch']) =>
    branchWords({ ...left, decision: { ...left.decision, branch } });
  expect(left.parentId).toBeNull();
  expect(words('continue-branch')).toEqual({
    action: 'Continue',
    link: 'after a turn since deleted or moved away',
    at: null,
  });
  expect(words('create-branch').link).toBe('from a turn since deleted or moved away');
  expect(words(null).link).toBe('of the new topic');
});

test('a turn whose path lost the turn before it is told as put where it was put then', () => {
  const shortened = new Life();
  const first = shortened.say(null);
  const second = shortened.say(first);
  const third = shortened.say(second);
  const then = { ...(shortened.forest.nodes[third] as Node) };
  const fresh = { treeId: shortened.id(), branchId: shortened.id() };
  shortened.do({ type: 'extract', nodeId: second, fresh, at: 0, step: shortened.id() });
  const now = shortened.forest.nodes[third] as Node;
  const continuedAfter = (one: Node) =>
    branchWords({ ...one, decision: { ...one.decision, branch: 'continue-branch' } }).at;
  expect(continuedAfter(now)).toBe(first);
  expect(continuedAfter(asDecided(now, then))).toBe(second);
  expect(asDecided(now, undefined)).toBe(now);
  // What was moved by its reply or by hand was put elsewhere after that.
  const trace = {
    ...traceOf('asked'),
    beforeReply: { topic: 'create-topic' as const, branch: null, parentId: null, confidence: null },
  };
  const moved = { ...now, decision: { ...now.decision, trace } };
  expect(asDecided(moved, then)).toBe(moved);
  const place = { treeId: 't', branchId: 'b', parentId: null };
  const corrected = { ...now, label: { engine: place, person: place, at: 0 } };
  expect(asDecided(corrected, then)).toBe(corrected);
});

test('without retrieval no threshold is spoken of, and who was asked is', () => {
  const asked = traceOf('asked-on-revision', {});
  const trace: Trace = {
    ...asked,
    fork: { ...asked.fork, theta: null },
    branch: { ...asked.branch, answer: { ...answer, action: 'create-branch', alternatives: [] } },
  };
  expect(branchSource(trace)).toBe('embedded decider · confidence 0.93');
  expect(branchRuleWords(life.forest, trace)).toMatch(/asked about turn 1, the parent of the active one\.$/);
  expect(branchRuleWords(life.forest, trace)).not.toContain('θ');
  expect(branchSource(traceOf('nothing-revised'))).toBe('not asked');
  expect(branchRuleWords(life.forest, traceOf('nothing-revised'))).toMatch(/the decider was not asked/);
  expect(branchRuleWords(life.forest, asked)).toMatch(/None could answer/);
});

test('of paths that were asked about one by one it says what came of it, and of how many nobody was asked', () => {
  const asked = (...answers: boolean[]) => ({
    rule: 'asked-by-path' as const,
    paths: answers.map((yes, at) => ({ leaf: `${at}`, yes, confidence: null, decider: 'd' })),
  });
  expect(topicRuleWords(traceOf('on-tip', asked(true)))).toMatch(/takes the first yes\. Path 1 got it\.$/);
  expect(topicRuleWords(traceOf('on-tip', asked(false, false, true)))).toMatch(/Path 3 got it\.$/);
  expect(topicRuleWords(traceOf('new-topic', asked(false)))).toMatch(/The only one got a no, so the topic is new\.$/);
  expect(topicRuleWords(traceOf('on-tip', { ...asked(true), pathsLeftOut: 1 }))).toMatch(/ 1 path further off was not/);
  expect(topicRuleWords(traceOf('new-topic', { ...asked(false, false), pathsLeftOut: 4 }))).toMatch(
    /All 2 got a no, so the topic is new\. 4 paths further off were not asked about\.$/,
  );
  expect(topicRuleWords(traceOf('on-tip', { ...asked(), answer: null }))).toMatch(/stayed/);
});

test('of a fork that the policy takes from the nearest turn alone the rule says so', () => {
  const at = (similarity: number, rule: BranchRule): Trace => {
    const trace = traceOf(rule);
    return { ...trace, fork: { ...trace.fork, candidates: [{ nodeId: one, similarity }] } };
  };
  expect(branchRuleWords(life.forest, at(0.6, 'not-above-threshold'))).toBe(
    'Turn 1 is nearest and not above θ (0.60 ≤ 0.60), so the branch continues without asking the decider.',
  );
  expect(branchRuleWords(life.forest, at(0.7, 'asked-top-candidate'))).toMatch(
    /^Turn 1 is nearest, above θ \(0\.70 > 0\.60\).*this policy takes turn 1\. None could answer, so the branch continued\.$/,
  );
  expect(branchRuleWords(life.forest, traceOf('parent-excluded'))).toMatch(/never forks from/);
});

const forest = forestOf([[null], [1], [null]]);
const personal = (
  action: PersonalEffect['without']['action'],
  target: string | null,
  confidence: number,
): PersonalEffect => ({
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
    'returned to “a former topic” (0.50)',
  );
  const forked = { action: 'create-branch', target: null, confidence: 0.7 } as const;
  expect(personalWords(forest, personal('continue-branch', null, 0.55), forked).text).toContain(
    'continued the branch (0.55)',
  );
});

test('a return to another topic is a changed answer, the same answer only surer or less sure', () => {
  const back = { action: 'switch-topic', target: 't1', confidence: 0.8 } as const;
  expect(personalWords(forest, personal('switch-topic', 't3', 0.5), back).changed).toBe(true);
  expect(personalWords(forest, personal('switch-topic', 't1', 0.5), back)).toEqual({
    changed: false,
    text: 'Surer because of your corrections: 0.50 without them.',
  });
  expect(personalWords(forest, personal('switch-topic', 't1', 0.9), back).text).toBe(
    'Less sure because of your corrections: 0.90 without them.',
  );
});

test('a branch from another turn is a changed answer, too, unless an older version did not say from which', () => {
  const forked = { action: 'create-branch', target: 'n2', confidence: 0.46 } as const;
  expect(personalWords(forest, personal('create-branch', 'n1', 0.41), forked)).toEqual({
    changed: true,
    text: 'Your corrections changed this: without them it would have opened a new branch from turn 1 (0.41).',
  });
  const switched = { action: 'switch-branch', target: 'n2', confidence: 0.46 } as const;
  expect(personalWords(forest, personal('switch-branch', 'n1', 0.41), switched).text).toContain(
    'switched to the branch of turn 1 (0.41)',
  );
  for (const target of ['n2', null]) {
    expect(personalWords(forest, personal('create-branch', target, 0.41), forked).changed).toBe(false);
  }
});

describe('what decided', () => {
  const weighed: TopicAnswer = {
    ...answer,
    confidence: 0.8,
    reasons: [
      { text: 'it shares words', weight: 1.24 },
      { text: 'no word of going on', weight: -0.36 },
    ],
    against: { action: 'create-topic', at: null, odds: 1.61 },
    alternatives: [
      { action: 'create-topic', target: null, confidence: 0.16 },
      { action: 'switch-topic', target: 't3', confidence: 0.03 },
    ],
  };
  const trace = traceOf('on-tip', { answer: weighed, target: 't1' });

  test('is every answer with its probability, the chosen one first, and what is left for the rest', () => {
    const weighing = topicWeighing(trace);
    expect(weighing?.answers.map((one) => [answerWords(forest, one), one.chance, one.chosen])).toEqual([
      ['staying in “Topic 1”', 0.8, true],
      ['a new topic', 0.16, false],
      ['returning to “Topic 3”', 0.03, false],
    ]);
    expect(weighing?.others).toBeCloseTo(0.01);
    expect(topicWeighing(traceOf('on-tip', { answer: { ...weighed, confidence: null } }))).toBeNull();
  });

  test('sets a title that reads from right to left apart from the number after it', () => {
    const title = 'דירה בליסבון';
    expect(answerWords(forest, { action: 'switch-topic', at: 'gone', titleThen: title })).toBe(
      `returning to “\u2068${title}\u2069”`,
    );
  });

  test('names a topic that is no more as it was called then', () => {
    const candidates = [{ treeId: 'gone', title: 'Lisbon flat', similarity: 0.4, active: false }];
    const gone: TopicAnswer = {
      ...weighed,
      against: { action: 'switch-topic', at: 'gone', odds: 1.61 },
      alternatives: [{ action: 'switch-topic', target: 'gone', confidence: 0.16 }],
    };
    const about = traceOf('on-tip', { answer: gone, target: 't1', candidates });
    const [, rival] = topicWeighing(about)?.answers ?? [];
    expect(rival && answerWords(forest, rival)).toBe('returning to “Lisbon flat”');
    expect(topicReasons(forest, about)?.head).toContain('against returning to “Lisbon flat”');
    expect(topicTitle(forest, about, 'gone')).toBe('Lisbon flat');
    expect(topicTitle(forest, about, 'unknown')).toBe('a former topic');
  });

  test('is told for one answer against another, and what is shown comes to the odds that are shown', () => {
    expect(topicReasons(forest, trace)).toEqual({
      head: 'For staying in “Topic 1” against a new topic',
      rows: [
        { text: 'it shares words', weight: 1.2 },
        { text: 'no word of going on', weight: -0.4 },
        { text: 'other', weight: 0.8 },
      ],
      sum: 1.6,
    });
  });

  test('always adds up to the tenth', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -5, max: 5, noNaN: true })),
        fc.double({ min: 0, max: 20, noNaN: true }),
        (weights, odds) => {
          const reasons = weights.map((weight, at) => ({ text: `${at}`, weight }));
          const of = { ...weighed, reasons, against: { action: 'create-topic' as const, at: null, odds } };
          const told = topicReasons(forest, traceOf('on-tip', { answer: of, target: 't1' }));
          const sum = (told?.rows ?? []).reduce((total, row) => total + Number(row.weight.toFixed(1)), 0);
          if (told !== null) expect(sum).toBeCloseTo(Number(told.sum?.toFixed(1)), 6);
        },
      ),
    );
  });

  test('of a log that names no rival the next likely answer is it, and without probabilities nothing is summed', () => {
    const { against: _, ...older } = weighed;
    const told = topicReasons(forest, traceOf('on-tip', { answer: older, target: 't1' }));
    expect(told).toMatchObject({ head: 'For staying in “Topic 1” against a new topic', sum: 1.6 });
    const bare = { ...older, alternatives: [] };
    expect(topicReasons(forest, traceOf('on-tip', { answer: bare, target: 't1' }))).toMatchObject({
      head: null,
      sum: null,
    });
  });

  test('of a branch names the turn', () => {
    const at = {
      ...traceOf('asked-ungated'),
      branch: {
        rule: 'asked-ungated' as const,
        settled: null,
        answer: {
          ...weighed,
          action: 'create-branch' as const,
          point: 'n1',
          alternatives: [],
          against: { action: 'continue-branch' as const, at: null, odds: 2 },
        },
      },
    };
    expect(branchReasons(forest, at)?.head).toBe('For a new branch from turn 1 against continuing');
  });
});

test('the fork that stands out is the one that was taken, and none where the branch goes on', () => {
  const decided = (branch: 'create-branch' | 'continue-branch'): Node => ({
    ...node,
    decision: { ...node.decision, branch, trace: traceOf('asked-ungated') },
  });
  expect(forkTaken(decided('create-branch'))).toBe(one);
  expect(forkTaken(decided('continue-branch'))).toBeNull();
});

test('a fork is from the turn that the decider named, also once that is gone and the turn hangs elsewhere', () => {
  const trace = traceOf('asked');
  const forked = (action: 'create-branch' | 'continue-branch'): Node => ({
    ...node,
    parentId: 'above',
    decision: {
      ...node.decision,
      branch: 'create-branch',
      trace: { ...trace, branch: { ...trace.branch, answer: { ...answer, action, alternatives: [] } } },
    },
  });
  expect(branchWords(forked('create-branch'))).toEqual({ action: 'New branch', link: 'from', at: one });
  expect(forkTaken(forked('create-branch'))).toBe(one);
  // It went on from a turn that had others after it.
  expect(branchWords(forked('continue-branch')).at).toBe('above');
});

test('no gate is spoken of where the decider is asked anyway, and the word says what the picture shows', () => {
  expect(gateOf(traceOf('asked-ungated'))).toMatchObject({ state: 'none', name: 'No gate' });
  expect(gateOf(traceOf('asked-ungated')).words).not.toContain('every turn');
  expect(branchRuleWords(forest, traceOf('asked-ungated'))).toMatch(/whatever the similarity: about .*ends of/);
  expect(gateOf(traceOf('new-topic'))).toMatchObject({ state: 'none', name: 'Not reached' });
  expect(gateOf(traceOf('below-threshold'))).toMatchObject({ state: 'shut', name: 'Closed' });
  expect(gateOf(traceOf('asked'))).toMatchObject({ state: 'open', name: 'Open' });
});
