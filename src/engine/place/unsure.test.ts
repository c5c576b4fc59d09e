import { expect, test } from 'vitest';
import type { Decision } from '../../domain/decision.ts';
import { nodeOf } from '../../domain/queries.ts';
import { Life } from '../../domain/testing/random-life.ts';
import { unsureOf } from './unsure.ts';

const decided = (
  confidence: number,
  alternatives: NonNullable<NonNullable<Trace['topic']['answer']>['alternatives']>,
): Decision => ({
  topic: 'create-topic',
  branch: null,
  by: 'engine',
  trace: {
    policy: 'context-agent',
    embedder: 'e',
    decider: 'd',
    topic: {
      rule: 'asked',
      target: null,
      candidates: [],
      answer: { action: 'create-topic', confidence, reasons: [], raw: '', decider: 'd', alternatives },
    },
    fork: { theta: 0.5, candidates: [], point: null },
    branch: { rule: 'new-topic', answer: null, settled: null },
    fallbacks: [],
    timings: [],
  },
});
type Trace = NonNullable<Decision['trace']>;

/** A topic of two turns, and a third turn that opened another topic although the first was likely too. */
const opened = (confidence: number, second = 0.3) => {
  const life = new Life();
  const first = life.say(null, 'plan a trip');
  const ids = { tip: life.say(first, 'add a lake'), other: life.send('and the hut?') };
  const { treeId } = nodeOf(life.forest, first);
  const decision = decided(confidence, [{ action: 'continue-topic', target: treeId, confidence: second }]);
  const fresh = { treeId: life.id(), branchId: life.id() };
  life.do({ type: 'place', nodeId: ids.other, parentId: null, fresh, decision });
  return { life, ids };
};

test('an unsure decision offers where else the turn could be', () => {
  const { life, ids } = opened(0.55);
  const unsure = unsureOf(life.forest, nodeOf(life.forest, ids.other));
  expect(unsure?.confidence).toBe(0.55);
  expect(unsure?.others.map(({ target }) => target)).toEqual([{ kind: 'under', nodeId: ids.tip }]);
});

test('the topic is offered where it stands: in the branch that the person went back to, also once it has gone on from there', () => {
  const life = new Life();
  const root = life.say(null, 'plan a trip');
  const older = life.say(root, 'by train');
  life.say(root, 'by car');
  life.do({ type: 'record', step: life.id(), event: { type: 'activated', nodeId: older } });
  life.say(null, 'learn the guitar');
  const nodeId = life.send('and then?');
  const { treeId } = nodeOf(life.forest, root);
  const fresh = { treeId: life.id(), branchId: life.id() };
  const decision = decided(0.55, [{ action: 'switch-topic', target: treeId, confidence: 0.3 }]);
  life.do({ type: 'place', nodeId, parentId: null, fresh, decision });
  const offered = () => unsureOf(life.forest, nodeOf(life.forest, nodeId))?.others.map(({ target }) => target);
  expect(offered()).toEqual([{ kind: 'under', nodeId: older }]);
  life.say(older, 'which class');
  expect(offered()).toEqual([{ kind: 'under', nodeId: older }]);
});

test('a sure one offers nothing, nor one whose alternatives are unlikely', () => {
  const sure = opened(0.9);
  expect(unsureOf(sure.life.forest, nodeOf(sure.life.forest, sure.ids.other))).toBeNull();
  const unlikely = opened(0.55, 0.1);
  expect(unsureOf(unlikely.life.forest, nodeOf(unlikely.life.forest, unlikely.ids.other))).toBeNull();
});

test('beside one likely place a second is offered though it is less likely, and no more than three', () => {
  const life = new Life();
  const topics = ['plan a trip', 'learn the guitar', 'cook a stew', 'paint the hall'].map((words) =>
    life.say(null, words),
  );
  const offered = (...chances: number[]) => {
    const nodeId = life.send('and then?');
    const alternatives = chances.map((confidence, at) => ({
      action: 'switch-topic' as const,
      target: nodeOf(life.forest, topics[at] as string).treeId,
      confidence,
    }));
    const fresh = { treeId: life.id(), branchId: life.id() };
    life.do({ type: 'place', nodeId, parentId: null, fresh, decision: decided(0.4, alternatives) });
    const others = unsureOf(life.forest, nodeOf(life.forest, nodeId))?.others ?? [];
    return others.map(({ confidence }) => confidence);
  };
  expect(offered(0.02, 0.3, 0.05)).toEqual([0.3, 0.05]);
  expect(offered(0.15, 0.16, 0.17, 0.18)).toEqual([0.18, 0.17, 0.16]);
  expect(offered(0.05, 0.04)).toEqual([]);
});

test('the topic is not walked to find where else the turn could be, and neither a later turn nor a gone topic is offered', () => {
  const { life, ids } = opened(0.55);
  life.say(ids.tip, 'and a boat');
  const unread = new Proxy(life.forest.children, {
    get: () => {
      throw new Error('the topic was walked');
    },
  });
  const unsure = () => unsureOf({ ...life.forest, children: unread }, nodeOf(life.forest, ids.other));
  expect(unsure()?.others.map(({ target }) => target)).toEqual([{ kind: 'under', nodeId: ids.tip }]);
  life.do({
    type: 'delete',
    nodeIds: [nodeOf(life.forest, ids.tip).parentId as string],
    alone: false,
    step: life.id(),
  });
  expect(unsure()).toBeNull();
});
