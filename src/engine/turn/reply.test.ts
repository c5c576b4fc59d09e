import { describe, expect, test } from 'vitest';
import { fold } from '../../domain/apply.ts';
import { Entry } from '../../domain/entry.ts';
import type { PendingTurn } from '../../domain/forest.ts';
import { violations } from '../../domain/invariants.ts';
import { nodeOf, replyOf } from '../../domain/queries.ts';
import { defaultReplySettings } from '../../domain/reply.ts';
import { contextMessages } from '../context/context-text.ts';
import { ModelFailure } from '../model-failure.ts';
import type { ChatRequest } from '../ports.ts';
import { bareHost, contextOf } from '../testing/bare-host.ts';
import { bagEmbedder, countingChat, cutOffChat, gate, namedChat, plainModels } from '../testing/plain-models.ts';

const going = () => new AbortController().signal;

/** Starts a reply and breaks off. */
const cut = (name: string) => ({
  ...countingChat(),
  name,
  async *reply() {
    yield 'half';
    throw new Error('cut');
  },
});

/** Its worker is gone, so it cannot even count. */
const dead = () => {
  const count = () => Promise.reject(new Error('the worker is gone'));
  return { ...countingChat(), name: 'dead', tokens: { name: 'dead tokens', count } };
};

describe('a reply that failed', () => {
  test('because its model cannot even count is kept with the reason, and the turn with it', async () => {
    const host = bareHost({ chat: dead() });
    const id = await host.send('hello');
    expect(replyOf(nodeOf(host.life.forest, id))).toMatchObject({ state: 'failed', failure: 'the worker is gone' });
    expect(violations(host.life.forest)).toEqual([]);
  });

  test('is answered for this once by the embedded model, beside what failed', async () => {
    const host = bareHost({ chat: dead() });
    const id = await host.send('hello');
    await host.engine.regenerate(id, 'again', going(), 'embedded');
    expect(nodeOf(host.life.forest, id).replies.map(({ model, state }) => [model, state])).toEqual([
      ['dead', 'failed'],
      ['quoting', 'done'],
    ]);
  });
});

describe('what is deleted while a reply is prepared', () => {
  /** A chat model whose counting of tokens is held up once `isHeld` is set. */
  const slowlyCounting = (chat: ReturnType<typeof countingChat>) => {
    const [asked, goOn] = [gate(), gate()];
    const held = { isHeld: false };
    const count = async (texts: readonly string[]) => {
      if (held.isHeld) {
        asked.open();
        await goOn.opened;
      }
      return texts.map((text) => text.length);
    };
    return { chat: { ...chat, tokens: { name: 'slow', count } }, held, asked, goOn };
  };

  test('is not sent, and the reply ends as it would have', async () => {
    const counting = countingChat();
    const { chat, held, asked, goOn } = slowlyCounting(counting);
    const host = bareHost({ chat });
    const first = await host.send('#trip one');
    await host.send('two');
    held.isHeld = true;
    const sending = host.send('three');
    await asked.opened;
    host.life.do({ type: 'delete', nodeIds: [first], alone: true, step: host.life.id() });
    goOn.open();
    const id = await sending;
    expect(replyOf(nodeOf(host.life.forest, id))?.state).toBe('done');
    const sent = counting.requests.at(-1)?.messages;
    expect(sent?.map(({ content }) => content)).toContain('two');
    expect(JSON.stringify(sent)).not.toContain('#trip one');
    expect(contextMessages(host.life.forest, contextOf(host.life.forest, id))).toEqual(sent);
  });

  test('is not sent with a reply that is gone on with: there is another one beside it', async () => {
    const compared = gate();
    let isHeld = false;
    const asked = gate();
    const embed: typeof bagEmbedder.embed = async (texts) => {
      if (isHeld) {
        asked.open();
        await compared.opened;
      }
      return bagEmbedder.embed(texts);
    };
    const models = { ...plainModels({ chat: countingChat(), embed: { ...bagEmbedder, embed } }) };
    const host = bareHost({}, { models: () => models });
    const first = await host.send('#trip one');
    Object.assign(models, { chat: { ...cut('counting') } });
    const id = await host.send('two');
    Object.assign(models, { chat: countingChat() });
    isHeld = true;
    const resuming = host.engine.resume(id, going());
    await asked.opened;
    host.life.do({ type: 'delete', nodeIds: [first], alone: true, step: host.life.id() });
    compared.open();
    await resuming;
    expect(nodeOf(host.life.forest, id).replies.map(({ state }) => state)).toEqual(['failed', 'done']);
  });
});

test('a reply whose pictures cannot be read any more ends, and says why', async () => {
  let reads = 0;
  const pictures = async (ids: readonly string[]) => {
    reads += 1;
    if (reads > 1) throw new Error('The connection was closed');
    return Object.fromEntries(ids.map((id) => [id, 'data:image/png;base64,']));
  };
  const host = bareHost({ chat: { ...countingChat(), sees: true } }, { pictures });
  const nodeId = host.life.id();
  const attachments = [{ id: 'p', name: 'p.png', mediaType: 'image/png', size: 1 }];
  const event = { type: 'message-sent' as const, nodeId, message: 'hello', given: null, target: null, attachments };
  host.life.do({ type: 'record', step: host.life.id(), event });
  await host.engine.turn(host.life.forest.pending[nodeId] as PendingTurn, going());
  const reply = replyOf(nodeOf(host.life.forest, nodeId));
  expect(reply).toMatchObject({ state: 'failed', failure: 'The connection was closed' });
});

test('a reply that comes with its message is kept where its model cannot count what it would have been sent', async () => {
  const host = bareHost({ chat: dead() });
  const nodeId = host.life.id();
  const event = { type: 'message-sent' as const, nodeId, message: 'hello', given: 'Hi.', target: null };
  host.life.do({ type: 'record', step: host.life.id(), event });
  await host.engine.turn(host.life.forest.pending[nodeId] as PendingTurn, going());
  expect(replyOf(nodeOf(host.life.forest, nodeId))).toMatchObject({ state: 'done', text: 'Hi.', context: null });
});

describe('a model that tells more of an end', () => {
  const ending = (end: (onUsage: ChatRequest['onUsage']) => void) => ({
    ...countingChat(),
    async *reply({ onUsage }: ChatRequest) {
      yield 'half';
      end(onUsage);
    },
  });

  test('by its kind of failure: the log keeps it until the reply is gone on with', async () => {
    const full = () => {
      throw new ModelFailure('out-of-memory', 'No room.');
    };
    const host = bareHost({ chat: ending(full) });
    const id = await host.send('hello');
    expect(replyOf(nodeOf(host.life.forest, id))).toMatchObject({ failure: 'No room.', failureKind: 'out-of-memory' });
    expect(fold(host.life.entries.map((entry) => Entry.parse(JSON.parse(JSON.stringify(entry)))))).toEqual(
      host.life.forest,
    );
  });

  test('as the limit of its tokens: the reply can be gone on with, another cannot', async () => {
    let tries = 0;
    const once = (onUsage: ChatRequest['onUsage']) => {
      tries += 1;
      onUsage?.({ prefilled: 1, reused: 0, generated: 1, ...(tries === 1 && { cut: true }) });
    };
    const host = bareHost({ chat: ending(once) });
    const id = await host.send('hello');
    const reply = () => replyOf(nodeOf(host.life.forest, id));
    expect(reply()).toMatchObject({ state: 'done', usage: { cut: true } });
    await host.engine.resume(id, going());
    expect(reply()).toMatchObject({ state: 'done', text: 'halfhalf' });
    expect(reply()?.usage?.cut).toBeUndefined();
    await host.engine.resume(id, going());
    expect(reply()?.text).toBe('halfhalf');
  });
});

describe('going on with a reply', () => {
  test('the embedded model goes on with its own words, whatever is chosen', async () => {
    const host = bareHost({}, { embedded: { ...plainModels(), chat: cut('quoting') } });
    const id = await host.send('hello');
    await host.engine.regenerate(id, 'again', going(), 'embedded');
    await host.engine.resume(id, going());
    expect(replyOf(nodeOf(host.life.forest, id))).toMatchObject({ model: 'quoting', text: 'halfhalf' });
  });

  test('the embedded model does not go on with what a language model began: it replies beside it', async () => {
    const quoting = namedChat('quoting');
    const models = { ...plainModels({ chat: cut('thinking') }) };
    const host = bareHost({}, { models: () => models, embedded: { ...models, chat: quoting } });
    const id = await host.send('hello');
    Object.assign(models, { chat: quoting });
    await host.engine.resume(id, going());
    expect(nodeOf(host.life.forest, id).replies.map(({ model, text }) => [model, text])).toEqual([
      ['thinking', 'half'],
      ['quoting', 'quoting after “”'],
    ]);
  });

  test('another model that goes on is named beside the one that began', async () => {
    const models = { ...plainModels({ chat: cut('first') }) };
    const host = bareHost({}, { models: () => models });
    const id = await host.send('hello');
    Object.assign(models, { chat: namedChat('second') });
    await host.engine.resume(id, going());
    expect(replyOf(nodeOf(host.life.forest, id))).toMatchObject({
      state: 'done',
      model: 'first, then second',
      text: 'halfsecond after “half”',
    });
  });

  test('one kept from a what-if, which began from another context than it has, gets another beside it', async () => {
    const chat = countingChat();
    const host = bareHost({ chat });
    const id = await host.send('hello');
    const [replyId, step] = [host.life.id(), host.life.id()];
    const context = { ...contextOf(host.life.forest, id), simulated: true as const };
    const of = { nodeId: id, replyId };
    host.life.do({ type: 'record', step, event: { type: 'reply-started', ...of, model: 'counting', context } });
    host.life.do({ type: 'record', step, event: { type: 'reply-received', ...of, text: 'half' } });
    const ended = { type: 'reply-ended' as const, ...of, state: 'stopped' as const, failure: null, timings: [] };
    host.life.do({ type: 'record', step, event: ended });
    await host.engine.resume(id, going());
    expect(nodeOf(host.life.forest, id).replies.map(({ text }) => text)).toEqual([
      'I was sent 2 messages.',
      'half',
      'I was sent 2 messages.',
    ]);
    expect(contextOf(host.life.forest, id).simulated).toBeUndefined();
  });

  test('stays where it is, and keeps its author, while the model cannot be loaded, however long the context is', async () => {
    const models = { ...plainModels({ chat: cut('first (here)') }) };
    const host = bareHost({}, { models: () => models });
    const id = await host.send('some words that are more than a small window holds');
    const missing = {
      ...countingChat(4),
      name: 'first',
      prepare: async () => undefined,
      // biome-ignore lint/correctness/useYield: it fails first.
      async *reply() {
        throw new ModelFailure('unreachable', 'Nobody answers.');
      },
    };
    Object.assign(models, { chat: missing });
    await host.engine.resume(id, going());
    expect(nodeOf(host.life.forest, id).replies).toMatchObject([
      { model: 'first (here)', text: 'half', state: 'failed', failure: 'Nobody answers.' },
    ]);
  });

  describe('without a word so far', () => {
    /** Fails before its first word. */
    const silent = (window: number) => ({
      ...countingChat(window),
      name: 'silent',
      // biome-ignore lint/correctness/useYield: it fails first.
      async *reply() {
        throw new ModelFailure('unreachable', 'Nobody answers.');
      },
    });

    test('another takes its place, with what the model chosen now is sent', async () => {
      const models = { ...plainModels() };
      const host = bareHost({}, { models: () => models, parameters: { replyReserve: 20 } });
      for (const message of ['#trip one', 'two', 'three']) await host.send(message);
      Object.assign(models, { chat: silent(60) });
      const id = await host.send('four');
      const chat = countingChat(4096);
      Object.assign(models, { chat });
      await host.engine.resume(id, going());
      expect(nodeOf(host.life.forest, id).replies).toMatchObject([{ model: 'counting', state: 'done' }]);
      expect(chat.requests.at(-1)?.messages.map(({ content }) => content)).toContain('#trip one');
      expect(violations(host.life.forest)).toEqual([]);
      host.life.do({ type: 'undo' });
      expect(nodeOf(host.life.forest, id).replies).toMatchObject([{ model: 'silent', state: 'failed' }]);
    });

    test('it only fails again while its model cannot be loaded', async () => {
      const models = { ...plainModels({ chat: { ...silent(4096), prepare: async () => undefined } }) };
      const host = bareHost({}, { models: () => models });
      const id = await host.send('hello');
      const steps = host.life.forest.history.past.length;
      await host.engine.resume(id, going());
      expect(nodeOf(host.life.forest, id).replies).toMatchObject([{ state: 'failed', failure: 'Nobody answers.' }]);
      expect(host.life.forest.history.past).toHaveLength(steps);
    });
  });

  test('whose context has pictures, a model that cannot see replies beside it and is sent their names', async () => {
    const models = { ...plainModels({ chat: { ...cut('seeing'), sees: true } }) };
    const pictures = async (ids: readonly string[]) =>
      Object.fromEntries(ids.map((id) => [id, 'data:image/png;base64,']));
    const host = bareHost({}, { models: () => models, pictures });
    const nodeId = host.life.id();
    const attachments = [{ id: 'p', name: 'p.png', mediaType: 'image/png', size: 1 }];
    const event = { type: 'message-sent' as const, nodeId, message: 'hello', given: null, target: null, attachments };
    host.life.do({ type: 'record', step: host.life.id(), event });
    await host.engine.turn(host.life.forest.pending[nodeId] as PendingTurn, going());
    expect(contextOf(host.life.forest, nodeId).pictures?.ids).toEqual(['p']);
    const chat = countingChat();
    Object.assign(models, { chat });
    await host.engine.resume(nodeId, going());
    expect(nodeOf(host.life.forest, nodeId).replies.map(({ text }) => text)).toEqual([
      'half',
      'I was sent 2 messages.',
    ]);
    expect(chat.requests.at(-1)?.messages.at(-1)?.content).toMatch(/p\.png.*not shown/);
  });

  describe('that was cut off', () => {
    test('changes nothing where the window is full of it', async () => {
      const host = bareHost({ chat: cutOffChat(160, 100) });
      const id = await host.send('hello');
      const count = host.life.entries.length;
      expect(await host.engine.resume(id, going())).toBe('window-full');
      expect(host.life.entries).toHaveLength(count);
      expect(replyOf(nodeOf(host.life.forest, id))?.state).toBe('done');
    });

    test('goes by what its model reports, which also counts its template', async () => {
      const host = bareHost({ chat: cutOffChat(300, 100, [90, 100]) });
      const id = await host.send('hello');
      expect(await host.engine.resume(id, going())).toBe('window-full');
    });

    test('goes on where the window has room', async () => {
      const host = bareHost({ chat: cutOffChat(400, 100) });
      const id = await host.send('hello');
      expect(await host.engine.resume(id, going())).toBeNull();
      expect(replyOf(nodeOf(host.life.forest, id))?.text).toBe('word '.repeat(200));
    });

    describe('after its thoughts took nearly all of the window', () => {
      const thoughts = `<think>\n${'word '.repeat(400)}`;
      const thinkingChat = (text: string, forgetsThoughts: boolean) => ({
        ...countingChat(400),
        forgetsThoughts,
        async *reply({ onUsage }: ChatRequest) {
          yield text;
          onUsage?.({ prefilled: 60, reused: 0, generated: 401, cut: true as const });
        },
      });

      test.each([
        ['goes on where they are not sent along', true, `${thoughts}\n</think>\n\nFour`, null],
        ['changes nothing where they are', false, `${thoughts}\n</think>\n\nFour`, 'window-full'],
        ['changes nothing where they would only be thought again', true, thoughts, 'window-full'],
      ])('%s', async (_, forgetsThoughts, text, outcome) => {
        const host = bareHost({ chat: thinkingChat(text, forgetsThoughts) });
        const id = await host.send('hello');
        expect(await host.engine.resume(id, going())).toBe(outcome);
      });
    });

    test('is followed by another reply where the model chosen now has too small a window for it', async () => {
      const models = { ...plainModels({ chat: cutOffChat(4096, 100) }) };
      const host = bareHost({}, { models: () => models });
      const id = await host.send('hello');
      Object.assign(models, { chat: { ...namedChat('narrow'), window: 160 } });
      expect(await host.engine.resume(id, going())).toBeNull();
      expect(nodeOf(host.life.forest, id).replies.map(({ model, text }) => [model, text])).toEqual([
        ['filling', 'word '.repeat(100)],
        ['narrow', 'narrow after “”'],
      ]);
    });
  });

  test('what the first try cost is not told of the second', async () => {
    const stop = new AbortController();
    const chat = {
      ...countingChat(),
      async *reply({ begun, onUsage }: ChatRequest) {
        yield 'some';
        if (begun !== '') throw new Error('cut');
        onUsage?.({ prefilled: 9, reused: 0, generated: 1 });
        stop.abort();
      },
    };
    const host = bareHost({ chat });
    const id = await host.send('hello', stop.signal);
    expect(replyOf(nodeOf(host.life.forest, id))).toMatchObject({ state: 'stopped', usage: { prefilled: 9 } });
    await host.engine.resume(id, going());
    expect(replyOf(nodeOf(host.life.forest, id))).toMatchObject({ state: 'failed', usage: null });
  });
});

test('the context leaves room for the longest reply that the person allows', async () => {
  const host = bareHost({ chat: countingChat(400) }, { parameters: { replyReserve: 20 } });
  host.life.do({
    type: 'record',
    step: host.life.id(),
    event: { type: 'reply-settings-set', settings: { ...defaultReplySettings, maxTokens: 250 } },
  });
  let id = '';
  for (let i = 0; i < 60; i++) id = await host.send(`message number ${i} with some words in it`);
  expect(contextOf(host.life.forest, id).tokens).toBeLessThanOrEqual(200);
});

test('what a model thought before it answered is not sent on, however long it was', async () => {
  const chat = {
    ...countingChat(),
    async *reply() {
      yield '<think>Let me go through all of it, one by one, at length.</think>';
      yield '\n\nForty-two.';
    },
  };
  const host = bareHost({ chat });
  await host.send('#trip one');
  const second = await host.send('two');
  const sent = contextMessages(host.life.forest, contextOf(host.life.forest, second));
  expect(sent.slice(1)).toEqual([
    { role: 'user', content: '#trip one' },
    { role: 'assistant', content: 'Forty-two.' },
    { role: 'user', content: 'two' },
  ]);
});
