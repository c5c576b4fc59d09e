import { expect, test } from 'vitest';
import { GIVEN, RECALL } from '../../../domain/forest.ts';
import { Life } from '../../../domain/testing/random-life.ts';
import { readOwnConversations } from './own-conversations.ts';

test('a reply is given as it answered, with the model it is by', () => {
  const life = new Life();
  const first = life.say(null);
  const quoted = life.choose(first, first);
  const unanswered = life.say(quoted);
  const reply = (nodeId: string, model: string, text: string) => {
    const replyId = life.id();
    life.do({ type: 'record', step: null, event: { type: 'reply-started', nodeId, replyId, model, context: null } });
    life.do({ type: 'record', step: null, event: { type: 'reply-received', nodeId, replyId, text } });
  };
  reply(first, GIVEN, '<think>Well.</think>It is an oak.');
  reply(quoted, RECALL, 'You asked: “An oak?”');
  const head = { coppice: 'conversation', title: 'Trees', entries: life.entries.length };
  const [dialogue] = readOwnConversations([head, ...life.entries].map((line) => JSON.stringify(line)).join('\n'), 'a');
  const turns = dialogue?.turns.map(({ message, reply: text, replyBy }) => [message, text, replyBy]);
  expect(turns).toEqual([
    [`said-${first}`, 'It is an oak.', GIVEN],
    [`said-${quoted}`, 'You asked: “An oak?”', RECALL],
    [`said-${unanswered}`, null, undefined],
  ]);
});
