import { describe, expect, test } from 'vitest';
import { Entry } from '../../domain/entry.ts';
import { nodeOf } from '../../domain/queries.ts';
import { Life } from '../../domain/testing/random-life.ts';
import type { Decider } from '../ports.ts';
import { plainModels, tagDecider } from '../testing/plain-models.ts';
import { forked, saying, sent, weighing } from '../testing/yes-or-no.ts';
import { MOST_PATHS } from './topic-by-paths.ts';

describe('the topic', () => {
  test('is asked of the active path, then of the others of its topic, then of the other topics’; all no is a new one', async () => {
    const { life, c3, d1, b1, a3, e1 } = forked();
    const { decider, asked } = saying([]);
    const { node, decision, trace } = await sent(life, decider);
    expect(asked()).toEqual([c3, d1, b1, a3, e1]);
    expect(node.parentId).toBeNull();
    expect(decision).toMatchObject({ topic: 'create-topic', branch: null });
    expect(trace).toMatchObject({
      policy: 'context-agent-code',
      topic: { rule: 'asked-by-path', target: null, answer: { action: 'create-topic', confidence: null } },
      branch: { rule: 'new-topic' },
      fallbacks: [],
    });
    expect(trace?.topic.paths?.map(({ leaf, yes, raw }) => [leaf, yes, raw])).toEqual(
      [c3, d1, b1, a3, e1].map((leaf) => [leaf, false, 'No']),
    );
    expect(life.entries.map((entry) => Entry.parse(JSON.parse(JSON.stringify(entry))))).toEqual(life.entries);
  });

  test('is that of the first yes: nothing is asked after it', async () => {
    const { life, c3, d1, e1, a3 } = forked();
    const { decider, asked } = saying([d1, a3, e1]);
    const { node, decision, trace } = await sent(life, decider);
    expect(asked()).toEqual([c3, d1]);
    expect(node.parentId).toBe(d1);
    expect(decision).toMatchObject({ topic: 'continue-topic', branch: 'switch-branch' });
    expect(trace?.branch.settled).toContain('not the one that the topic stands at');
  });

  test('goes on from the end of the path that it was yes to, also where another one of its topic was active last', async () => {
    const { life, a3 } = forked();
    const { node, decision } = await sent(life, saying([a3]).decider);
    expect(node.parentId).toBe(a3);
    expect(decision).toMatchObject({ topic: 'switch-topic', branch: 'switch-branch' });
  });

  test('goes on where the conversation is, or the other topic stands, as ever', async () => {
    const first = forked();
    const here = await sent(first.life, saying([first.c3]).decider);
    expect(here.node.parentId).toBe(first.c3);
    expect(here.decision).toMatchObject({ topic: 'continue-topic', branch: 'continue-branch' });
    const second = forked();
    const there = await sent(second.life, saying([second.b1]).decider);
    expect(there.node.parentId).toBe(second.b1);
    expect(there.decision).toMatchObject({ topic: 'switch-topic', branch: 'continue-branch' });
  });

  test('is first asked of the active path where it ends before a leaf, too', async () => {
    const { life, c1, c3, d1, b1, a3, e1 } = forked();
    life.do({ type: 'record', step: 'go', event: { type: 'activated', nodeId: c1 } });
    const { decider, asked } = saying([c1]);
    const { node, decision } = await sent(life, decider);
    expect(asked()).toEqual([c1]);
    expect(node.parentId).toBe(c1);
    expect(decision.branch).toBe('create-branch');
    const again = forked();
    again.life.do({ type: 'record', step: 'go', event: { type: 'activated', nodeId: again.c1 } });
    const noes = saying([]);
    await sent(again.life, noes.decider);
    expect(noes.asked()).toEqual([c1, c3, d1, b1, a3, e1]);
  });

  test('of very many is asked of the nearest, the active path among them, and the rest is counted', async () => {
    const life = new Life();
    const roots = Array.from({ length: 40 }, (_, i) => life.say(null, `${i / 100} topic`));
    const last = life.say(roots[0] as string, '0 last');
    const { decider, asked } = saying([]);
    const { trace } = await sent(life, decider);
    expect(asked()).toEqual([last, ...roots.slice(-(MOST_PATHS - 1))]);
    expect(trace?.topic.pathsLeftOut).toBe(40 - MOST_PATHS);
  });
});

describe('a decider that fails', () => {
  const failing = (after: number) => {
    const { decider, asked } = saying([]);
    let count = 0;
    const path: Decider['path'] = (question) => {
      count += 1;
      return count > after
        ? Promise.reject(new Error('no memory left'))
        : (decider.path as NonNullable<typeof path>)(question);
    };
    return { decider: { ...decider, path }, asked, tried: () => count };
  };

  test('is not asked again for this message: the next one answers for the paths that are left', async () => {
    const { life, c3, d1, a1 } = forked();
    life.do({
      type: 'record',
      step: null,
      event: { type: 'topic-titled', treeId: nodeOf(life.forest, a1).treeId, title: 'the #a', by: 'engine' },
    });
    const { decider, asked, tried } = failing(2);
    const { node, trace } = await sent(life, decider, '1 #a');
    expect(asked()).toEqual([c3, d1]);
    expect(tried()).toBe(3);
    expect(nodeOf(life.forest, node.parentId as string).treeId).toBe(nodeOf(life.forest, a1).treeId);
    expect(trace?.fallbacks).toEqual([{ role: 'decide', from: 'yes or no', to: 'tags', why: 'no memory left' }]);
    expect(trace?.topic.paths?.map(({ yes, decider: by }) => [by, yes])).toEqual([
      ['yes or no', false],
      ['yes or no', false],
      ['tags', true],
    ]);
  });

  test('with none to stand in leaves the message where the conversation is, and says so', async () => {
    const { life, c3 } = forked();
    const broken: Decider = { ...tagDecider(), topic: () => Promise.reject(new Error('gone')) };
    const { node, trace } = await sent(life, failing(0).decider, '1', {
      embedded: { ...plainModels(), decide: broken },
    });
    expect(node.parentId).toBe(c3);
    expect(trace?.topic).toMatchObject({ rule: 'asked-by-path', answer: null, paths: [] });
    expect(trace?.fallbacks.map(({ from, to }) => [from, to])).toEqual([
      ['yes or no', 'tags'],
      ['tags', 'no model'],
    ]);
  });
});

describe('a decider that is no language model', () => {
  test('is asked once about the topics, and says yes to the one that is likelier than not', async () => {
    const { life, c3, d1, b1 } = forked();
    // Topics in order of creation: A, B (where the conversation is), C.
    const { decider, asked } = weighing(0.6, 0.3, 0.05);
    const { node, trace } = await sent(life, decider);
    expect(asked()).toBe(1);
    expect(node.parentId).toBe(b1);
    expect(trace?.topic.paths).toEqual([
      { leaf: c3, yes: false, confidence: 0.7, decider: 'weighing' },
      { leaf: d1, yes: false, confidence: 0.7, decider: 'weighing' },
      { leaf: b1, yes: true, confidence: 0.6, decider: 'weighing' },
    ]);
    expect(trace?.topic.answer).toMatchObject({
      action: 'switch-topic',
      confidence: 0.6,
      raw: 'all',
      reasons: [{ text: 'so it is', weight: 1 }],
    });
  });

  test('sends a message that is likely nowhere to a new topic, with the probability of that, and what spoke for another left out', async () => {
    const { life } = forked();
    const { node, trace } = await sent(life, weighing(0.5, 0.2, 0.1).decider);
    expect(node.parentId).toBeNull();
    const { answer } = trace?.topic ?? {};
    expect(answer?.confidence).toBeCloseTo(0.2);
    expect(answer).toMatchObject({ action: 'create-topic', reasons: [] });
    expect(answer?.alternatives?.map(({ confidence }) => confidence)).toEqual([0.5, 0.2, 0.1]);
  });
});
