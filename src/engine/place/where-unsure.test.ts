import { describe, expect, test } from 'vitest';
import { nodeOf } from '../../domain/queries.ts';
import { bareHost } from '../testing/bare-host.ts';
import { tagDecider } from '../testing/plain-models.ts';
import { askingWhereUnsure } from '../turn/decide.ts';

const answering = (name: string, confidence: number | null) => {
  const inner = tagDecider();
  return {
    ...inner,
    name,
    topic: async (...asked: Parameters<typeof inner.topic>) => {
      const answer = await inner.topic(...asked);
      return { ...answer, confidence, decider: name };
    },
  };
};

const deciderOf = async (confidence: number | null) => {
  const host = bareHost({ decide: answering('small', confidence), consult: answering('large', 0.9) });
  await host.send('one #a');
  const id = await host.send('two #b');
  return nodeOf(host.life.forest, id).decision.trace?.topic.answer?.decider;
};

test('another decider is asked only where the first is unsure', async () => {
  expect(await deciderOf(0.9)).toBe('small');
  expect(await deciderOf(0.4)).toBe('large');
  expect(await deciderOf(null)).toBe('large');
});

test('what the second cannot answer is a failure, and not the first one’s guess', async () => {
  const second = { ...tagDecider(), topic: () => Promise.reject(new Error('no memory left')) };
  const [question] = [{ message: '', embedding: null, spoken: null, topics: [], path: [], recent: [] }];
  await expect(askingWhereUnsure(answering('small', 0.1), second, 0.6).topic(question)).rejects.toThrow('no memory');
});

test('of a path, too, another is asked only where the first is unsure', async () => {
  const said = { confidence: null, reasons: [], raw: 'no' };
  const second = { ...tagDecider(), path: async () => ({ ...said, yes: false, decider: 'large' }) };
  const among = { message: 'one', embedding: null, spoken: null, topics: [], path: [], recent: [] };
  const question = { message: 'one', treeId: 'elsewhere', title: '', path: [], active: true, among };
  const askedOf = async (first: Parameters<typeof askingWhereUnsure>[0]) =>
    (await askingWhereUnsure(first, second, 0.6).path?.(question))?.decider;
  // A decider that weighs topics is sure of a no to a topic it gives next to no chance.
  expect(await askedOf(answering('small', 0.4))).toBe('small');
  const unsure = { ...tagDecider(), path: async () => ({ ...said, yes: true, confidence: 0.5, decider: 'small' }) };
  expect(await askedOf(unsure)).toBe('large');
});

describe('where n* is the turn that the message would follow anyway', () => {
  const placed = async (models: Parameters<typeof bareHost>[0]) => {
    const host = bareHost(models);
    const one = await host.send('red apples #a');
    const two = await host.send('blue boats #a');
    const three = nodeOf(host.life.forest, await host.send('blue boats #a'));
    expect(three.decision.trace?.branch.rule).toBe('asked-ungated');
    return { one, two, three };
  };

  test('the second decider is offered the nearest other place', async () => {
    const large = tagDecider('create-branch');
    const { one, three } = await placed({ decide: { ...tagDecider(), ungated: true }, consult: large });
    expect(large.asked.map(({ forkPoint }) => forkPoint.nodeId)).toEqual([one]);
    expect(three).toMatchObject({ parentId: one, decision: { branch: 'create-branch' } });
  });

  test('a new branch from it continues its branch', async () => {
    const { two, three } = await placed({ decide: { ...tagDecider('create-branch'), ungated: true } });
    expect(three).toMatchObject({ parentId: two, decision: { branch: 'continue-branch' } });
  });
});
