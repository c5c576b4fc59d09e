import { expect, test } from 'vitest';
import type { ChatMessage } from '../../../domain/context.ts';
import { escapedForTemplate } from './served-engine.ts';
import { CHATML, LibraryConversation, PLAIN } from './testing/stand-in-engine.ts';

const TRICKY = "$$x^2$$ costs $& or $1, $' and $`";
const TALK: readonly ChatMessage[] = [
  { role: 'system', content: `System ${TRICKY}` },
  { role: 'user', content: `User ${TRICKY}` },
  { role: 'assistant', content: `Assistant ${TRICKY}` },
  { role: 'user', content: `Again ${TRICKY}` },
];

test.each([
  ['with a template for each role', CHATML],
  ['without', PLAIN],
])('what the model reads is what was written, %s', (_, template) => {
  const read = new LibraryConversation(template).ask(
    TALK.map((message) => escapedForTemplate(message, template, false)),
  );
  for (const { content } of TALK) expect(read).toContain(content);
});

test('the library still needs it: without, two dollars become one', () => {
  expect(new LibraryConversation(CHATML).ask(TALK)).not.toContain('$$x^2$$');
});

test('messages of a model with a package are put together in another way', () => {
  expect(escapedForTemplate({ role: 'user', content: '$$' }, CHATML, true).content).toBe('$$');
  expect(escapedForTemplate({ role: 'system', content: '$$' }, CHATML, true).content).toBe('$$$$');
});
