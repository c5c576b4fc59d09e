import { describe, expect, test } from 'vitest';
import { ModelFailure, type ModelFailureKind } from '../../engine/model-failure.ts';
import { memoryStorage } from '../../storage/memory-storage.ts';
import {
  chatOnServer,
  chosen,
  load,
  never,
  opened,
  replyOf,
  request,
  rig,
  SERVER,
  settled,
  shipped,
} from './testing/rig.ts';

describe('choosing a model', () => {
  test('lets the one before answer until it is ready', async () => {
    const { roles, loads, states } = await opened();
    const choosing = roles.choose('chat', chosen('a'));
    await settled();
    load(loads, 0).options.onProgress({ phase: 'downloading', loaded: 5, total: 10 });
    expect(states.chat).toMatchObject({ state: 'loading', name: 'a', progress: { loaded: 5, total: 10 } });
    expect(states.chat).toMatchObject({ answering: 'recall', previous: null, missing: false });
    expect(roles.models.chat.name).toBe('recall');
    load(loads, 0).finish();
    await choosing;
    expect(states.chat).toMatchObject({ state: 'ready', name: 'a', answering: 'a', progress: null, failure: null });
    expect(states.chat).toMatchObject({ previous: null, missing: false });
    expect(await replyOf(roles.models.chat)).toBe('said by a');
  });

  test('says which model answers meanwhile, and where it sends the text', async () => {
    const made = await opened();
    await chatOnServer(made);
    const { roles, loads, states } = made;
    const choosing = roles.choose('chat', chosen('a'));
    await settled();
    const previous = { name: 'm', leavesFor: SERVER };
    expect(states.chat).toMatchObject({ state: 'loading', previous, missing: false });
    load(loads, 1).fail(new ModelFailure('out-of-memory', 'No room.'));
    await expect(choosing).rejects.toThrow('No room.');
    expect(states.chat).toMatchObject({ state: 'failed', previous, missing: false });
  });

  test('puts the one before away', async () => {
    const { roles, loads } = await opened();
    const first = roles.choose('chat', chosen('a'));
    await settled();
    load(loads, 0).finish();
    await first;
    const second = roles.choose('chat', chosen('b'));
    await settled();
    expect(load(loads, 0).closed).toBe(false);
    load(loads, 1).finish();
    await second;
    await settled();
    expect(load(loads, 0).closed).toBe(true);
    await roles.choose('chat', shipped);
    await settled();
    expect(load(loads, 1).closed).toBe(true);
    expect(roles.models.chat.name).toBe('recall');
  });

  test('lets the one before finish the reply it is giving', async () => {
    const { roles, loads } = await opened();
    const first = roles.choose('chat', chosen('a'));
    await settled();
    load(loads, 0).finish();
    await first;
    const reply = roles.models.chat.reply(request, never)[Symbol.asyncIterator]();
    await reply.next();
    const second = roles.choose('chat', chosen('b'));
    await settled();
    load(loads, 1).finish();
    await second;
    await settled();
    expect(roles.models.chat.name).toBe('b');
    expect(load(loads, 0).closed).toBe(false);
    expect(await reply.next()).toMatchObject({ done: true });
    await settled();
    expect(load(loads, 0).closed).toBe(true);
  });

  test('takes the place of another that was chosen in the same moment', async () => {
    const { roles, loads, states } = await opened();
    const both = [roles.choose('chat', chosen('a')), roles.choose('chat', shipped)];
    await settled();
    await Promise.all(both);
    expect(loads).toEqual([]);
    expect(states.chat).toMatchObject({ state: 'ready', choice: shipped });
  });

  test('ends the load of another that was chosen a moment ago', async () => {
    const { roles, loads, states } = await opened();
    const first = roles.choose('chat', chosen('a'));
    await settled();
    const second = roles.choose('chat', chosen('b'));
    await settled();
    await first;
    expect(load(loads, 0).options.signal.aborted).toBe(true);
    load(loads, 1).finish();
    await second;
    expect(states.chat).toMatchObject({ state: 'ready', name: 'b' });
  });

  test('can be cancelled, and the one before stays', async () => {
    const { roles, loads, states } = await opened();
    const choosing = roles.choose('chat', chosen('a'));
    await settled();
    roles.cancel('chat');
    await choosing;
    expect(load(loads, 0).options.signal.aborted).toBe(true);
    expect(states.chat).toMatchObject({ state: 'ready', choice: shipped });
    expect(roles.models.chat.name).toBe('recall');
  });

  test('that fails says why, and nothing else answers in its place in silence', async () => {
    const { roles, loads, states } = await opened();
    const choosing = roles.choose('chat', chosen('a'));
    await settled();
    load(loads, 0).fail(new ModelFailure('out-of-memory', 'No room.'));
    await expect(choosing).rejects.toMatchObject({ kind: 'out-of-memory' });
    expect(states.chat).toMatchObject({
      state: 'failed',
      name: 'a',
      failure: { kind: 'out-of-memory', message: 'No room.' },
    });
    expect(roles.models.chat.name).toBe('a');
    await expect(replyOf(roles.models.chat)).rejects.toThrow('No room.');
  });

  test('that fails leaves a model that answered before where it was', async () => {
    const { roles, loads } = await opened();
    const first = roles.choose('chat', chosen('a'));
    await settled();
    load(loads, 0).finish();
    await first;
    const second = roles.choose('chat', chosen('b'));
    await settled();
    load(loads, 1).fail(new ModelFailure('not-found', 'Gone.'));
    await expect(second).rejects.toMatchObject({ kind: 'not-found' });
    expect(await replyOf(roles.models.chat)).toBe('said by a');
    const again = roles.retry('chat');
    await settled();
    load(loads, 2).finish();
    await again;
    expect(await replyOf(roles.models.chat)).toBe('said by b');
  });

  test('that failed and is cancelled when tried again leaves the one before, too', async () => {
    const { roles, loads, states } = await opened();
    const first = roles.choose('chat', chosen('a'));
    await settled();
    load(loads, 0).finish();
    await first;
    const second = roles.choose('chat', chosen('b'));
    await settled();
    load(loads, 1).fail(new ModelFailure('not-found', 'Gone.'));
    await expect(second).rejects.toThrow('Gone.');
    const again = roles.retry('chat');
    await settled();
    roles.cancel('chat');
    await again;
    expect(states.chat).toMatchObject({ state: 'ready', choice: chosen('a'), failure: null });
    expect(await replyOf(roles.models.chat)).toBe('said by a');
  });

  test('that is not in the list is refused in words', async () => {
    const { roles } = await opened();
    await expect(roles.choose('chat', chosen('z'))).rejects.toMatchObject({ kind: 'not-found' });
  });
});

describe('after the page was closed', () => {
  const withChatA = async () => {
    const before = await opened();
    const choosing = before.roles.choose('chat', chosen('a'));
    await settled();
    load(before.loads, 0).finish();
    await choosing;
    return opened(before.storage);
  };

  test('what was chosen loads again, and a message waits for it', async () => {
    const { roles, loads, states } = await withChatA();
    expect(states.chat).toMatchObject({ state: 'loading', name: 'a', previous: null, missing: true });
    const waiting = roles.models.chat;
    expect(waiting.name).toBe('a');
    const prepared = waiting.prepare?.(never, false);
    load(loads, 0).finish();
    await prepared;
    expect(await replyOf(roles.models.chat)).toBe('said by a');
  });

  test('it loads before the machine has been tested', async () => {
    const { storage } = await withChatA();
    const { roles, loads } = await opened(storage, new Promise(() => undefined));
    load(loads, 0).finish();
    await settled();
    expect(await replyOf(roles.models.chat)).toBe('said by a');
  });

  test('a message waits for it from the first moment on', async () => {
    const { storage } = await withChatA();
    const { roles, open } = rig(storage);
    await open();
    expect(roles.models.chat).toMatchObject({ name: 'a', prepare: expect.any(Function) });
  });

  test('waiting ends when the person stops', async () => {
    const { roles } = await withChatA();
    const controller = new AbortController();
    const prepared = roles.models.chat.prepare?.(controller.signal, false);
    controller.abort();
    await prepared;
  });

  test('a message waits for the one that is chosen instead meanwhile', async () => {
    const { roles, loads } = await withChatA();
    const prepared = roles.models.chat.prepare?.(never, false);
    const choosing = roles.choose('chat', chosen('b'));
    await settled();
    expect(roles.models.chat.name).toBe('b');
    load(loads, 1).finish();
    await Promise.all([choosing, prepared]);
    expect(await replyOf(roles.models.chat)).toBe('said by b');
  });

  test('a message that waited for what then failed is told why', async () => {
    const { roles, loads } = await withChatA();
    const prepared = roles.models.chat.prepare?.(never, false);
    load(loads, 0).fail(new ModelFailure('download-interrupted', 'The line broke.'));
    await prepared;
    await expect(replyOf(roles.models.chat)).rejects.toThrow('The line broke.');
  });
});

describe('cancelling a load that messages wait for', () => {
  const same = { kind: 'same-as-chat' } as const;
  const storedChoices = async ({ storage }: Awaited<ReturnType<typeof opened>>) =>
    ((await storage.setting('models')) as { choices: Record<string, unknown> }).choices;
  /** A page opened with these choices stored, whose loads wait. */
  const reopened = async (summarise: typeof same | typeof shipped = shipped) => {
    const before = await opened();
    const choosing = before.roles.chooseAll({ chat: chosen('a'), decide: shipped, summarise, embed: shipped });
    await settled();
    for (const one of before.loads) one.finish();
    await choosing;
    return opened(before.storage);
  };

  test('leaves the choice, says so to the message, and loads it again where the user asks', async () => {
    const made = await reopened();
    const { roles, loads, states } = made;
    const prepared = roles.models.chat.prepare?.(never, false);
    roles.cancel('chat');
    await prepared;
    await expect(replyOf(roles.models.chat)).rejects.toThrow('a was not loaded. Try again.');
    expect(load(loads, 0).options.signal.aborted).toBe(true);
    expect(states.chat).toMatchObject({ state: 'failed', choice: chosen('a'), missing: true, progress: null });
    expect(await storedChoices(made)).toMatchObject({ chat: chosen('a') });
    const again = roles.models.chat.prepare?.(never, true);
    await settled();
    load(loads, 1).finish();
    await again;
    expect(await replyOf(roles.models.chat)).toBe('said by a');
  });

  test('of another, tried after one that failed, leaves the one that failed', async () => {
    const made = await reopened();
    const { roles, loads, states } = made;
    load(loads, 0).fail(new ModelFailure('unreachable', 'Nobody answers.'));
    await settled();
    const choosing = roles.choose('chat', chosen('b'));
    await settled();
    roles.cancel('chat');
    await choosing;
    await settled();
    expect(states.chat).toMatchObject({ state: 'failed', name: 'a', failure: { message: 'Nobody answers.' } });
    await expect(replyOf(roles.models.chat)).rejects.toThrow('Nobody answers.');
    expect(await storedChoices(made)).toMatchObject({ chat: chosen('a') });
  });

  test.each<[string, readonly ReturnType<typeof chosen>[]]>([
    ['', []],
    [', also after another was chosen meanwhile', [chosen('b')]],
  ])('cancels what loads the same for other roles%s', async (_, others) => {
    const { roles, loads, states } = await reopened(same);
    const choosing = others.map((other) => roles.choose('chat', other));
    await settled();
    roles.cancel('chat');
    await Promise.all(choosing);
    await settled();
    expect(loads.every(({ options }) => options.signal.aborted)).toBe(true);
    for (const state of [states.chat, states.summarise]) expect(state).toMatchObject({ state: 'failed', name: 'a' });
    expect(states.summarise).toMatchObject({ choice: same });
  });

  test('leaves others that were only just set to the same with what they had', async () => {
    const made = await reopened();
    const { roles, loads, states } = made;
    load(loads, 0).fail(new ModelFailure('out-of-memory', 'No room.'));
    await settled();
    const choosing = [roles.choose('chat', chosen('b')), roles.choose('summarise', same), roles.set({ consult: same })];
    await settled();
    expect(states.summarise).toMatchObject({ state: 'loading', name: 'b' });
    const begun = loads.length;
    roles.cancel('chat');
    await Promise.all(choosing);
    await settled();
    expect(loads).toHaveLength(begun);
    expect(loads.slice(1).every(({ options }) => options.signal.aborted)).toBe(true);
    expect(states.chat).toMatchObject({ state: 'failed', name: 'a' });
    for (const state of [states.summarise, states.consult]) expect(state).toMatchObject({ choice: shipped });
    expect(await storedChoices(made)).toMatchObject({ chat: chosen('a'), summarise: shipped });
    expect(await roles.settings()).toMatchObject({ consult: null });
  });

  test('loads nothing for others that were ready before it: they are left with what the chat is left with', async () => {
    const { roles, loads, states } = await reopened();
    load(loads, 0).fail(new ModelFailure('out-of-memory', 'No room.'));
    await settled();
    const choosing = [roles.choose('chat', chosen('b')), roles.choose('summarise', same), roles.set({ consult: same })];
    await settled();
    load(loads, 2).finish();
    await settled();
    expect(states.summarise).toMatchObject({ state: 'ready', name: 'b' });
    roles.cancel('chat');
    await Promise.all(choosing);
    await settled();
    expect(loads).toHaveLength(3);
    expect(load(loads, 2).closed).toBe(true);
    for (const state of [states.summarise, states.consult]) {
      expect(state).toMatchObject({ state: 'failed', choice: same, name: 'a', failure: { message: 'No room.' } });
    }
    const again = roles.retry('chat');
    await settled();
    for (const one of loads) one.finish();
    await again;
    await settled();
    for (const one of loads) one.finish();
    await settled();
    for (const state of [states.chat, states.summarise, states.consult]) {
      expect(state).toMatchObject({ state: 'ready', name: 'a' });
    }
  });

  test('that began again unasked keeps it from beginning again unasked', async () => {
    const { roles, loads } = await reopened();
    load(loads, 0).finish();
    await settled();
    load(loads, 0).options.onLost(new ModelFailure('device-lost', 'The GPU is gone.'));
    const prepared = roles.models.chat.prepare?.(never, false);
    await settled();
    roles.cancel('chat');
    await prepared;
    await roles.models.chat.prepare?.(never, false);
    expect(loads).toHaveLength(2);
    await expect(replyOf(roles.models.chat)).rejects.toThrow('The GPU is gone.');
  });
});

describe('a model that is lost', () => {
  test('is loaded again by the next message', async () => {
    const { roles, loads, states } = await opened();
    const choosing = roles.choose('chat', chosen('a'));
    await settled();
    load(loads, 0).finish();
    await choosing;
    load(loads, 0).options.onLost(new ModelFailure('device-lost', 'The GPU is gone.'));
    expect(states.chat).toMatchObject({ state: 'failed', failure: { kind: 'device-lost' }, answering: 'recall' });
    const prepared = roles.models.chat.prepare?.(never, false);
    await settled();
    load(loads, 1).finish();
    await prepared;
    expect(states.chat).toMatchObject({ state: 'ready', name: 'a' });
    expect(await replyOf(roles.models.chat)).toBe('said by a');
  });

  test('brings back with it those that were lost with it', async () => {
    const { roles, loads, states } = await opened();
    const choosing = Promise.all([roles.choose('chat', chosen('a')), roles.choose('summarise', chosen('b'))]);
    await settled();
    for (const one of loads) one.finish();
    await choosing;
    for (const one of [...loads]) one.options.onLost(new ModelFailure('device-lost', 'The GPU is gone.'));
    const prepared = roles.models.chat.prepare?.(never, false);
    await settled();
    expect(loads).toHaveLength(3);
    load(loads, 2).finish();
    await prepared;
    expect(states.chat).toMatchObject({ state: 'ready', name: 'a' });
    load(loads, 3).finish();
    await settled();
    expect(states.summarise).toMatchObject({ state: 'ready', name: 'b' });
  });

  test('leaves a decision to what ships', async () => {
    const { roles, loads, states } = await opened();
    const choosing = roles.choose('decide', chosen('a'));
    await settled();
    load(loads, 0).finish();
    await choosing;
    load(loads, 0).options.onLost(new ModelFailure('worker-died', 'It crashed.'));
    expect(roles.models.decide.name).toBe('embedded decider');
    expect(states.decide).toMatchObject({ state: 'failed', name: 'a' });
  });
});

test('a model lost while another loads is no failure of the one that then answers', async () => {
  const { roles, loads, states } = await opened();
  const first = roles.choose('chat', chosen('a'));
  await settled();
  load(loads, 0).finish();
  await first;
  const second = roles.choose('chat', chosen('b'));
  await settled();
  load(loads, 0).options.onLost(new ModelFailure('device-lost', 'The GPU is gone.'));
  load(loads, 1).finish();
  await second;
  expect(states.chat).toMatchObject({ state: 'ready', name: 'b', failure: null });
});

test('a model lost while another loads is not loaded in its place', async () => {
  const { roles, loads, states } = await opened();
  const first = roles.choose('chat', chosen('a'));
  await settled();
  load(loads, 0).finish();
  await first;
  const { key } = await roles.addOwn({ runtime: 'server', baseUrl: SERVER, model: 'm' });
  const second = roles.choose('chat', { kind: 'model', key });
  await settled();
  load(loads, 0).options.onLost(new ModelFailure('device-lost', 'The GPU is gone.'));
  const prepared = roles.models.chat.prepare?.(never, false);
  await roles.connect({ baseUrl: SERVER, key: '', remember: false });
  await settled();
  expect(load(loads, 1).options.signal.aborted).toBe(false);
  expect(loads).toHaveLength(2);
  load(loads, 1).finish();
  await Promise.all([second, prepared]);
  expect(states.chat).toMatchObject({ state: 'ready', name: 'm' });
});

describe('a server whose model did not load', () => {
  const closedTab = async (kind: ModelFailureKind = 'unauthorised') => {
    const before = await opened();
    const ofServer = await chatOnServer(before);
    const consulting = before.roles.set({ consult: ofServer });
    await settled();
    load(before.loads, 1).finish();
    await consulting;
    const tab = await opened(before.storage);
    for (const one of tab.loads) one.fail(new ModelFailure(kind, 'No key.'));
    await settled();
    expect(tab.states.chat).toMatchObject({ state: 'failed' });
    return { ...tab, asked: tab.loads.length };
  };

  test('has it loaded once connected, for the decider that asks it too', async () => {
    const { roles, loads, states, asked } = await closedTab();
    await roles.connect({ baseUrl: SERVER, key: 'secret', remember: false });
    await settled();
    for (const one of loads.slice(asked)) one.finish();
    await settled();
    expect(states.chat).toMatchObject({ state: 'ready', failure: null });
    expect(roles.models.consult).toBeDefined();
  });

  test('is asked again by the next message, and then for the decider that asks it too', async () => {
    const { roles, loads, states, asked } = await closedTab();
    const prepared = roles.models.chat.prepare?.(never, false);
    await settled();
    expect(loads).toHaveLength(asked + 1);
    load(loads, asked).finish();
    await prepared;
    expect(states.chat).toMatchObject({ state: 'ready' });
    await settled();
    load(loads, asked + 1).finish();
    await settled();
    expect(roles.models.consult).toBeDefined();
  });

  test('is not asked again by the next message if it has no such model', async () => {
    const { roles, loads, asked } = await closedTab('not-found');
    await roles.models.chat.prepare?.(never, false);
    expect(loads).toHaveLength(asked);
    await expect(replyOf(roles.models.chat)).rejects.toThrow();
  });
});

test('a server that refused is not taken to have answered because the user tries again', async () => {
  const made = await opened();
  const { roles, loads, states } = made;
  const ofServer = await chatOnServer(made);
  const choosing = roles.choose('summarise', ofServer);
  await settled();
  load(loads, 1).finish();
  await choosing;
  for (const one of loads) one.refusal = new ModelFailure('unauthorised', 'No key.', { status: 401 });
  await expect(replyOf(roles.models.chat)).rejects.toThrow('No key.');
  await expect(roles.models.summarise.write?.('Sum up.', 'A text.')).rejects.toThrow('No key.');
  for (const state of [states.chat, states.summarise]) expect(state).toMatchObject({ state: 'failed' });
  await roles.retry('chat');
  expect(states.chat).toMatchObject({ state: 'ready' });
  expect(states.summarise).toMatchObject({ state: 'failed', failure: { message: 'No key.' } });
});

describe('a server that is forgotten', () => {
  test('is not asked any more where the decider is unsure', async () => {
    const tab = await opened();
    const { roles, loads, storage } = tab;
    const ofServer = await chatOnServer(tab);
    const setting = roles.set({ consult: ofServer });
    await settled();
    load(loads, 1).finish();
    await setting;
    expect(roles.models.consult).toBeDefined();
    await roles.disconnect(SERVER);
    expect(roles.models.consult).toBeUndefined();
    expect(roles.models.chat.name).toBe('recall');
    expect(JSON.stringify(await storage.setting('models'))).not.toContain('server:');
  });

  test('does not stand in for a model that failed to load', async () => {
    const tab = await opened();
    const { roles, loads, states } = tab;
    await chatOnServer(tab);
    const choosing = roles.choose('chat', chosen('a'));
    await settled();
    load(loads, 1).fail(new ModelFailure('out-of-memory', 'No room.'));
    await expect(choosing).rejects.toThrow('No room.');
    await roles.disconnect(SERVER);
    await settled();
    expect(load(loads, 0).closed).toBe(true);
    expect(states.chat).toMatchObject({ state: 'failed', name: 'a' });
    await expect(replyOf(roles.models.chat)).rejects.toThrow('No room.');
  });
});

test('a model whose files are deleted is not loaded again to be asked where the decider is unsure', async () => {
  const { roles, loads, storage } = await opened();
  const setting = roles.set({ consult: chosen('a') });
  await settled();
  load(loads, 0).finish();
  await setting;
  // The rig has no files to delete.
  await roles.remove('webllm:a').catch(() => undefined);
  expect((await opened(storage)).loads).toEqual([]);
});

test('what is the same as the chat follows the next chat model also once the files of one are deleted', async () => {
  const { roles, loads, states } = await opened();
  const same = { kind: 'same-as-chat' } as const;
  await roles.set({ consult: same });
  const choosing = roles.chooseAll({ chat: chosen('a'), decide: shipped, summarise: same, embed: shipped });
  await settled();
  for (const one of loads) one.finish();
  await choosing;
  // The rig has no files to delete.
  await roles.remove('webllm:a').catch(() => undefined);
  expect(states).toMatchObject({ chat: { choice: shipped }, summarise: { choice: same }, consult: { choice: same } });
  expect(roles.models.summarise.name).toBe('extractive');
  const next = roles.choose('chat', chosen('b'));
  await settled();
  for (const one of loads) one.finish();
  await next;
  for (const model of [roles.models.chat, roles.models.summarise, roles.models.consult]) {
    expect(model?.name).toMatch(/^b/);
  }
});

test('once only embedded models are chosen, none is asked where the decider is unsure either', async () => {
  const { roles, loads, states, storage } = await opened();
  const setting = roles.set({ consult: chosen('a') });
  await settled();
  load(loads, 0).finish();
  await setting;
  expect(roles.models.consult).toBeDefined();
  await roles.chooseAll({ chat: shipped, decide: shipped, summarise: shipped, embed: shipped });
  expect(roles.models.consult).toBeUndefined();
  expect(states.consult).toMatchObject({ choice: shipped });
  expect((await opened(storage)).loads).toEqual([]);
});

test('what is chosen is loaded although it cannot be saved', async () => {
  const full = () => Promise.reject(new Error('No space is left.'));
  const { roles, loads } = await opened({ ...memoryStorage(), saveSetting: full });
  const choosing = roles.chooseAll({ chat: chosen('a'), decide: shipped, summarise: shipped, embed: shipped });
  await settled();
  load(loads, 0).finish();
  await expect(choosing).rejects.toThrow('No space is left.');
  expect(await replyOf(roles.models.chat)).toBe('said by a');
});
