import { describe, expect, test } from 'vitest';
import type { ChatMessage } from '../../../domain/context.ts';
import { continuationPrompt, escapedForTemplate, NO_THOUGHTS } from './served-engine.ts';
import { CHATML, LibraryConversation, LLAMA_2, PLAIN } from './testing/stand-in-engine.ts';

const TALK: readonly ChatMessage[] = [
  { role: 'user', content: 'What costs $& and $1?' },
  { role: 'assistant', content: 'Nothing.' },
  { role: 'user', content: 'And {assistant_message}?' },
];
const told = { thinks: true, prefix: '' };

describe.each([
  ['ChatML', CHATML],
  ['Llama 2', LLAMA_2],
  ['a plain one', PLAIN],
])('a reply that goes on, in the template of %s', (_, template) => {
  test.each([
    ['the model’s own instructions', TALK],
    ['instructions of ours', [{ role: 'system', content: 'Answer in verse.' }, ...TALK] as ChatMessage[]],
    ['one question', TALK.slice(0, 1)],
  ])('reads as the library would have written it, with %s', (_, messages) => {
    const theirs = new LibraryConversation(template).ask(
      messages.map((one) => escapedForTemplate(one, template, false)),
    );
    expect(continuationPrompt(template, messages, 'It is', told)).toBe(`${theirs}It is`);
  });
});

test('begins after the marks of no thoughts where the model does not think, and after the tokens that come first', () => {
  const messages = TALK.slice(0, 1).map((message) => ({ ...message, content: 'Why?' }));
  const theirs = new LibraryConversation(CHATML).ask(messages, NO_THOUGHTS);
  expect(continuationPrompt(CHATML, messages, 'Because', { thinks: false, prefix: '<s>' })).toBe(`<s>${theirs}Because`);
});
