import { expect, test } from 'vitest';
import type { AppState } from '../../app/state.ts';
import { fold } from '../../domain/apply.ts';
import type { Context } from '../../domain/context.ts';
import { type Forest, GIVEN } from '../../domain/forest.ts';
import { Life } from '../../domain/testing/random-life.ts';
import { lastContext, sentWords } from './pills.tsx';

const context = (tokens: number, more: Partial<Context> = {}, sent = true) => ({
  context: { policy: 'focused', segments: [], tokens, fullHistoryTokens: 3980, unit: 'o200k', ...more },
  sent,
});

test('what was sent is told beside what a plain chat would have sent', () => {
  expect(sentWords(context(1240))).toBe(
    'Sent with the last turn: 1,240 of the 3,980 tokens that a plain chat would have sent. Counted by o200k.',
  );
  expect(sentWords(context(1240, { fullHistoryTokens: 41_200, plainChatTokens: 3980 }))).toContain(
    ' would have sent. All turns together have 41,200, more than the model can read. Counted by',
  );
});

test('where more was sent than by a plain chat, it says why', () => {
  expect(sentWords(context(4000))).toContain(
    '4,000 tokens, more than the 3,980 of a plain chat, because summaries and headings also cost tokens.',
  );
});

test('a context that was not sent is not said to have been', () => {
  expect(sentWords(context(1240, {}, false))).toContain(
    'Not sent: the last turn’s context has 1,240 of the 3,980 tokens that a plain chat would have sent.',
  );
  const life = new Life();
  const nodeId = life.say(null);
  const { context: built } = context(1240);
  const reply = (model: string, more: Partial<Context> = {}) => {
    const of = { nodeId, replyId: life.id(), model, context: { ...built, ...more } };
    life.do({ type: 'record', step: null, event: { type: 'reply-started', ...of } });
    return lastContext({ forest: fold(life.entries), past: null } as AppState)?.sent;
  };
  expect([reply('m'), reply(GIVEN), reply('m', { simulated: true })]).toEqual([true, false, false]);
});

test('the path is walked once for each forest, not at every key', () => {
  const life = new Life();
  life.say(life.say(null));
  let read = 0;
  const nodes = new Proxy(life.forest.nodes, {
    get: (table, id) => {
      read += 1;
      return Reflect.get(table, id);
    },
  });
  const forest: Forest = { ...life.forest, nodes };
  const typed = (draft: string) => ({ forest, past: null, session: { draft } }) as AppState;
  expect(lastContext(typed('h'))).toBeNull();
  expect(read).toBe(2);
  expect(lastContext(typed('hi'))).toBeNull();
  expect(read).toBe(2);
  // Another forest, another walk.
  expect(lastContext({ ...typed('hi'), forest: { ...forest } })).toBeNull();
  expect(read).toBe(4);
});
