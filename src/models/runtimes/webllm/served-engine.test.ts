import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ChatMessage } from '../../../domain/context.ts';
import type { Usage } from '../../../domain/reply.ts';
import type { Fault } from './testing/stand-in-engine.ts';
import { replyOf, request, standInModel } from './testing/stand-in-model.ts';

const user = (content: string): ChatMessage => ({ role: 'user', content });
const assistant = (content: string): ChatMessage => ({ role: 'assistant', content });

afterEach(() => {
  vi.useRealTimers();
});

describe('a reply', () => {
  test('streams, and the next turn tells what the cache held', async () => {
    const { load } = standInModel();
    const model = await load();
    const first = await replyOf(model);
    expect(first).toEqual({
      text: 'one two three four five',
      usage: { prefilled: 3, reused: 0, generated: 6 },
      failure: null,
    });
    const second = await replyOf(
      model,
      request({ messages: [...request().messages, assistant(first.text), user('again')] }),
    );
    expect(second.usage).toEqual({ prefilled: 1, reused: 8, generated: 6 });
    const elsewhere = await replyOf(model, request({ messages: [user('count to five, please')] }));
    expect(elsewhere.usage).toEqual({ prefilled: 4, reused: 0, generated: 6 });
  });

  test('to pictures has them beside the words, and nothing of them is taken from the cache', async () => {
    const { load, engine } = standInModel();
    const model = await load();
    const cat = { id: 'c1', name: 'cat.png', mediaType: 'image/png', size: 3 };
    const url = 'data:image/png;base64,YWJj';
    const messages = [{ ...user('What is it?'), pictures: [cat] }];
    const first = await replyOf(model, request({ messages, pictures: { c1: url } }));
    expect(engine.requests[0]?.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image_url', image_url: { url } },
        ],
      },
    ]);
    const again = [...messages, assistant(first.text), user('again')];
    const second = await replyOf(model, request({ messages: again, pictures: { c1: url } }));
    expect(second.usage?.reused).toBe(0);
  });

  test('hands on the settings, and only those that are set', async () => {
    const { load, engine } = standInModel();
    await replyOf(await load(), request({ temperature: 0.2, topP: 0, maxTokens: 2 }));
    expect(engine.requests[0]).toMatchObject({ temperature: 0.2, top_p: 0.001, max_tokens: 2 });
    expect(engine.requests[0]).not.toHaveProperty('response_format');
    expect(engine.requests[0]).not.toHaveProperty('extra_body');
  });

  test('in a schema is constrained by it, the same text of it each time, and has an end', async () => {
    const { load, engine } = standInModel();
    const model = await load();
    const schema = { type: 'object', properties: { a: { type: 'number' } } };
    await replyOf(model, request({ schema }));
    await replyOf(model, request({ schema: structuredClone(schema), maxTokens: 48 }));
    const [first, second] = engine.requests;
    expect(first?.response_format).toEqual({ type: 'json_object', schema: JSON.stringify(schema) });
    expect(second?.response_format).toEqual(first?.response_format);
    expect([first?.max_tokens, second?.max_tokens]).toEqual([1024, 48]);
  });

  test('of a model that could think begins without its empty marks, and its cache is still gone on from', async () => {
    const { load, engine } = standInModel({ thinks: true });
    const model = await load();
    const messages = [{ role: 'system' as const, content: 'Count.\n/no_think' }, user('to five')];
    const first = await replyOf(model, request({ messages }));
    expect(engine.requests[0]?.extra_body).toEqual({ enable_thinking: false });
    expect(first.text).toBe('one two three four five');
    const second = await replyOf(model, request({ messages: [...messages, assistant(first.text), user('again')] }));
    expect(second.usage?.reused).toBeGreaterThan(0);
    await replyOf(model, request());
    expect(engine.requests[2]).not.toHaveProperty('extra_body');
    await replyOf(model, request({ schema: {} }));
    expect(engine.requests[3]?.extra_body).toEqual({ enable_thinking: false });
    await replyOf(model, request({ thinking: false }));
    expect(engine.requests[4]?.extra_body).toEqual({ enable_thinking: false });
  });

  test('that broke off goes on from where it was', async () => {
    const { load, engine } = standInModel();
    const { text, usage } = await replyOf(await load(), request({ begun: 'zero' }));
    expect(engine.prompts[0]).toMatch(/count to five<\|im_end\|>\n<\|im_start\|>assistant\nzero$/);
    expect(text).toBe('one two three four five');
    expect(usage).toMatchObject({ reused: 0, generated: 5 });
  });

  test('to pictures that broke off does not go on without them', async () => {
    const { load, engine, lost } = standInModel();
    const { text, failure } = await replyOf(await load(), request({ begun: 'zero', pictures: { c1: 'data:,' } }));
    expect(failure).toMatchObject({ kind: 'unsupported', message: expect.stringContaining('Try again') });
    expect([text, engine.prompts, lost]).toEqual(['', [], []]);
  });
});

describe('stopping', () => {
  const stopAfter = async (fault: Fault | null, pieces: number) => {
    const scene = standInModel();
    const model = await scene.load();
    scene.engine.fault = fault;
    scene.engine.says = Array.from({ length: 50 }, (_, i) => `w${i}`).join(' ');
    const stop = new AbortController();
    let got = 0;
    let text = '';
    const told: Usage[] = [];
    for await (const piece of model.generate(request({ onUsage: (one) => told.push(one) }), stop.signal)) {
      text += piece;
      got += 1;
      if (got === pieces) stop.abort();
    }
    return { ...scene, model, text, usage: told[0] };
  };

  test('ends the reply, keeps what came, and leaves the model ready for the next', async () => {
    const { model, text, usage, engine } = await stopAfter(null, 2);
    expect(text).toMatch(/^w0/);
    expect(usage).toMatchObject({ prefilled: 3 });
    engine.says = 'fresh';
    // A reply that was cut off is not in the cache as it appears.
    const next = await replyOf(model, request({ messages: [user('a'), assistant(text), user('b')] }));
    expect(next).toMatchObject({ text: 'fresh', usage: { reused: 0 } });
  });

  test('before the first word is not forgotten, as the library would', async () => {
    const { load, engine } = standInModel();
    const model = await load();
    const stop = new AbortController();
    const reply = replyOf(model, request(), stop.signal);
    stop.abort();
    expect(await reply).toMatchObject({ text: '', failure: null });
    expect(await model.count(['x'])).toEqual([1]);
    expect((await replyOf(model)).text).toBe('one two three four five');
    expect(engine.requests.length).toBeLessThanOrEqual(2);
  });

  test('an engine that does not heed it is left, and goes on with the next', async () => {
    const { model, engine, lost } = await stopAfter('never heeds an interrupt', 2);
    engine.fault = null;
    engine.says = 'fresh';
    expect((await replyOf(model)).text).toBe('fresh');
    expect(engine.interrupts).toBeGreaterThan(1);
    expect(lost).toEqual([]);
  });

  test('an engine that hangs is ended with its worker', async () => {
    const { load, engine, lost, pair } = standInModel();
    const model = await load();
    engine.fault = 'hangs in the middle';
    const stop = new AbortController();
    const pieces = model.generate(request(), stop.signal)[Symbol.asyncIterator]();
    expect((await pieces.next()).value).toMatch(/^one/);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const rest = pieces.next();
    stop.abort();
    await vi.advanceTimersByTimeAsync(20_000);
    await rest;
    await pieces.next();
    expect(pair.state.terminated).toBe(true);
    expect(lost).toMatchObject([{ kind: 'worker-died' }]);
  });
});

describe('when things go wrong in the middle of a reply', () => {
  test.each([
    ['throws in the middle', 'unknown', false],
    ['traps in the middle', 'worker-died', true],
    ['runs out of memory in the middle', 'out-of-memory', true],
    ['loses its device in the middle', 'device-lost', true],
    ['waits for ever when its device is lost', 'device-lost', true],
  ] as const)('an engine that %s: what came is kept, and it is said', async (fault, kind, isLost) => {
    const { load, engine, lost, pair } = standInModel();
    const model = await load();
    engine.fault = fault;
    expect(await replyOf(model)).toMatchObject({ text: 'one two', failure: { kind } });
    expect(lost).toMatchObject(isLost ? [{ kind }] : []);
    expect(pair.state.terminated).toBe(isLost);
    engine.fault = null;
    const next = await replyOf(model);
    if (isLost) expect(next).toMatchObject({ text: '', failure: { kind } });
    else expect(next).toMatchObject({ text: 'one two three four five', usage: { reused: 0 } });
  });

  test('a killed worker fails the reply with what came, and a new load works', async () => {
    const dead = standInModel();
    const model = await dead.load();
    dead.engine.fault = 'hangs in the middle';
    const pieces = model.generate(request(), new AbortController().signal)[Symbol.asyncIterator]();
    expect((await pieces.next()).value).toMatch(/^one/);
    dead.pair.crash('killed');
    await expect(async () => {
      for (;;) if ((await pieces.next()).done) break;
    }).rejects.toMatchObject({ kind: 'worker-died' });
    expect(dead.lost).toMatchObject([{ kind: 'worker-died' }]);
    expect((await replyOf(await standInModel().load())).text).toBe('one two three four five');
  });

  test('a conversation that is too long is told, and the model stays', async () => {
    const { load, engine, lost } = standInModel();
    const model = await load();
    engine.fault = 'throws at once';
    expect(await replyOf(model)).toMatchObject({ text: '', failure: { kind: 'too-long' } });
    engine.fault = null;
    expect((await replyOf(model)).failure).toBeNull();
    expect(lost).toEqual([]);
  });

  test('an engine that says nothing, or does not tell what it used, is no failure here', async () => {
    const { load, engine } = standInModel();
    const model = await load();
    engine.fault = 'says nothing';
    expect(await replyOf(model)).toMatchObject({ text: '', failure: null });
    engine.fault = 'tells no usage';
    expect((await replyOf(model)).usage).toEqual({ prefilled: null, reused: null, generated: 6 });
  });

  test('one that was put away rejects what is under way', async () => {
    const { load, engine } = standInModel();
    const model = await load();
    engine.fault = 'hangs in the middle';
    const reply = replyOf(model);
    await expect.poll(() => engine.requests).toHaveLength(1);
    model.close();
    expect(await reply).toMatchObject({ failure: { kind: 'closed' } });
  });
});

describe('loading', () => {
  test.each([
    ['throws at once', 'corrupt'],
    ['runs out of memory in the middle', 'out-of-memory'],
    ['loses its device in the middle', 'device-lost'],
    ['waits for ever when its device is lost', 'device-lost'],
  ] as const)('an engine that %s fails the load, and its worker ends', async (fault, kind) => {
    const { load, engine, pair, lost } = standInModel();
    engine.fault = fault;
    await expect(load()).rejects.toMatchObject({ kind });
    expect(pair.state.terminated).toBe(true);
    expect(lost).toEqual([]);
  });

  test('that is cancelled ends at once, whatever the engine does', async () => {
    const { load, engine, pair } = standInModel();
    engine.fault = 'hangs in the middle';
    const cancel = new AbortController();
    const loading = load({ signal: cancel.signal });
    cancel.abort(new Error('changed my mind'));
    await expect(loading).rejects.toThrow('changed my mind');
    expect(pair.state.terminated).toBe(true);
  });

  test('a device that is lost while nobody asks is told', async () => {
    const { load, engine, lost, pair } = standInModel();
    const model = await load();
    engine.loseDevice();
    await expect.poll(() => lost).toMatchObject([{ kind: 'device-lost' }]);
    expect(pair.state.terminated).toBe(true);
    await expect(model.count(['x'])).rejects.toMatchObject({ kind: 'device-lost' });
  });
});
