import { expect, test } from 'vitest';
import {
  BRANCH_METRICS,
  CERTAINTY_METRICS,
  countDecisions,
  EDGE_METRICS,
  PARENT_METRICS,
  SETTLED_METRICS,
  SHIFT_METRICS,
  TOPIC_METRICS,
} from './decision-metrics.ts';
import type { Metric } from './metric.ts';
import type { DecisionRecord, TurnPlacement } from './placements.ts';

const place = (what: 'create' | 'switch' | 'continue', parent: number | null, fork = false): TurnPlacement => ({
  topic: `${what}-topic`,
  branch: what === 'create' ? null : fork ? 'create-branch' : 'continue-branch',
  parent,
  fork,
});

const decided = (
  gold: TurnPlacement,
  predicted: TurnPlacement,
  more: Partial<DecisionRecord> = {},
): DecisionRecord => ({
  dataset: 'made',
  mode: 'teacher-forced',
  subject: 'somebody',
  dialogue: 'd',
  labels: 'parents',
  turn: 5,
  gold,
  predicted,
  home: 0,
  predictedHome: 0,
  settled: predicted,
  settledHome: 0,
  confidence: null,
  branchConfidence: null,
  unsure: false,
  rule: null,
  disputed: false,
  labelled: true,
  relation: null,
  ...more,
});

const figures = (metrics: readonly Metric[], records: readonly DecisionRecord[]): Record<string, [number, number]> => {
  const counts = countDecisions(records);
  const of = (name: string) => counts[name] ?? 0;
  return Object.fromEntries(metrics.map(({ name, value, n }) => [name, [value(of), n(of)]]));
};

test('topic actions: macro-F1, precision and recall by class, targets', () => {
  const found = figures(TOPIC_METRICS, [
    decided(place('continue', 1), place('continue', 1)),
    decided(place('continue', 1), place('create', null)),
    decided(place('create', null), place('create', null)),
    decided(place('switch', 0), place('switch', 0)),
    decided(place('switch', 0), place('switch', 3), { predictedHome: 3 }),
    decided(place('switch', 0), place('continue', 4), { predictedHome: 3 }),
  ]);
  // F1: create 2/3, switch 4/5, continue 1/2.
  expect(found['topic-macro-f1']?.[0]).toBeCloseTo((2 / 3 + 4 / 5 + 1 / 2) / 3);
  expect(found.accuracy).toEqual([4 / 6, 6]);
  expect(found['create-precision']).toEqual([1 / 2, 2]);
  expect(found['create-recall']).toEqual([1, 1]);
  expect(found['switch-recall']).toEqual([2 / 3, 3]);
  expect(found['switch-target-accuracy']).toEqual([1 / 3, 3]);
});

test('a shift is decided by creating or by switching', () => {
  const found = figures(SHIFT_METRICS, [
    decided(place('create', null), place('switch', 0)),
    decided(place('create', null), place('continue', 4)),
    decided(place('continue', 4), place('create', null)),
    decided(place('continue', 4), place('continue', 4)),
  ]);
  expect(found['shift-precision']).toEqual([1 / 2, 2]);
  expect(found['shift-recall']).toEqual([1 / 2, 2]);
  expect(found['shift-f1']).toEqual([1 / 2, 4]);
});

test('a fork is found only as a fork under its parent', () => {
  const found = figures(PARENT_METRICS, [
    decided(place('continue', 2, true), place('continue', 2, true)),
    decided(place('continue', 2, true), place('continue', 1, true)),
    decided(place('continue', 2, true), place('continue', 4)),
    // Under its parent, which has no continuation in the history at hand.
    decided(place('continue', 2, true), place('continue', 2)),
    decided(place('continue', 4), place('continue', 3, true)),
  ]);
  expect(found['fork-recall']).toEqual([1 / 4, 4]);
  expect(found['fork-precision']).toEqual([1 / 3, 3]);
  expect(found['parent-accuracy']).toEqual([2 / 5, 5]);
});

test('branch actions are of turns that open no topic by their label', () => {
  const found = figures(BRANCH_METRICS, [
    decided(place('create', null), place('continue', 2, true)),
    decided(place('continue', 2, true), place('continue', 2, true)),
    decided(place('continue', 4), place('create', null)),
  ]);
  expect(found['create-branch-precision']).toEqual([1, 1]);
  expect(found['continue-branch-recall']).toEqual([0, 1]);
  expect(found['branch-macro-f1']).toEqual([1 / 2, 2]);
});

test('edges: back to an earlier turn, under the last, in a topic of its own', () => {
  const found = figures(EDGE_METRICS, [
    decided(place('continue', 1, true), place('continue', 1, true), { relation: 'recall' }),
    decided(place('continue', 1, true), place('continue', 4), { relation: 'recall' }),
    decided(place('continue', 4), place('continue', 4), { relation: 'refinement' }),
    decided(place('create', null), place('create', null), { relation: 'unrelatedness' }),
    decided(place('continue', 4), place('create', null)),
  ]);
  expect(found['recall-edge-accuracy']).toEqual([1 / 2, 2]);
  expect(found['refinement-edge-accuracy']).toEqual([1, 1]);
  expect(found['edge-macro-f1']?.[0]).toBeCloseTo((2 / 3 + 2 / 3 + 1) / 3);
  expect(found['edge-macro-f1']?.[1]).toBe(4);
});

test('calibration: the distance between confidence and share that is right, in each tenth', () => {
  const kept = place('continue', 4);
  const found = figures(CERTAINTY_METRICS, [
    // 0.9 to 1: mean 0.95, half of them right: 2 × 0.45.
    decided(kept, kept, { confidence: 0.9 }),
    decided(kept, place('create', null), { confidence: 1 }),
    // 0.6 to 0.7: both right, too modest by 0.4 and 0.31. In one bin with the two above they would cancel out.
    decided(kept, kept, { confidence: 0.6 }),
    decided(kept, kept, { confidence: 0.69 }),
    // A return that went to another topic: 1 × 0.3.
    decided(place('switch', 0), place('switch', 3), { confidence: 0.3, predictedHome: 3 }),
    // Without a confidence there is nothing to calibrate.
    decided(kept, place('create', null)),
  ]);
  expect(found['calibration-error']?.[0]).toBeCloseTo((0.9 + 0.71 + 0.3) / 5);
  expect(found['calibration-error']?.[1]).toBe(5);
});

test('errors that the interface marks as unsure, of the topic and of the parent', () => {
  const wrongParent = [place('continue', 4), place('continue', 2, true)] as const;
  const found = figures(CERTAINTY_METRICS, [
    decided(place('create', null), place('continue', 4), { unsure: true }),
    decided(place('switch', 0), place('create', null)),
    decided(...wrongParent, { unsure: true }),
    // Where only topics are labelled, a parent cannot be wrong.
    decided(...wrongParent, { unsure: true, labels: 'topics' }),
    // Nor is it a mistake of this turn that its topic had been mixed up, unless it is a return.
    decided(place('continue', 4), place('continue', 4), { labels: 'topics', predictedHome: 3 }),
    decided(place('switch', 0), place('switch', 3), { labels: 'topics', predictedHome: 3 }),
    decided(place('continue', 4), place('continue', 4)),
  ]);
  expect(found['errors-flagged']).toEqual([2 / 4, 4]);
  expect(found['share-flagged']).toEqual([3 / 7, 7]);
  expect(found['calibration-error']).toEqual([Number.NaN, 0]);
});

test('where turns stand once they have been replied to is measured beside where they were put first', () => {
  const back = place('switch', 1);
  const moved = decided(back, place('continue', 4), { predictedHome: 3, settled: back });
  const stayed = decided(place('create', null), place('create', null));
  const [before, after] = [
    figures(TOPIC_METRICS, [moved, stayed]),
    figures([...SETTLED_METRICS, ...PARENT_METRICS], [moved, stayed]),
  ];
  expect(before['switch-target-accuracy']).toEqual([0, 1]);
  expect(after['settled-switch-target-accuracy']).toEqual([1, 1]);
  expect(after['parent-accuracy']).toEqual([0.5, 2]);
  expect(after['settled-parent-accuracy']).toEqual([1, 2]);
  expect(after['settled-topic-macro-f1']).toEqual([1, 2]);
});
