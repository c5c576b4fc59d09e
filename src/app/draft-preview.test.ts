import { describe, expect, test, vi } from 'vitest';
import type { PlainEvent } from '../domain/event-kinds.ts';
import { pendingTurn } from '../domain/queries.ts';
import { recordsOf } from '../domain/table.ts';
import { ALL_POLICIES } from '../engine/context/policies/policies.ts';
import { NOTHING_LEARNED } from '../engine/lessons.ts';
import type { Summariser } from '../engine/ports.ts';
import { bagEmbedder, countingChat, firstWords, gate, plainModels } from '../engine/testing/plain-models.ts';
import type { RoleState } from './model-control.ts';
import { plainApp, readyRoles } from './testing/plain-app.ts';

/** This decider is asked when the user pauses. */
const PATIENT = { timeout: 30_000 };

const shown = (app: Awaited<ReturnType<typeof plainApp>>) =>
  vi.waitFor(() => {
    const { preview } = app.store.getState();
    if (preview?.phase !== 'shown' || preview.shown === null) throw new Error('no preview yet');
    return preview.shown;
  }, PATIENT);

test('what is typed is previewed without being sent, and is then what is sent', async () => {
  const chat = countingChat();
  const app = await plainApp(chat);
  await app.actions.send('#trip by train');
  const { forest, entries } = app.store.getState();
  app.actions.session({ draft: ' #code in python ' });
  const { node, context } = await shown(app);
  expect(node).toMatchObject({ message: '#code in python', parentId: null });
  expect(app.store.getState()).toMatchObject({ forest, entries });
  expect(chat.requests).toHaveLength(1);

  await app.actions.send('#code in python');
  const sent = recordsOf(app.store.getState().forest.nodes).at(-1);
  expect(sent).toMatchObject({ message: node.message, number: node.number, decision: { topic: 'create-topic' } });
  expect(sent?.replies[0]?.context?.tokens).toBe(context.tokens);
  expect(app.store.getState().preview).toBeNull();
});

test('another place to go on from, or no words, is another preview', async () => {
  const app = await plainApp(countingChat());
  await app.actions.send('#trip by train');
  app.actions.session({ draft: 'and then' });
  expect((await shown(app)).node.parentId).not.toBeNull();
  app.actions.session({ target: { kind: 'new-topic' } });
  await vi.waitFor(() => expect(app.store.getState().preview?.shown?.node.parentId).toBeNull(), PATIENT);
  app.actions.session({ draft: '' });
  expect(app.store.getState().preview).toBeNull();
});

test.each(['on-request', 'waiting'] as const)(
  'a preview does not follow into another conversation: %s',
  async (phase) => {
    const models = { ...plainModels({ chat: countingChat() }), embed: { ...bagEmbedder } };
    const app = await plainApp(countingChat(), { models: () => models });
    await app.actions.send('#bread one');
    const other = app.store.getState().conversationId;
    app.actions.session({ draft: 'and then' });
    await app.actions.newConversation();
    await app.actions.send('#trip by train');
    app.actions.session({ draft: 'and then' });
    expect((await shown(app)).forest.turnCount).toBe(2);
    if (phase === 'on-request') {
      const choice = { kind: 'model', key: 'server:http://localhost:1/v1:m' } as const;
      app.store.setState({ models: { ...readyRoles, embed: { ...readyRoles.embed, choice } } });
      expect(app.store.getState().preview).toMatchObject({ phase, shown: { node: { message: 'and then' } } });
    }
    const before: unknown[] = [];
    app.store.subscribe(({ conversationId, preview }) => {
      if (conversationId === other && preview?.phase !== 'shown') before.push(preview?.shown ?? null);
    });
    await app.actions.openConversation(other);
    expect(app.store.getState().preview).toMatchObject({ phase, shown: null });
    expect(new Set(before)).toEqual(new Set([null]));
  },
);

test('a model that has become ready, or was lost, is another preview', async () => {
  const models = { ...plainModels({ chat: countingChat(512) }) };
  const app = await plainApp(countingChat(), { models: () => models });
  await app.actions.send('#trip by train');
  app.actions.session({ draft: 'and then' });
  const before = await shown(app);
  // The name shown has been that of the chosen model since it was chosen.
  const tellState = () => app.store.setState({ models: { ...readyRoles } });
  Object.assign(models, { chat: { ...countingChat(), sees: true } });
  tellState();
  expect(app.store.getState().preview).toMatchObject({ phase: 'waiting' });
  const after = await shown(app);
  expect(after).not.toBe(before);
  // A model that is not loaded is another object each time.
  let placeholders = 0;
  Object.defineProperty(models, 'chat', {
    get: () => ({ ...countingChat(), name: 'lost', prepare: async () => undefined, made: placeholders++ }),
  });
  tellState();
  expect(app.store.getState().preview?.phase).toBe('waiting');
  await shown(app);
  tellState();
  expect(app.store.getState().preview?.phase).toBe('shown');
  expect(placeholders).toBeGreaterThan(1);
});

test('other engine settings, or other lessons of the decider, are another preview', async () => {
  const app = await plainApp(countingChat());
  for (const word of ['apples', 'pears', 'plums']) await app.actions.send(`${word} `.repeat(60));
  app.actions.session({ draft: 'and then' });
  const before = await shown(app);
  const phase = () => app.store.getState().preview?.phase;
  await app.actions.changeSettings({ policy: 'truncation', parameters: { lastTurns: 1 } });
  expect(phase()).toBe('waiting');
  expect((await shown(app)).context.tokens).toBeLessThan(before.context.tokens);
  app.store.setState(({ learning }) => ({ learning: { ...learning, learned: { ...NOTHING_LEARNED, lessons: 1 } } }));
  expect(phase()).toBe('waiting');
});

test('what was expected of a message stays in sight until it has its place', async () => {
  const app = await plainApp(countingChat());
  await app.actions.send('#trip by train');
  app.actions.session({ draft: 'and then' });
  const { node } = await shown(app);
  const phases: unknown[] = [];
  app.store.subscribe(({ forest, preview }) => {
    if (pendingTurn(forest) !== null) phases.push(preview?.shown?.node === node && preview.phase);
  });
  await app.actions.send('and then');
  expect(new Set(phases)).toEqual(new Set(['sent']));
  expect(app.store.getState().preview).toBeNull();
});

test.each(['decide', 'embed'] as const)(
  'a draft is not read unasked while the model before may still %s',
  async (role) => {
    const models = { ...plainModels({ chat: countingChat() }), embed: { ...bagEmbedder } };
    const app = await plainApp(countingChat(), { models: () => models });
    const put = (change: Partial<RoleState>) =>
      app.store.setState({ models: { ...readyRoles, [role]: { ...readyRoles[role], ...change } } });
    const phase = () => app.store.getState().preview?.phase;
    put({ choice: { kind: 'model', key: 'server:http://localhost:1/v1:m' } });
    app.actions.session({ draft: 'nobody’s business' });
    expect(phase()).toBe('on-request');
    const choice = { kind: 'model', key: 'webllm:a' } as const;
    for (const state of ['loading', 'failed'] as const) {
      put({ choice, state });
      expect(phase()).toBe('on-request');
    }
    put({ choice });
    expect(phase()).toBe('waiting');
  },
);

test('a draft that only the embedder’s server would read names who is asked', async () => {
  const models = plainModels({ chat: countingChat() });
  const instant = { ...models, decide: { ...models.decide, instant: true } };
  const app = await plainApp(countingChat(), { models: () => instant });
  app.actions.session({ draft: 'nobody’s business' });
  expect(app.store.getState().preview).toMatchObject({ phase: 'waiting', asks: null });
  const choice = { kind: 'model', key: 'server:http://localhost:1/v1:m' } as const;
  app.store.setState({ models: { ...readyRoles, embed: { ...readyRoles.embed, choice } } });
  expect(app.store.getState().preview).toMatchObject({ phase: 'on-request', asks: 'the models' });
});

test.each(['a decider', 'a memory'])(
  'a model that runs here is not named where only the embedder’s server would read the draft: %s',
  async (of) => {
    const writer = { ...firstWords, name: 'Writer', write: async () => 'Apples are red.' };
    const models = plainModels({ chat: countingChat(), summarise: writer });
    const instant = { ...models, decide: { ...models.decide, instant: true } };
    const app = await plainApp(countingChat(), { models: () => (of === 'a memory' ? instant : models) });
    if (of === 'a memory') await app.actions.changeSettings({ policy: 'tacitree' });
    app.actions.session({ draft: 'nobody’s business' });
    const asked = of === 'a memory' ? 'Writer' : 'tags';
    expect(app.store.getState().preview).toMatchObject({ phase: 'waiting', asks: asked });
    const choice = { kind: 'model', key: 'server:http://localhost:1/v1:m' } as const;
    const embed = { ...readyRoles.embed, choice };
    app.store.setState({ models: { ...readyRoles, embed } });
    expect(app.store.getState().preview).toMatchObject({ phase: 'on-request', asks: 'the models' });
    const role = of === 'a memory' ? 'summarise' : 'decide';
    app.store.setState({ models: { ...readyRoles, embed, [role]: { ...readyRoles[role], choice } } });
    expect(app.store.getState().preview).toMatchObject({ phase: 'on-request', asks: asked });
  },
);

describe('a memory that asks the summariser what to recall', () => {
  const server = { kind: 'model', key: 'server:http://localhost:1/v1:m' } as const;
  const read: string[] = [];
  const write = async (_: string, text: string) => {
    read.push(text);
    return 'Apples are red.\nPears are green.\nPlums are blue.';
  };
  const writing = { ...firstWords, name: 'Writer', write };

  const recalling = async (policy: string, summarise: Summariser = writing) => {
    const models = plainModels({ chat: countingChat(), summarise });
    const instant = { ...models, decide: { ...models.decide, instant: true } };
    const app = await plainApp(countingChat(), { models: () => instant });
    await app.actions.changeSettings({ policy });
    return { ...app, preview: () => app.store.getState().preview };
  };

  test.each(['memgpt', 'tacitree'])('has a server read no draft unasked: %s', async (policy) => {
    const app = await recalling(policy);
    for (let turn = 1; turn <= 6; turn++) await app.actions.send(`apples ${'and pears '.repeat(120)} ${turn}`);
    app.store.setState({ models: { ...readyRoles, summarise: { ...readyRoles.summarise, choice: server } } });
    app.actions.session({ draft: 'nobody’s business' });
    expect(app.preview()).toMatchObject({ phase: 'on-request', asks: 'Writer' });
    read.length = 0;
    await app.actions.previewDraft();
    expect(app.preview()).toMatchObject({ phase: 'shown', asks: 'Writer' });
    expect(read.join()).toContain('nobody’s business');
  });

  test('is not hurried if the summariser runs here, and instant if that is no language model', async () => {
    const app = await recalling('tacitree');
    app.actions.session({ draft: 'and then' });
    expect(app.preview()).toMatchObject({ phase: 'waiting', asks: 'Writer' });
    const embedded = await recalling('tacitree', firstWords);
    embedded.actions.session({ draft: 'and then' });
    expect(embedded.preview()).toMatchObject({ phase: 'waiting', asks: null });
  });

  test('names the decider and the summariser, or the one model that is both', async () => {
    const models = plainModels({ chat: countingChat(), summarise: writing });
    const app = await plainApp(countingChat(), { models: () => models });
    await app.actions.changeSettings({ policy: 'memgpt' });
    app.actions.session({ draft: 'and then' });
    expect(app.store.getState().preview?.asks).toBe('tags and Writer');
    Object.assign(models, { summarise: { ...writing, name: 'tags' } });
    app.store.setState({ models: { ...readyRoles } });
    expect(app.store.getState().preview?.asks).toBe('tags');
  });

  test('is the only kind of policy that does', async () => {
    for (const { name, asksToRecall } of ALL_POLICIES) {
      if (asksToRecall === true) continue;
      const app = await recalling(name);
      for (let turn = 1; turn <= 6; turn++) await app.actions.send(`apples ${'and pears '.repeat(120)} ${turn}`);
      app.store.setState({ models: { ...readyRoles, summarise: { ...readyRoles.summarise, choice: server } } });
      read.length = 0;
      app.actions.session({ draft: 'nobody’s business' });
      expect(app.preview(), name).toMatchObject({ phase: 'waiting', asks: null });
      await app.actions.previewDraft();
      expect(app.preview()?.phase, name).toBe('shown');
      expect(read.join(), name).not.toContain('nobody’s business');
    }
  }, 60_000);
});

test('the tokens of the next message are counted again for a model with another window', async () => {
  const models = { ...plainModels({ chat: countingChat(4096) }) };
  const app = await plainApp(countingChat(), { models: () => models });
  await app.actions.changeSettings({ policy: 'full-history', parameters: { replyReserve: 20 } });
  for (const word of ['apples', 'pears', 'plums', 'cherries']) await app.actions.send(`${word} `.repeat(60));
  const tokens = () => app.store.getState().nextTokens ?? 0;
  await vi.waitFor(() => expect(tokens()).toBeGreaterThan(240), PATIENT);
  Object.assign(models, { chat: countingChat(200) });
  app.store.setState({ models: { ...readyRoles } });
  await vi.waitFor(() => expect(tokens()).toBeLessThan(200), PATIENT);
});

test('the tokens of the next message are counted again for a model that sees pictures', async () => {
  const models = { ...plainModels({ chat: countingChat() }) };
  const attachment = { id: 'cat', name: 'cat.png', mediaType: 'image/png', size: 3 };
  const readFile = async (bytes: File) => ({ ok: true, attachment, bytes }) as const;
  const app = await plainApp(countingChat(), { models: () => models, readFile });
  await app.actions.attach([new File(['cat'], 'cat.png')]);
  app.actions.session({ draft: 'Look' });
  await app.actions.send('Look');
  const tokens = () => app.store.getState().nextTokens ?? 0;
  await vi.waitFor(() => expect(tokens()).toBeGreaterThan(0), PATIENT);
  expect(tokens()).toBeLessThan(800);
  Object.assign(models, { chat: { ...countingChat(), sees: true } });
  app.store.setState({ models: { ...readyRoles } });
  await vi.waitFor(() => expect(tokens()).toBeGreaterThan(800), PATIENT);
});

test.each(['memory-stream', 'truncation'])(
  'a memory is made by a summariser as soon as that is ready, where there is one: %s',
  async (policy) => {
    const models = { ...plainModels({ chat: countingChat() }) };
    const app = await plainApp(countingChat(), { models: () => models });
    await app.actions.changeSettings({ policy });
    await app.actions.send('red apples');
    await vi.waitFor(() => expect(app.store.getState().nextTokens).toBeGreaterThan(0), PATIENT);
    const read: string[] = [];
    const write = async (_: string, text: string) => {
      read.push(text);
      return '5';
    };
    Object.assign(models, { summarise: { ...firstWords, name: 'Writer', write } });
    app.store.setState({ models: { ...readyRoles } });
    const kernel = await app.part((own) => own);
    if (policy === 'truncation') await kernel.engine.nextTokens();
    else await vi.waitFor(() => expect(read.join()).toContain('red apples'), PATIENT);
    expect(read).toHaveLength(policy === 'truncation' ? 0 : 1);
  },
);

test('a message does not wait for a memory that is only being counted; it is counted afterwards', async () => {
  const { open: ask, opened: asked } = gate();
  let calls = 0;
  const write = async (_: string, text: string) => {
    calls += 1;
    if (calls > 1) return text;
    ask();
    return new Promise<never>(() => undefined);
  };
  const models = plainModels({ summarise: { ...firstWords, write } });
  const app = await plainApp(countingChat(), { models: () => models });
  await app.actions.changeSettings({ policy: 'tacitree' });
  await app.actions.send('red apples');
  await asked;
  await app.actions.send('red pears');
  expect(recordsOf(app.store.getState().forest.nodes).at(-1)?.replies[0]?.state).toBe('done');
  await vi.waitFor(() => expect(app.store.getState().nextTokens).toBeGreaterThan(0), PATIENT);
});

describe('what the next message would take is counted anew', () => {
  /** A turn to which another tab replies. */
  const elsewhere = async () => {
    const app = await plainApp(countingChat());
    await app.actions.send('#trip by train');
    const { nodeId = '' } = app.store.getState().forest.active ?? {};
    const kernel = await app.part((own) => own);
    const record = async (event: PlainEvent) =>
      expect(await kernel.commit({ type: 'record', event, step: null })).toMatchObject({ ok: true });
    const isCounted = () =>
      vi.waitFor(async () => expect(app.store.getState().nextTokens).toBe(await kernel.engine.nextTokens()));
    const reply = { nodeId, replyId: 'r' };
    await isCounted();
    const context = app.store.getState().forest.nodes[nodeId]?.replies[0]?.context ?? null;
    await record({ type: 'reply-started', ...reply, model: 'counting', context });
    return { ...app, record, isCounted, reply };
  };

  test('once a reply has ended that another tab was given', async () => {
    const { store, record, isCounted, reply } = await elsewhere();
    const before = store.getState().nextTokens;
    await record({ type: 'reply-received', ...reply, text: 'The night train leaves at nine. '.repeat(20) });
    await record({ type: 'reply-ended', ...reply, state: 'done', failure: null, timings: [] });
    await isCounted();
    expect(store.getState().nextTokens).toBeGreaterThan(before ?? 0);
  });

  test.each([false, true])(
    'once a reply is continued, of the active turn or (%s) of an earlier one',
    async (isEarlier) => {
      const { store, actions, record, isCounted, reply } = await elsewhere();
      await record({ type: 'reply-received', ...reply, text: 'The night train' });
      await record({ type: 'reply-ended', ...reply, state: 'interrupted', failure: null, timings: [] });
      if (isEarlier) await actions.send('and back');
      await isCounted();
      const before = store.getState().nextTokens;
      await actions.resume(reply.nodeId);
      await isCounted();
      expect(store.getState().nextTokens).toBeGreaterThan(before ?? 0);
    },
  );
});
