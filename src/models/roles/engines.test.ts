import { describe, expect, test } from 'vitest';
import { ModelFailure } from '../../engine/model-failure.ts';
import { chosen, load, never, opened, settled, shipped } from './testing/rig.ts';

const same = { kind: 'same-as-chat' } as const;

describe('engines', () => {
  test('who decides and who summarises share one, the chat has its own', async () => {
    const { roles, loads } = await opened();
    const choosing = roles.chooseAll({ chat: chosen('a'), decide: same, summarise: same, embed: shipped });
    await settled();
    expect(loads).toHaveLength(2);
    for (const one of loads) one.finish();
    await choosing;
    expect(roles.models.decide.name).toContain('a');
    await roles.choose('decide', shipped);
    await settled();
    expect(load(loads, 1).closed).toBe(false);
    await roles.choose('summarise', shipped);
    await settled();
    expect(load(loads, 1).closed).toBe(true);
    expect(load(loads, 0).closed).toBe(false);
  });

  test('the same as the chat follows the chat', async () => {
    const { roles, loads, states } = await opened();
    await roles.choose('summarise', { kind: 'same-as-chat' });
    expect(states.summarise).toMatchObject({ state: 'ready', choice: { kind: 'same-as-chat' } });
    const choosing = roles.choose('chat', chosen('a'));
    await settled();
    expect(loads).toHaveLength(2);
    for (const one of loads) one.finish();
    await choosing;
    expect(roles.models.summarise.name).toContain('a');
  });

  test.each([
    ['Models', (roles: Awaited<ReturnType<typeof opened>>['roles']) => roles.retry('chat')],
    ['a reply', (roles: Awaited<ReturnType<typeof opened>>['roles']) => roles.models.chat.prepare?.(never, true)],
  ])('what is the same as the chat is tried again with it from %s', async (_, tryAgain) => {
    const { roles, loads, states } = await opened();
    const choosing = roles.chooseAll({ chat: chosen('a'), decide: shipped, summarise: same, embed: shipped });
    await settled();
    for (const one of loads) one.fail(new ModelFailure('download-interrupted', 'The line broke.'));
    await expect(choosing).rejects.toThrow('The line broke.');
    expect(states.summarise).toMatchObject({ state: 'failed' });
    const again = tryAgain(roles);
    await settled();
    load(loads, 2).finish();
    await again;
    await settled();
    load(loads, 3).finish();
    await settled();
    expect(states.summarise).toMatchObject({ state: 'ready', name: 'a', choice: same });
  });

  test('what is the same as the chat stops loading with it', async () => {
    const { roles, loads, states } = await opened();
    const choosing = roles.chooseAll({ chat: chosen('a'), decide: shipped, summarise: same, embed: shipped });
    await settled();
    roles.cancel('chat');
    await choosing;
    expect(loads.map(({ options }) => options.signal.aborted)).toEqual([true, true]);
    expect(states.summarise).toMatchObject({ state: 'ready', name: 'extractive', choice: same });
  });

  test('the chat model is asked where the decider is unsure, also after another was chosen', async () => {
    const { roles, loads } = await opened();
    const choose = async (choice: Parameters<typeof roles.choose>[1]) => {
      const choosing = roles.choose('chat', choice);
      await settled();
      for (const one of loads) one.finish();
      await choosing;
    };
    await roles.set({ consult: same });
    for (const name of ['a', 'b']) {
      await choose(chosen(name));
      expect(roles.models.consult?.name).toContain(name);
    }
    await choose(shipped);
    expect(roles.models.consult).toBeUndefined();
    await settled();
    expect(loads.every(({ closed }) => closed)).toBe(true);
  });

  test('a changed embedder compares the conversation anew before it answers', async () => {
    const { roles, loads, anew } = await opened();
    const choosing = roles.choose('embed', chosen('a'));
    await settled();
    load(loads, 0).finish();
    await choosing;
    expect(anew).toEqual(['a']);
    expect(roles.models.embed).toMatchObject({ name: 'a', theta: 0.5 });
  });

  test('another decider is asked beside the one that ships, and only beside that', async () => {
    const { roles, loads, states } = await opened();
    const setting = roles.set({ consult: chosen('a') });
    await settled();
    load(loads, 0).finish();
    await setting;
    expect(roles.models.consult?.name).toContain('a');
    const choosing = roles.choose('decide', chosen('b'));
    // Nor while that loads.
    expect(roles.models.consult).toBeUndefined();
    await settled();
    roles.cancel('decide');
    await choosing;
    expect(roles.models.consult?.name).toContain('a');
    const again = roles.choose('decide', chosen('b'));
    await settled();
    load(loads, 2).finish();
    await again;
    expect(roles.models.consult).toBeUndefined();
    expect(load(loads, 0).closed).toBe(true);
    expect(await roles.settings()).toMatchObject({ consult: null });
    expect(states.consult).toMatchObject({ choice: shipped });
  });

  test('beside a chat model that also decides, none is asked', async () => {
    const { roles, loads, storage } = await opened();
    const setting = roles.set({ consult: chosen('b') });
    await settled();
    load(loads, 0).finish();
    await setting;
    await roles.choose('decide', same);
    expect(roles.models.consult).toBeDefined();
    const choosing = roles.choose('chat', chosen('a'));
    await settled();
    for (const one of loads) one.finish();
    await choosing;
    expect(roles.models.decide.name).toContain('a');
    expect(await roles.settings()).toMatchObject({ consult: null });
    // Nor does it load with the page if both were stored before.
    await storage.saveSetting('models', { ...Object(await storage.setting('models')), consult: chosen('b') });
    const { loads: again, roles: next } = await opened(storage);
    expect(again.map(({ of }) => of)).toEqual(['a', 'a']);
    await settled();
    expect(await next.settings()).toMatchObject({ consult: null });
  });
});

test('a model of one’s own that is added again with another library is loaded with that one', async () => {
  const { roles, loads } = await opened();
  const add = (library: string) =>
    roles.addOwn({ runtime: 'webllm', modelId: 'own', weights: 'https://here/weights', library });
  const { key } = await add('https://here/1.wasm');
  const choosing = roles.choose('chat', { kind: 'model', key });
  await settled();
  load(loads, 0).finish();
  await choosing;
  const adding = add('https://here/2.wasm');
  await settled();
  expect(loads).toHaveLength(2);
  load(loads, 1).finish();
  await adding;
  await settled();
  expect(loads.map(({ closed }) => closed)).toEqual([true, false]);
});

test('a chat model that was replaced stays until those who hold it let it go', async () => {
  const { roles, loads } = await opened();
  const choosing = roles.choose('chat', chosen('a'));
  await settled();
  load(loads, 0).finish();
  await choosing;
  const { chat } = roles.models;
  const release = chat.hold?.();
  await roles.choose('chat', shipped);
  await settled();
  expect(roles.models.chat.name).toBe('recall');
  expect(load(loads, 0).closed).toBe(false);
  release?.();
  await settled();
  expect(load(loads, 0).closed).toBe(true);
});

test('a second decider that fails is told of, for it has no place where its state would show', async () => {
  const { roles, loads, failures } = await opened();
  const setting = roles.set({ consult: chosen('a') });
  await settled();
  load(loads, 0).fail(new ModelFailure('not-found', 'Gone.'));
  await expect(setting).rejects.toThrow('Gone.');
  expect(failures).toMatchObject([{ kind: 'not-found' }]);
});

test('a second decider whose load is cancelled when tried again is not told of once more', async () => {
  const { roles, loads, states, failures } = await opened();
  const set = () => roles.set({ consult: chosen('a') });
  const setting = set();
  await settled();
  load(loads, 0).fail(new ModelFailure('not-found', 'Gone.'));
  await expect(setting).rejects.toThrow('Gone.');
  const again = set();
  await settled();
  roles.cancel('consult');
  await again;
  expect(states.consult).toMatchObject({ state: 'failed', failure: { message: 'Gone.' } });
  expect(failures).toHaveLength(1);
  const third = set();
  await settled();
  load(loads, 2).fail(new ModelFailure('not-found', 'Gone.'));
  await expect(third).rejects.toThrow('Gone.');
  expect(failures).toHaveLength(2);
});

test('a second decider that was lost is named with its failure, and is loaded again when set again', async () => {
  const { roles, loads, states } = await opened();
  const set = async () => {
    const setting = roles.set({ consult: chosen('a') });
    await settled();
    load(loads, loads.length - 1).finish();
    await setting;
  };
  await set();
  expect(states.consult).toMatchObject({ choice: chosen('a'), state: 'ready', failure: null });
  load(loads, 0).options.onLost(new ModelFailure('worker-died', 'It crashed.'));
  expect(roles.models.consult).toBeUndefined();
  expect(states.consult).toMatchObject({ choice: chosen('a'), state: 'failed', failure: { message: 'It crashed.' } });
  await set();
  expect(roles.models.consult).toBeDefined();
  expect(states.consult).toMatchObject({ state: 'ready', failure: null });
});

test('a second decider tells how far it is loaded, and can be cancelled: who was asked before still is', async () => {
  const { roles, loads, states } = await opened();
  const setting = roles.set({ consult: chosen('a') });
  await settled();
  const progress = { phase: 'downloading', loaded: 1, total: 4 } as const;
  load(loads, 0).options.onProgress(progress);
  expect(states.consult).toMatchObject({ state: 'loading', name: 'a', progress });
  roles.cancel('consult');
  await setting;
  expect(load(loads, 0).options.signal.aborted).toBe(true);
  expect(await roles.settings()).toMatchObject({ consult: null });
  expect(states.consult).toMatchObject({ state: 'ready', choice: shipped, progress: null });
  const again = roles.set({ consult: chosen('a') });
  await settled();
  load(loads, 1).finish();
  await again;
  const another = roles.set({ consult: chosen('b') });
  await settled();
  roles.cancel('consult');
  await another;
  expect(await roles.settings()).toMatchObject({ consult: chosen('a') });
  expect(roles.models.consult?.name).toContain('a');
});
