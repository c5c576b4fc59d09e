import { describe, expect, test } from 'vitest';
import { violations } from '../../../domain/invariants.ts';
import { nodeOf } from '../../../domain/queries.ts';
import { bareHost, contextOf, segmentsOf } from '../../testing/bare-host.ts';
import { bagEmbedder, tagDecider } from '../../testing/plain-models.ts';
import { contextAgent, contextAgentWithoutRag as policy } from './context-agent.ts';

const begun = async (given: Parameters<typeof bareHost>[0] = {}) => {
  const decide = tagDecider('create-branch');
  const host = bareHost({ decide, ...given }, { policy });
  const ids = [await host.send('red apples grow here'), await host.send('blue boats sail')];
  const trace = (id: string) => nodeOf(host.life.forest, id).decision.trace;
  return { host, ids, decide, trace };
};

describe('the fork point', () => {
  test('is looked for by no similarity: the same words as an ancestor’s go on', async () => {
    const { host, ids, decide, trace } = await begun();
    const id = await host.send('red apples grow here');
    expect(nodeOf(host.life.forest, id).parentId).toBe(ids[1]);
    expect(trace(id)).toMatchObject({
      policy: 'context-agent-without-rag',
      fork: { theta: null, candidates: [], point: null },
      branch: { rule: 'nothing-revised', answer: null },
    });
    expect(decide.asked).toEqual([]);
  });

  test('of a revision is the direct parent, and the decider is asked with its real similarity', async () => {
    const { host, ids, decide, trace } = await begun();
    const message = 'paint them yellow instead, like red apples';
    const id = await host.send(message);
    expect(nodeOf(host.life.forest, id)).toMatchObject({ parentId: ids[0], decision: { branch: 'create-branch' } });
    expect(trace(id)).toMatchObject({ fork: { theta: null, point: ids[0] }, branch: { rule: 'asked-on-revision' } });
    const asked = decide.asked[0];
    const similar = asked?.forkPoint.similarity ?? 0;
    expect(similar).toBeGreaterThan(0);
    expect(similar).toBeLessThan(bagEmbedder.theta);
    expect(trace(id)?.fork.candidates).toEqual([{ nodeId: ids[0], similarity: similar }]);
  });

  test('of a revision is found in any language, whatever the embedder reads', async () => {
    const host = bareHost({ decide: tagDecider('create-branch') }, { policy });
    const first = await host.send('rote äpfel wachsen bei uns im garten, was meinst du dazu');
    await host.send('blaue boote segeln über das große meer, und wie schnell sind sie');
    const id = await host.send('nein, nimm stattdessen gelbe boote und rote äpfel');
    expect(nodeOf(host.life.forest, id)).toMatchObject({
      parentId: first,
      decision: { trace: { branch: { rule: 'asked-on-revision' } } },
    });
  });

  test('of a revision of a root does not exist', async () => {
    const host = bareHost({ decide: tagDecider('create-branch') }, { policy });
    const root = await host.send('red apples grow here');
    const id = await host.send('blue boats instead');
    expect(nodeOf(host.life.forest, id)).toMatchObject({
      parentId: root,
      decision: { trace: { branch: { rule: 'nothing-revised' } } },
    });
  });

  test('is not asked about with a similarity that nobody knows', async () => {
    const embed = { ...bagEmbedder, embed: () => Promise.reject(new Error('no vector')) };
    const { host, ids, decide, trace } = await begun({ embed });
    const id = await host.send('yellow boats instead');
    expect(nodeOf(host.life.forest, id).parentId).toBe(ids[1]);
    expect(trace(id)?.branch.rule).toBe('no-retrieval');
    expect(decide.asked).toEqual([]);
  });

  test('fixed by the person lists nothing as retrieved', async () => {
    const { host, ids, trace } = await begun();
    const target = { kind: 'under' as const, nodeId: ids[0] as string };
    const nodeId = host.life.id();
    const step = host.life.id();
    host.life.do({ type: 'record', step, event: { type: 'message-sent', nodeId, message: 'hi', given: null, target } });
    const pending = host.life.forest.pending[nodeId];
    if (pending !== undefined) await host.engine.turn(pending, new AbortController().signal);
    expect(trace(nodeId)).toMatchObject({ fork: { theta: null, candidates: [] }, branch: { rule: 'person' } });
    expect(violations(host.life.forest)).toEqual([]);
  });
});

describe('the overview', () => {
  const listedBy = async (by: typeof policy) => {
    // Room for one of three topics.
    const host = bareHost({}, { policy: by, parameters: { overviewBudget: 10, overviewLineBudget: 10 } });
    for (const message of ['#a red apples', '#b blue boats', '#c green cars']) await host.send(message);
    const id = await host.send('#d red apples');
    const [segment] = segmentsOf(contextOf(host.life.forest, id), 'overview');
    const lines = host.life.forest.overviews[segment?.overviewId ?? '']?.lines ?? [];
    return lines.map(({ text }) => text);
  };

  test('lists the latest topic where the whole policy lists the nearest', async () => {
    expect((await listedBy(policy))[0]).toContain('#c green cars');
    expect((await listedBy(contextAgent))[0]).toContain('#a red apples');
  });
});
