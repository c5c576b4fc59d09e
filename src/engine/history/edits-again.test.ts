import { expect, test } from 'vitest';
import { idsOf, recordsOf } from '../../domain/table.ts';
import type { ChatModel, Decider } from '../ports.ts';
import { bareHost } from '../testing/bare-host.ts';
import { bagEmbedder, countingChat, firstWords, plainModels, tagDecider } from '../testing/plain-models.ts';
import { rerun } from './re-run.ts';
import { noPauses, whatIfPartsOf } from './testing/engine-life.ts';
import { AS_IT_WAS, placementDifferences, type WhatIf } from './what-if.ts';

/** Everything is one topic. */
const oneTopic: Decider = {
  name: 'one topic',
  topic: async ({ topics }) => ({
    action: 'continue-topic',
    target: topics.find(({ active }) => active)?.treeId ?? null,
    confidence: 1,
    reasons: [],
    raw: '',
    decider: 'one topic',
  }),
  branch: async () => ({ action: 'continue-branch', confidence: 1, reasons: [], raw: '', decider: 'one topic' }),
};

/** Re-runs a life decided by tags as if everything were one topic. */
const inOneTopic = async (host: ReturnType<typeof bareHost>, change: Partial<WhatIf> = {}) => {
  const embedded = { chat: countingChat(), decide: tagDecider(), summarise: firstWords, embed: bagEmbedder };
  const workshop = whatIfPartsOf({ models: plainModels({ decide: oneTopic }), embedded });
  return rerun(workshop, host.life.entries, { ...AS_IT_WAS, ...change }, noPauses());
};
const changesIn = (...told: Parameters<typeof placementDifferences>) =>
  placementDifferences(...told).map(({ number, change }) => `${number} ${change}`);

test('turns decided otherwise are told apart from those carried along, and from those with another action', async () => {
  const host = bareHost();
  await host.send('#boat one');
  await host.send('two');
  await host.send('#tent three');
  await host.send('four');
  await host.send('back to #boat five');
  const other = await inOneTopic(host);
  // 3 is now under 2, with 4 below it; 5 went back to 2 and now continues from 4.
  expect(changesIn(host.life, other)).toEqual(['3 moved', '4 carried', '5 moved']);
  expect(idsOf(other.forest.trees)).toHaveLength(1);
  const [, four] = placementDifferences(host.life, other);
  expect(four?.before?.parentId).toBe(four?.after?.parentId);
});

/** Decides by the tag in the message, or by the tag in the reply once there is one. */
const byReply: Decider = {
  ...tagDecider(),
  reconsider: async ({ message, reply }) => ({
    ...(await tagDecider().topic(/#\w+/.test(reply.message) ? reply : message)),
    confidence: 0.9,
  }),
};

/** Three turns, the last of which belongs with the first by its reply. */
const reconsidered = async (parameters: WhatIf['parameters'] = {}) => {
  const replies = ['about #cats', 'about #soup', 'about #cats'];
  const chat: ChatModel = {
    ...countingChat(),
    async *reply() {
      yield replies.shift() ?? '';
    },
  };
  const host = bareHost({ decide: byReply, chat }, { parameters });
  const ids: string[] = [];
  for (const message of ['#cats eat what', '#soup needs salt', 'and how often']) ids.push(await host.send(message));
  const again = (change: Partial<WhatIf>) => {
    const embedded = { chat, decide: byReply, summarise: firstWords, embed: bagEmbedder };
    const workshop = whatIfPartsOf({ models: plainModels({ decide: byReply, chat }), embedded });
    return rerun(workshop, host.life.entries, { ...AS_IT_WAS, ...change }, noPauses());
  };
  return { host, ids, again };
};

test('a turn that was reconsidered is told to have moved, after a purge, too', async () => {
  const { host, ids, again } = await reconsidered();
  const told = async () => changesIn(host.life, await again({ parameters: { reconsiderFrom: 2 } }));
  expect(await told()).toEqual(['3 moved']);
  host.life.do({ type: 'record', step: null, event: { type: 'turns-purged', nodeIds: [ids[1] ?? ''] } });
  expect(host.life.forest.history.past).toEqual([]);
  expect(await told()).toEqual(['3 moved']);
});

test('what the user undid and redid is undone and redone, though it was reconsidered only here', async () => {
  const { host, ids, again } = await reconsidered({ reconsiderFrom: 2 });
  const [, , third = ''] = ids;
  const parameters = { reconsiderFrom: 0.5 };
  const moved = await again({ parameters });
  expect(changesIn(host.life, moved)).toEqual(['3 moved']);
  host.life.do({ type: 'undo' });
  expect(host.life.forest.nodes[third]).toBeUndefined();
  expect((await again({ parameters })).forest.nodes[third]).toBeUndefined();
  host.life.do({ type: 'redo' });
  expect(changesIn(await again({ parameters }), moved)).toEqual([]);
});

test('turns before the one that it begins with stay, traces and all', async () => {
  const host = bareHost();
  await host.send('#boat one');
  await host.send('#tent two');
  const three = await host.send('#boat three');
  const other = await inOneTopic(host, { from: three });
  expect(changesIn(host.life, other)).toEqual(['3 moved']);
  expect([...other.decided]).toEqual([three]);
  const placedIn = (entries: typeof other.entries) => entries.filter(({ event }) => event.type === 'turn-placed');
  expect(placedIn(other.entries).slice(0, 2)).toEqual(placedIn(host.life.entries).slice(0, 2));
});

test('a correction that is not needed any more is kept as a confirmation, and undo finds it', async () => {
  const host = bareHost();
  const one = await host.send('#boat one');
  const two = await host.send('#tent two');
  host.life.move(two, one);
  const other = await inOneTopic(host);
  expect(other.leftOut.map(({ what, nodeIds, why }) => [what, nodeIds, why])).toEqual([
    ['turn-moved', [two], 'not-needed'],
  ]);
  expect(other.forest.nodes[two]?.label).toMatchObject({ engine: { parentId: one }, person: { parentId: one } });
  expect(changesIn(host.life, other)).toEqual(['2 moved']);

  host.life.do({ type: 'undo' });
  const undone = await inOneTopic(host);
  expect(undone.forest.nodes[two]?.label).toBeNull();
  expect(undone.forest.history.future).toHaveLength(1);
});

test('a confirmation of a place that the turn does not have is left out and told', async () => {
  const host = bareHost();
  await host.send('#boat one');
  const two = await host.send('#tent two');
  host.life.do({ type: 'confirm', nodeId: two, at: 0, step: host.life.id() });
  const other = await inOneTopic(host);
  expect(other.leftOut.map(({ why }) => why)).toEqual(['placed-otherwise']);
  expect(other.forest.nodes[two]?.label).toBeNull();
});

test('what was done by hand is carried out again, or left out where that is wanted; so is its undoing', async () => {
  const host = bareHost();
  const one = await host.send('#boat one');
  const two = await host.send('#tent two');
  const three = await host.send('three');
  host.life.do({ type: 'record', step: 's1', event: { type: 'turn-pinned', nodeId: one, pinned: true } });
  host.life.do({ type: 'record', step: 's2', event: { type: 'turns-hidden', nodeIds: [two], hidden: true } });
  host.life.do({ type: 'undo' });
  host.life.move(three, one);

  const again = await inOneTopic(host);
  expect(again.leftOut).toEqual([]);
  expect(again.forest.nodes[one]?.pinned).toBe(true);
  expect(again.forest.nodes[two]?.hidden).toBe(false);
  expect(again.forest.nodes[three]?.parentId).toBe(one);

  const without = await inOneTopic(host, { byHand: 'left-out' });
  expect(without.leftOut.map(({ what, why }) => `${what} ${why}`)).toEqual([
    'turn-pinned wanted',
    'turns-hidden wanted',
    'turn-moved wanted',
  ]);
  expect(without.forest.nodes[one]?.pinned).toBe(false);
  expect(without.forest.nodes[three]?.parentId).toBe(two);
  expect(changesIn(host.life, without)).toEqual(['2 moved', '3 by-hand']);
});

test('a turn that was undone and brought back is decided anew once, and its number stays', async () => {
  const host = bareHost();
  await host.send('#boat one');
  await host.send('#tent two');
  host.life.do({ type: 'undo' });
  host.life.do({ type: 'redo' });
  await host.send('three');
  const other = await inOneTopic(host);
  expect(recordsOf(other.forest.nodes).map(({ number, parentId }) => [number, parentId === null])).toEqual([
    [1, true],
    [2, false],
    [3, false],
  ]);
});

test('a message whose fixed place is gone is decided by the engine, and that is told', async () => {
  const host = bareHost();
  const one = await host.send('#boat one');
  const two = await host.send('#tent two');
  const three = await host.send('three');
  // In one topic, deleting one deletes two and three with it.
  host.life.do({ type: 'delete', nodeIds: [one], alone: false, step: host.life.id() });
  const four = host.life.id();
  const target = { kind: 'under' as const, nodeId: three };
  const event = { type: 'message-sent' as const, nodeId: four, message: 'four', given: null, target };
  host.life.do({ type: 'record', step: host.life.id(), event });
  const pending = recordsOf(host.life.forest.pending)[0];
  if (pending !== undefined) await host.engine.turn(pending, new AbortController().signal);

  const other = await inOneTopic(host);
  expect(other.leftOut.map(({ what, nodeIds, why }) => [what, nodeIds, why])).toEqual([
    ['message-sent', [four], 'not-there'],
  ]);
  expect(idsOf(other.forest.nodes)).toEqual([four]);
  expect(changesIn(host.life, other)).toEqual(['2 by-hand', '3 by-hand', '4 moved']);
  expect(placementDifferences(host.life, other)[0]).toMatchObject({ nodeId: two, after: null });
});

test('titles that a person gave follow the root and the first turn; new topics get one', async () => {
  const host = bareHost({ decide: oneTopic });
  const one = await host.send('#boat one');
  const two = await host.send('#tent two goes far');
  const three = await host.send('#boat three');
  const { life } = host;
  life.move(three, one);
  const { treeId } = life.forest.nodes[one] ?? { treeId: '' };
  const { branchId } = life.forest.nodes[three] ?? { branchId: '' };
  const title = (event: Parameters<typeof life.do>[0] & { type: 'record' }) => expect(life.do(event).ok).toBe(true);
  title({ type: 'record', step: 't1', event: { type: 'topic-titled', treeId, title: 'Mine', by: 'person' } });
  title({ type: 'record', step: 't2', event: { type: 'branch-titled', branchId, title: 'Side' } });

  const embedded = { chat: countingChat(), decide: tagDecider(), summarise: firstWords, embed: bagEmbedder };
  const workshop = whatIfPartsOf({ models: plainModels({ decide: tagDecider() }), embedded });
  const other = await rerun(workshop, life.entries, AS_IT_WAS, noPauses());
  expect(recordsOf(other.forest.trees).map((tree) => tree.title)).toEqual(['Mine', '#tent two goes']);
  expect(other.forest.trees[other.forest.nodes[two]?.treeId ?? '']?.titledBy).toBe('engine');
  // Three continues one's branch, so there is no side branch to title.
  expect(other.leftOut.map(({ what, why }) => `${what} ${why}`)).toEqual([
    'turn-moved not-needed',
    'branch-titled not-there',
  ]);
});
