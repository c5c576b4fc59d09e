import { describe, expect, test } from 'vitest';
import { nodeOf, replyOf } from '../../domain/queries.ts';
import { contextMessages } from '../context/context-text.ts';
import { policyNamed } from '../context/policies/policies.ts';
import { bareHost, contextOf } from '../testing/bare-host.ts';
import { firstWords, gate } from '../testing/plain-models.ts';

const TURNS = ['red apples', 'blue boats', 'red pears', 'blue ships', 'green cars'];

/** A conversation whose memory is still to be built, with a language model that hangs from some call on while it is told to. */
const longBefore = (policy: string, hangsFrom: number) => {
  const { open: ask, opened: asked } = gate();
  const model = { hangs: true, calls: 0 };
  const write = async (_: string, text: string) => {
    model.calls += 1;
    if (!model.hangs || model.calls < hangsFrom) return text.slice(0, 60);
    ask();
    return new Promise<never>(() => undefined);
  };
  const host = bareHost({ summarise: { ...firstWords, write } }, { policy: policyNamed(policy) });
  let parent: string | null = null;
  for (const turn of TURNS) parent = host.life.say(parent, turn);
  const sentFor = (id: string) => contextMessages(host.life.forest, contextOf(host.life.forest, id));
  return { ...host, model, asked, sentFor };
};

describe.each(['tacitree', 'memtree', 'memory-bank'])('while the memory of %s is being built', (policy) => {
  test('stopping ends the reply at once, and the next one is sent what it would have been sent', async () => {
    const host = longBefore(policy, 4);
    const stop = new AbortController();
    const sending = host.send('red fruit', stop.signal);
    await host.asked;
    stop.abort('stopped by the person');
    const id = await sending;
    expect(replyOf(nodeOf(host.life.forest, id))).toMatchObject({ state: 'stopped', failure: null, text: '' });

    host.model.hangs = false;
    await host.engine.resume(id, new AbortController().signal);
    const unstopped = longBefore(policy, Number.POSITIVE_INFINITY);
    expect(host.sentFor(id)).toEqual(unstopped.sentFor(await unstopped.send('red fruit')));
  });

  test('a preview of what was there before does not hold up a message', async () => {
    const host = longBefore(policy, 1);
    const stop = new AbortController();
    const previewed = host.engine.preview('red', null, stop.signal);
    await host.asked;
    stop.abort(new Error('typed on'));
    await expect(previewed).rejects.toThrow('typed on');
    host.model.hangs = false;
    expect(replyOf(nodeOf(host.life.forest, await host.send('red fruit')))).toMatchObject({ state: 'done' });
  });
});

test('looking back at a memory that is no longer looked at does not hold up a message', async () => {
  const host = longBefore('tacitree', 1);
  const stop = new AbortController();
  const last = host.life.entries.findLast(({ event }) => event.type === 'turn-placed')?.event;
  const nodeId = last?.type === 'turn-placed' ? last.nodeId : '';
  const looking = host.engine.memoryFor(host.life.entries, nodeId, policyNamed('tacitree'), stop.signal);
  await host.asked;
  stop.abort(new Error('closed'));
  await expect(looking).rejects.toThrow('closed');
  host.model.hangs = false;
  expect(replyOf(nodeOf(host.life.forest, await host.send('red fruit')))).toMatchObject({ state: 'done' });
});

test('an imported reply is kept where building its context is stopped', async () => {
  const host = longBefore('memtree', 1);
  const stop = new AbortController();
  const nodeId = host.life.id();
  const message = { type: 'message-sent' as const, nodeId, message: 'red fruit', given: 'Pears.', target: null };
  host.life.do({ type: 'record', step: host.life.id(), event: message });
  const turning = host.engine.turn(host.life.forest.pending[nodeId] as never, stop.signal);
  await host.asked;
  stop.abort('stopped by the person');
  await turning;
  const reply = replyOf(nodeOf(host.life.forest, nodeId));
  expect(reply).toMatchObject({ state: 'done', text: 'Pears.', context: null });
});
