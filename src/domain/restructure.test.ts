import { describe, expect, test } from 'vitest';
import type { Decision } from './decision.ts';
import { violations } from './invariants.ts';
import { nodeOf } from './queries.ts';
import { Life } from './testing/random-life.ts';

/** The engine went on from the active turn, which had turns after it. */
const ENGINE: Decision = { topic: 'continue-topic', branch: 'create-branch', by: 'engine', trace: null };

describe('a topic that is left by a fork stands', () => {
  const forked = () => {
    const life = new Life();
    const one = life.say(null, 'one');
    const two = life.say(one, 'two');
    const tip = life.say(life.say(two, 'three'), 'four');
    return { life, two, tip, standsAt: () => life.forest.trees[nodeOf(life.forest, one).treeId]?.activeId };
  };
  const fresh = (life: Life) => ({ treeId: life.id(), branchId: life.id() });
  const leaving: readonly (readonly [string, (life: Life, nodeId: string) => unknown])[] = [
    ['moved to a topic of its own', (life, nodeId) => life.move(nodeId, null)],
    ['moved to another topic', (life, nodeId) => life.move(nodeId, life.say(null))],
    [
      'moved by its reply',
      (life, nodeId) =>
        life.do({
          type: 'reconsider',
          nodeId,
          parentId: null,
          fresh: fresh(life),
          decision: ENGINE,
          step: life.id(),
        }),
    ],
    ['detached', (life, nodeId) => life.do({ type: 'extract', nodeId, fresh: fresh(life), at: 0, step: life.id() })],
    [
      'deleted from elsewhere',
      (life, nodeId) => {
        life.say(null);
        life.do({ type: 'delete', nodeIds: [nodeId], alone: false, step: life.id() });
      },
    ],
    ['purged from elsewhere', (life, nodeId) => [life.say(null), life.purge([nodeId])]],
  ];

  test.each(leaving)('where it had gone on to, once the fork is %s', (_, leave) => {
    const { life, two, tip, standsAt } = forked();
    const fork = life.say(two, 'fork');
    expect(standsAt()).toBe(fork);
    leave(life, fork);
    expect(standsAt()).toBe(tip);
    expect(violations(life.forest)).toEqual([]);
  });

  test('where it had gone on to, once a fork that went on is gone, and in the fork again once that is undone', () => {
    const { life, two, tip, standsAt } = forked();
    const fork = life.say(two, 'fork');
    const later = life.say(fork, 'later');
    life.move(fork, null);
    expect(standsAt()).toBe(tip);
    life.do({ type: 'undo' });
    expect(standsAt()).toBe(later);
  });

  test('at the fork point, where the person had chosen to reply from it', () => {
    const { life, two, standsAt } = forked();
    life.move(life.choose(two, null), null);
    expect(standsAt()).toBe(two);
  });

  test('at the fork point, where the person had made it active, unless the decider forked from it', () => {
    const { life, two, tip, standsAt } = forked();
    life.do({ type: 'record', step: life.id(), event: { type: 'activated', nodeId: two } });
    const place = (decision: Decision) => {
      const nodeId = life.send();
      life.do({ type: 'place', nodeId, parentId: two, fresh: fresh(life), decision });
      life.move(nodeId, null);
    };
    place(ENGINE);
    expect(standsAt()).toBe(two);
    place({ ...ENGINE, by: 'person', branch: 'continue-branch' });
    expect(standsAt()).toBe(two);
    const answer = { action: 'create-branch' as const, confidence: 1, reasons: [], raw: '', decider: 'd' };
    const trace = {
      policy: 'p',
      embedder: 'e',
      decider: 'd',
      topic: { rule: 'asked' as const, answer: null, target: null, candidates: [] },
      fork: { theta: 0.6, candidates: [], point: two },
      branch: { rule: 'asked' as const, answer, settled: null },
      fallbacks: [],
      timings: [],
    };
    place({ ...ENGINE, trace });
    expect(standsAt()).toBe(tip);
  });

  test('before what is hidden', () => {
    const { life, two, tip, standsAt } = forked();
    const fork = life.say(two, 'fork');
    life.do({ type: 'record', step: life.id(), event: { type: 'turns-hidden', nodeIds: [tip], hidden: true } });
    life.move(fork, null);
    expect(standsAt()).toBe(nodeOf(life.forest, tip).parentId);
  });

  test('at the parent of a detached turn whose branch goes on', () => {
    const { life, two, standsAt } = forked();
    const fork = life.say(two, 'fork');
    life.say(fork, 'later');
    life.do({ type: 'record', step: life.id(), event: { type: 'activated', nodeId: fork } });
    life.do({ type: 'extract', nodeId: fork, fresh: fresh(life), at: 0, step: life.id() });
    expect(standsAt()).toBe(two);
  });
});

test('a branch of one turn keeps its name as a topic of its own, whether it is moved or detached', () => {
  const ways = {
    move: { type: 'move', parentId: null },
    extract: { type: 'extract' },
  } as const;
  for (const way of Object.values(ways)) {
    const life = new Life();
    const root = life.say(null);
    life.say(root);
    const nodeId = life.say(root);
    const { branchId } = nodeOf(life.forest, nodeId);
    life.do({ type: 'record', step: life.id(), event: { type: 'branch-titled', branchId, title: 'Visa' } });
    const fresh = { treeId: life.id(), branchId: life.id() };
    life.do({ ...way, nodeId, fresh, at: 0, step: life.id() });
    expect(life.forest.trees[fresh.treeId]).toMatchObject({ title: 'Visa', titledBy: 'person' });
    life.do({ type: 'undo' });
    expect(life.forest.branches[branchId]?.title).toBe('Visa');
    expect(violations(life.forest)).toEqual([]);
  }
});

test('a turn that is detached from a branch that goes on leaves it its name', () => {
  const life = new Life();
  const root = life.say(null);
  life.say(root);
  const nodeId = life.say(root);
  life.say(nodeId);
  const { branchId } = nodeOf(life.forest, nodeId);
  life.do({ type: 'record', step: life.id(), event: { type: 'branch-titled', branchId, title: 'Visa' } });
  const fresh = { treeId: life.id(), branchId: life.id() };
  life.do({ type: 'extract', nodeId, fresh, at: 0, step: life.id() });
  expect(life.forest.trees[fresh.treeId]?.titledBy).toBeNull();
  expect(life.forest.branches[branchId]?.title).toBe('Visa');
});

describe('a version of a message', () => {
  const versions = () => {
    const life = new Life();
    const one = life.say(null, 'one');
    const tip = life.say(life.say(one, 'two'), 'three');
    return { life, one, tip, version: life.say(one, 'two, edited'), active: () => life.forest.active?.nodeId };
  };
  const remove = (life: Life, nodeIds: readonly string[], alone: boolean) =>
    life.do({ type: 'delete', nodeIds, alone, step: life.id() });

  test.each([false, true])('that is deleted leads back to the end of the original; alone: %s', (alone) => {
    const { life, one, tip, version, active } = versions();
    remove(life, [version], alone);
    expect(active()).toBe(tip);
    expect(violations(life.forest)).toEqual([]);
    remove(life, [tip], alone);
    expect(active()).not.toBe(one);
    life.do({ type: 'undo' });
    life.do({ type: 'undo' });
    expect(active()).toBe(version);
  });

  test('that is deleted with the end of the original leads to what is left of it', () => {
    const { life, tip, version, active } = versions();
    const parent = nodeOf(life.forest, tip).parentId;
    remove(life, [version, tip], false);
    expect(active()).toBe(parent);
    expect(violations(life.forest)).toEqual([]);
  });
});
