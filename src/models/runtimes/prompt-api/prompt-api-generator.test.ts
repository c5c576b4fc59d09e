import { afterEach, describe, expect, test } from 'vitest';
import type { ChatMessage } from '../../../domain/context.ts';
import type { Usage } from '../../../domain/reply.ts';
import { CHOICE_SCHEMA } from '../../prompted/choice.ts';
import { answered, question } from '../server/testing/asking.ts';
import { control, done, loaded, removeStandIn } from './testing/loaded-stand-in.ts';

afterEach(removeStandIn);

const user = (content: string): ChatMessage => ({ role: 'user', content });
const assistant = (content: string): ChatMessage => ({ role: 'assistant', content });
const SYSTEM: ChatMessage = { role: 'system', content: 'Be brief.' };

describe('an answer', () => {
  test('streams, and tells its cost', async () => {
    const { generator } = await loaded();
    const usages: Usage[] = [];
    const request = question({ messages: [SYSTEM, user('Hello there')], onUsage: (usage) => usages.push(usage) });
    expect(await answered(generator, request)).toEqual({ text: 'You said: Hello there', error: null });
    expect(usages).toEqual([{ prefilled: 4, reused: 0, generated: 4 }]);
  });

  test('in a form', async () => {
    const { generator } = await loaded();
    const { text } = await answered(generator, question({ schema: CHOICE_SCHEMA }));
    expect(JSON.parse(text)).toEqual({ action: 'continue', target: 0 });
  });

  test('goes on with what it has begun', async () => {
    const { generator } = await loaded({ answers: [{ asked: 'tram', text: 'The tram is yellow.' }] });
    const request = question({ messages: [user('Which tram?')], begun: 'The tram' });
    expect(await answered(generator, request)).toEqual({ text: ' is yellow.', error: null });
  });

  test('ends where it is allowed no more', async () => {
    const { generator } = await loaded({ answers: [{ asked: '', text: 'word '.repeat(300) }] });
    const { text, error } = await answered(generator, question({ maxTokens: 10 }));
    expect(error).toBeNull();
    expect(text.split(' ').length).toBeLessThan(12);
    // The next request does not have to wait for the rest of it.
    expect((await answered(generator, question({ maxTokens: 10 }))).error).toBeNull();
  });

  test('is drawn as was wished only where the browser lets a page wish', async () => {
    const free = await loaded({ sampling: true });
    await answered(free.generator, question({ temperature: 0.4 }));
    expect(done('prompt')[0]?.temperature).toBe(0.4);
    const bound = await loaded();
    await answered(bound.generator, question({ temperature: 0.4 }));
    expect(done('prompt')[0]?.temperature).toBeUndefined();
  });

  test('stopping ends it without an error; so does leaving, and the next is answered', async () => {
    const { generator } = await loaded({ answers: [{ asked: 'long', text: 'word '.repeat(300) }], pieceDelay: 1 });
    const long = question({ messages: [user('a long one')] });
    const controller = new AbortController();
    let text = '';
    for await (const piece of generator.generate(long, controller.signal)) {
      text += piece;
      if (text.length > 20) controller.abort();
    }
    expect(text.length).toBeLessThan(200);
    for await (const _ of generator.generate(long, new AbortController().signal)) break;
    expect((await answered(generator)).text).toBe('You said: Hello there');
  });

  test('several at once are answered one after the other; one that is called off while it waits takes no turn', async () => {
    const { generator } = await loaded({ pieceDelay: 1 });
    const waiting = new AbortController();
    const asked = [
      answered(generator, question({ messages: [user('one')] })),
      answered(generator, question({ messages: [user('two')] }), waiting.signal),
      answered(generator, question({ messages: [user('three')] })),
    ];
    waiting.abort();
    expect((await Promise.all(asked)).map(({ text, error }) => error ?? text)).toEqual([
      'You said: one',
      '',
      'You said: three',
    ]);
    expect(done('prompt').map((call) => call.with)).toEqual([['user: one'], ['user: three']]);
  });
});

describe('what was read before is not read again', () => {
  const path = [SYSTEM, user('one'), assistant('first'), user('two'), assistant('second')];

  test('a conversation that goes on appends its last turn; a fork and another reply start where the branch was', async () => {
    const { generator } = await loaded();
    const usages: Usage[] = [];
    const ask = (messages: ChatMessage[]) =>
      answered(generator, question({ messages, onUsage: (usage) => usages.push(usage) }));
    await ask([SYSTEM, user('one')]);
    await ask([...path.slice(0, 3), user('two')]);
    await ask([...path, user('three')]);
    expect(done('append').map((call) => call.with)).toEqual([
      ['user: one', 'assistant: first'],
      ['user: two', 'assistant: second'],
    ]);
    const read = control().calls.length;
    await ask([...path, user('three')]);
    await ask([...path.slice(0, 3), user('fork')]);
    expect(
      control()
        .calls.slice(read)
        .map(({ did }) => did),
    ).toEqual(['clone', 'prompt', 'destroy', 'clone', 'prompt', 'destroy']);
    // The root session, which measures, and one for the instructions.
    expect(done('create').map((call) => call.with)).toEqual([[], ['system: Be brief.']]);
    expect(usages.map(({ prefilled, reused }) => `${prefilled} of ${(prefilled ?? 0) + (reused ?? 0)}`)).toEqual([
      '3 of 3',
      '3 of 5',
      '3 of 7',
      '1 of 7',
      '1 of 5',
    ]);
  });

  test('what a conversation of other instructions has read is not used', async () => {
    const { generator } = await loaded();
    await answered(generator, question({ messages: [SYSTEM, user('one')] }));
    await answered(generator, question({ messages: [{ ...SYSTEM, content: 'Be long.' }, user('one')] }));
    await answered(generator, question({ messages: [user('one')] }));
    expect(done('create')).toHaveLength(4);
  });

  test('few sessions are kept, whatever was asked, and none when it is closed', async () => {
    const { generator } = await loaded();
    for (let i = 0; i < 20; i++) {
      await answered(generator, question({ messages: [{ ...SYSTEM, content: `Instructions ${i}` }, user('one')] }));
    }
    const open = () => done('create').length + done('clone').length - done('destroy').length;
    expect(open()).toBeLessThan(9);
    generator.close();
    expect(open()).toBe(0);
  });
});
