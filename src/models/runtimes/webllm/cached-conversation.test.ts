import { describe, expect, test } from 'vitest';
import type { ChatMessage } from '../../../domain/context.ts';
import { CachedConversation, type CompletionEnd, escapedForTemplate, NO_THOUGHTS } from './served-engine.ts';
import { CHATML, LibraryConversation } from './testing/stand-in-engine.ts';

const user = (content: string): ChatMessage => ({ role: 'user', content });
const assistant = (content: string): ChatMessage => ({ role: 'assistant', content });
const SYSTEM: ChatMessage = { role: 'system', content: 'Be kind.' };

/** Both sides of one chat: what `CachedConversation` believes of the cache, and what the library's own code does. */
const chat = () => {
  const ours = new CachedConversation((message) => escapedForTemplate(message, CHATML, false));
  const theirs = new LibraryConversation(CHATML);
  /** Returns how many tokens `ours` says were reused, and whether the library continued from its cache. */
  const turn = (
    messages: readonly ChatMessage[],
    reply: string,
    { reason = 'stop', silent = false }: { reason?: CompletionEnd['reason']; silent?: boolean } = {},
  ) => {
    const sent = ours.prepare(messages);
    ours.forget();
    const before = theirs.resets;
    theirs.ask(sent.messages, silent ? NO_THOUGHTS : null);
    const kept = silent ? NO_THOUGHTS + reply : reply;
    theirs.reply(kept, reason === 'tool_calls' || reason === null ? 'stop' : reason);
    ours.ended(messages, sent, { shown: reply, kept }, { reason, promptTokens: 10, completionTokens: 5 });
    return { reused: sent.reused, wentOn: theirs.resets === before };
  };
  return { turn };
};

describe('what the library has in its cache', () => {
  const first = [SYSTEM, user('Hello')];
  const second = [...first, assistant('Hi!'), user('How are you?')];
  const third = [...second, assistant('Fine.'), user('Good.')];

  test('a conversation that continues goes on from it, and the tokens add up', () => {
    const { turn } = chat();
    expect(turn(first, 'Hi!')).toEqual({ reused: 0, wentOn: false });
    expect(turn(second, 'Fine.')).toEqual({ reused: 14, wentOn: true });
    expect(turn(third, 'Bye.')).toEqual({ reused: 28, wentOn: true });
  });

  test.each([
    ['other instructions', [{ ...SYSTEM, content: 'Be rude.' }, ...second.slice(1)]],
    ['another reply in between', [...first, assistant('Hi.'), user('How are you?')]],
    ['another branch', [SYSTEM, user('Goodbye')]],
    ['the same question again', first],
    ['a turn left out', [SYSTEM, user('How are you?')]],
  ])('%s begins anew', (_, messages) => {
    const { turn } = chat();
    turn(first, 'Hi!');
    expect(turn(messages, 'Well.')).toEqual({ reused: 0, wentOn: false });
  });

  test.each(['length', 'abort'] as const)('a reply that ended by %s is not gone on from', (reason) => {
    const { turn } = chat();
    turn(first, 'Hi!', { reason });
    expect(turn(second, 'Fine.')).toEqual({ reused: 0, wentOn: false });
  });

  test('dollars in questions and replies are no obstacle', () => {
    const { turn } = chat();
    const costs = [user('What is $$x$$?')];
    expect(turn(costs, "It is $& or $'.")).toEqual({ reused: 0, wentOn: false });
    expect(turn([...costs, assistant("It is $& or $'."), user('And $1?')], 'No.')).toEqual({
      reused: 14,
      wentOn: true,
    });
  });

  test('a model that does not think goes on although its marks are not in the conversation', () => {
    const { turn } = chat();
    turn(first, 'Hi!', { silent: true });
    expect(turn(second, 'Fine.', { silent: true })).toEqual({ reused: 14, wentOn: true });
    expect(turn(third, 'Bye.')).toEqual({ reused: 28, wentOn: true });
  });
});
