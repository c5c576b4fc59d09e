import { expect, test } from 'vitest';
import { fold } from '../../domain/apply.ts';
import { GIVEN } from '../../domain/forest.ts';
import { Life } from '../../domain/testing/random-life.ts';
import { staticForestOf } from './static-forest-of.tsx';

/** How replies are shown. */
const shown = async (...replies: readonly string[]): Promise<string[]> => {
  const life = new Life();
  for (const text of replies) {
    const nodeId = life.say(null, 'Quote me');
    const replyId = life.id();
    const of = { nodeId, replyId };
    life.do({ type: 'record', step: null, event: { type: 'reply-started', ...of, model: 'm', context: null } });
    life.do({ type: 'record', step: null, event: { type: 'reply-received', ...of, text } });
  }
  const { turns } = await staticForestOf('Quotes', fold(life.entries), life.entries, async () => undefined);
  return turns.map(({ reply }) => reply);
};

test('a reply that Markdown cannot draw is shown as it was written, among the others', async () => {
  const [before, quotes, after] = await shown('*Before.*', `${'> '.repeat(20_000)}x`, '*After.*');
  expect([before, after]).toEqual(['<p><em>Before.</em></p>', '<p><em>After.</em></p>']);
  expect(quotes).toMatch(/^<p style="white-space:pre-wrap">&gt; &gt; /);
});

test('files that were made with a reply are told from those sent with the message', async () => {
  const life = new Life();
  const file = { id: null, mediaType: 'image/png', size: 1 };
  const attachments = [
    { ...file, name: 'sent.png' },
    { ...file, name: 'made.png', made: true as const },
  ];
  const nodeId = life.say(null, 'Draw it');
  const replyId = life.id();
  life.do({ type: 'record', step: null, event: { type: 'reply-started', nodeId, replyId, model: 'm', context: null } });
  life.do({ type: 'record', step: null, event: { type: 'reply-received', nodeId, replyId, text: 'Here.' } });
  const entries = life.entries.map((entry) =>
    entry.event.type === 'message-sent' ? { ...entry, event: { ...entry.event, attachments } } : entry,
  );
  const { turns } = await staticForestOf('Drawn', fold(entries), entries, async () => undefined);
  expect(turns).toMatchObject([{ files: ['sent.png'], made: ['made.png'] }]);
});

test('the context of an imported reply, or one that a what-if built, was not sent', async () => {
  const life = new Life();
  const context = { policy: 'focused', segments: [], tokens: 4, fullHistoryTokens: 4, unit: 'm' };
  const replies = [{ model: 'm' }, { model: GIVEN }, { model: 'm', simulated: true as const }];
  for (const { model, ...more } of replies) {
    const of = { nodeId: life.say(null), replyId: life.id(), model, context: { ...context, ...more } };
    life.do({ type: 'record', step: null, event: { type: 'reply-started', ...of } });
  }
  const { turns } = await staticForestOf('Sent', fold(life.entries), life.entries, async () => undefined);
  expect(turns.map(({ tokens, sent }) => [tokens, sent])).toEqual([
    [4, true],
    [4, false],
    [4, false],
  ]);
});

test('a link leads to a web page or an e-mail address, or is only text', async () => {
  const [links] = await shown('[a](?b=c) [d](irc://e.org) [f](#turn-1) [g](https://h.org)');
  expect(links).toBe(
    '<p><span>a</span> <span>d</span> <span>f</span> <a href="https://h.org" rel="noreferrer noopener" target="_blank">g</a></p>',
  );
});

test('a formula stays as it was written', async () => {
  const [formulas] = await shown('\\(\\{1, 2\\}\\) and $a*b*c$');
  expect(formulas?.replaceAll(' style="white-space:pre-wrap"', '')).toBe(
    '<p><code>\\(\\{1, 2\\}\\)</code> and <code>$a*b*c$</code></p>',
  );
});
