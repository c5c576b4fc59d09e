import { describe, expect, test } from 'vitest';
import { nodeOf } from '../../../domain/queries.ts';
import { Life } from '../../../domain/testing/random-life.ts';
import { contextOf, segmentsOf } from '../../testing/bare-host.ts';
import { forked, saying, sent, weighing } from '../../testing/yes-or-no.ts';

describe('the fork point', () => {
  /** root – back – parent – tip, with their cosines to the message; the conversation is at the tip. */
  const chain = (cosines: readonly [number, number, number, number]) => {
    const life = new Life();
    const ids: string[] = [];
    for (const [at, cosine] of cosines.entries()) ids.push(life.say(ids.at(-1) ?? null, `${cosine} turn ${at + 1}`));
    const [root, back, parent, tip] = ids as [string, string, string, string];
    return { life, root, back, parent, tip };
  };

  test.each([
    [0.59, false],
    [0.61, true],
  ])('at %f with an embedder whose own θ is 0.2 is asked about: %s', async (cosine, isAsked) => {
    const { life, root, tip } = chain([cosine, 0.1, 0, 0.2]);
    const { decider, branches } = saying([tip], { action: 'create-branch' });
    const { node, trace } = await sent(life, decider);
    expect(branches).toHaveLength(isAsked ? 1 : 0);
    expect(node.parentId).toBe(isAsked ? root : tip);
    expect(trace).toMatchObject({
      fork: { theta: 0.6, point: root },
      branch: { rule: isAsked ? 'asked-top-candidate' : 'not-above-threshold' },
    });
  });

  test('must lie above θ, and not at it', async () => {
    const at = async (theta: number) => {
      const { life, tip } = chain([0.5, 0.1, 0, 0.2]);
      const { trace } = await sent(life, saying([tip]).decider, '1', { parameters: { theta } });
      return [trace?.fork.theta, trace?.branch.rule];
    };
    expect(await at(0.5)).toEqual([0.5, 'not-above-threshold']);
    expect(await at(0.4375)).toEqual([0.4375, 'asked-top-candidate']);
  });

  test('is never the direct parent, whatever the message revises', async () => {
    const { life, parent, tip, root } = chain([0.3, 0.1, 0.9, 0.2]);
    const { node, trace } = await sent(life, saying([tip]).decider, '1 let us change that instead');
    expect(node.parentId).toBe(tip);
    expect(trace?.branch.rule).toBe('parent-excluded');
    expect(trace?.fork.candidates.map(({ nodeId }) => nodeId)).not.toContain(parent);
    expect(trace?.fork.point).toBe(root);
  });

  test('that is the tip is gone on from without a question, also by a decider that is asked for nothing', async () => {
    const { life, tip } = chain([0.7, 0.1, 0, 0.8]);
    const { decider, branches } = saying([tip], { action: 'create-branch' });
    const { node, trace } = await sent(life, { ...decider, ungated: true });
    expect(branches).toEqual([]);
    expect(node.parentId).toBe(tip);
    expect(trace?.branch.rule).toBe('on-tip');
  });

  test('is one of the three most similar above θ, and only those are offered', async () => {
    const life = new Life();
    const root = life.say(null, '0.1 root');
    const ids = ['0.9 one', '0.8 two', '0.7 three', '0.65 four'].map((text) => life.say(root, text));
    const parent = life.say(root, '0 parent');
    const tip = life.say(parent, '0.62 tip');
    const { decider, branches } = saying([tip]);
    await sent(life, decider);
    const [question] = branches;
    expect(question?.forkPoint.nodeId).toBe(ids[0]);
    expect(question?.places.map(({ from }) => from.nodeId).sort()).toEqual(ids.slice(0, 3).sort());
  });

  test.each([
    ['a turn that was offered', 'back', 'create-branch'],
    ['a turn that was not offered', 'parent', 'create-branch'],
    ['a turn that does not exist', 'nobody', 'create-branch'],
  ] as const)('takes the place of %s', async (_, name, action) => {
    const scene = chain([0.9, 0.8, 0, 0.2]);
    const named = name === 'nobody' ? 'nobody' : scene[name];
    const { node, decision, trace } = await sent(scene.life, saying([scene.tip], { action, point: named }).decider);
    expect(node.parentId).toBe(scene.root);
    expect(decision.branch).toBe('create-branch');
    expect(trace?.branch).toMatchObject({
      answer: { point: named },
      settled: 'the decider named another turn, and the most similar one took its place',
    });
    expect(trace?.fallbacks).toEqual([]);
  });

  test('names its branch: that is gone on with at its end, whichever turn of it the decider names', async () => {
    const life = new Life();
    const root = life.say(null, '0 root');
    const near = life.say(root, '0.9 near');
    const end = life.say(near, '0.1 end');
    const tip = life.say(root, '0 tip');
    const { node, decision, trace } = await sent(life, saying([tip], { action: 'switch-branch', point: end }).decider);
    expect(node.parentId).toBe(end);
    expect(decision.branch).toBe('switch-branch');
    expect(trace?.branch).toMatchObject({ rule: 'asked-top-candidate', settled: null });
  });
});

test('the context is the path and the rest in short, without turns that a doubtful decision may need', async () => {
  const { life, b1, c1, c2, c3 } = forked();
  const { id, trace } = await sent(life, weighing(0.3, 0.6, 0.05).decider);
  expect(trace?.topic.answer?.alternatives?.[0]).toMatchObject({ confidence: 0.3 });
  const context = contextOf(life.forest, id);
  expect(context.policy).toBe('context-agent-code');
  expect(segmentsOf(context, 'turn').map(({ nodeId }) => nodeId)).toEqual([c1, c2, c3]);
  expect(segmentsOf(context, 'overview')).toHaveLength(1);
  expect(nodeOf(life.forest, b1).treeId).toBe(trace?.topic.answer?.alternatives?.[0]?.target);
});
