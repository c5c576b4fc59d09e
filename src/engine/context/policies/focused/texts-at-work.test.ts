import { describe, expect, test } from 'vitest';
import type { Node } from '../../../../domain/forest.ts';
import type { ChatModel } from '../../../ports.ts';
import { bareHost, contextOf, segmentsOf } from '../../../testing/bare-host.ts';
import { countingChat } from '../../../testing/plain-models.ts';
import { passagesOf } from '../../../text/sentences.ts';
import { TokenCache } from '../../../text/token-cache.ts';
import { wordCount } from '../../../text/words.ts';
import { contextMessages } from '../../context-text.ts';
import { focused } from './focused.ts';
import { lastingNeeds, withLasting } from './lasting-instructions.ts';
import { chatter, reasons, talk } from './testing/talk.ts';
import { digestOf, fetchedForms, pathForms } from './turn-forms.ts';

const code = (body: string): string =>
  `Here:\n\n\`\`\`py\ndef total(rows):\n    out = 0\n    for row in rows:\n        ${body}\n    return out\n\`\`\``;

test('of several versions of a code the newest counts, and what merely follows is none', async () => {
  const { path } = await talk(
    ['write a sum', code('out += row')],
    ['and skip empty rows', code('out += row or 0')],
    ['what is a list', chatter('lists')],
  );
  expect(reasons(path, 'now with floats')).toEqual([['reply older-version'], ['reply newest-version'], []]);
});

test('what was asked to hold is needed though the code it came with has a newer version', async () => {
  const { path } = await talk(
    [`From now on use tabs.\n${code('out += row')}`, code('out += row or 0')],
    ['thanks', 'Sure.'],
  );
  const lasting = lastingNeeds(path, 'now with floats');
  expect(reasons(path, 'now with floats')[0]).toEqual([
    'message constraint',
    'message older-version',
    'reply newest-version',
  ]);
  const needs = withLasting({ of: () => ({ message: 0.9, reply: 0.9, why: [] }), ids: new Set() }, lasting);
  expect(needs.of(path[0]?.id ?? '')).toMatchObject({ message: 0.5, reply: 0.9 });
});

test('of two drafts of a text the second is the newest version', async () => {
  const draft = (end: string) => `Dear Ms Ortega, ${chatter('the boiler')} ${end}`;
  const { path } = await talk(['draft it', draft('Yours, Ann')], ['firmer please', draft('I expect an answer. Ann')]);
  expect(reasons(path, 'shorter')).toEqual([['reply older-version'], ['reply newest-version']]);
});

test('a part of a text, such as a fixed function or a quoted paragraph, does not replace the whole', async () => {
  const lines = Array.from({ length: 60 }, (_, i) => `out += rows[${i}].price * rows[${i}].count`);
  const file = code(lines.join('\n        '));
  const { path } = await talk(
    ['write it', file],
    ['fix the sum', code('out += rows[7].price * rows[7].count\n        out += rows[8].price * rows[8].count')],
    ['write an essay on metals', `${chatter('copper')} ${chatter('bronze')}`],
    [`make this livelier: ${chatter('copper').slice(0, 330)}`, 'Done.'],
  );
  expect(reasons(path, 'now the whole file with the fix').flat()).toEqual([
    'reply newest-version',
    'reply newest-version',
    'reply newest-version',
    'message newest-version',
  ]);
});

test('a long text that the user gave is being worked on, until another version of it replaces it', async () => {
  const letter = `${chatter('boiler')} ${chatter('rent')}`;
  const given = [`what do you make of this: ${letter}`, 'It is fine.'] as const;
  const { path } = await talk(given, ['why', 'It is polite.']);
  expect(reasons(path, 'and then')).toEqual([['message newest-version'], []]);
  const { path: edited } = await talk(given, ['why', 'It is polite.'], [`${letter} Yours, Ann`, 'Good.']);
  expect(reasons(edited, 'and then')).toEqual([['message older-version'], [], ['message newest-version']]);
  const { path: short } = await talk([chatter('boiler'), 'It is fine.'], ['why', 'It is polite.']);
  expect(reasons(short, 'and then').flat()).toEqual([]);
  const later = Array.from({ length: 40 }, (_, i) => [`why ${i}`, 'So.'] as const);
  const { path: long } = await talk(given, ...later);
  expect(reasons(long.slice(0, -1), 'and then').flat()).toEqual(['message newest-version']);
  expect(reasons(long, 'and then').flat()).toEqual([]);
  const { path: other } = await talk(given, ...later.slice(0, 12), [chatter('rent').repeat(3), 'Fine.']);
  expect(reasons(other, 'and then').flat()).toEqual(['message newest-version']);
});

test('a reply made much shorter, or quoted from all over, is not sent whole any more, but needed as others are', async () => {
  const sentences = Array.from(
    { length: 30 },
    (_, i) => `Step ${i} takes the boat from pier${i} over to bank${i} by noon.`,
  );
  const asked = async (next: readonly string[]) => {
    const { path } = await talk(['tell me the way', sentences.join(' ')], ['go on', next.join(' ')]);
    return reasons(path, 'thanks')[0];
  };
  expect(await asked(sentences.filter((_, i) => i % 3 === 0))).toEqual([]);
  const quotes = sentences.filter((_, i) => i % 3 === 0).map((one) => `> ${one}\nWeak, since it says too little.`);
  expect(await asked(quotes)).toEqual([]);
  expect(await asked(sentences.slice(20))).toEqual(['reply newest-version']);
});

test('of several long texts that the user gave only the newest is sent whole', async () => {
  const entry = (day: string): string =>
    Array.from({ length: 60 }, (_, i) => `${day}${i} went to ${day}street${i}.`).join(' ');
  const days = ['zinc', 'lead', 'iron', 'gold'];
  const { path } = await talk(...days.map((day): [string, string] => [entry(day), entry(`reply${day}`)]));
  const lasting = lastingNeeds(path, 'what do you think');
  const given = path.map(({ id }) => lasting.get(id)?.find(({ part }) => part === 'message'));
  expect(given.map((one) => one?.isWhole)).toEqual([false, false, false, true]);
  expect(given.map((one) => one?.reason)).toEqual(days.map(() => 'newest-version'));
});

test('two versions of a message are no parts of one thing, and short parts of one are not sent whole', async () => {
  const letter = chatter('the boiler');
  const { path } = await talk([letter, 'Looks good!'], [`I changed it: ${letter} Yours, Ann`, 'Yes.']);
  expect(reasons(path, 'translate it')).toEqual([['message older-version'], ['message newest-version']]);
  const { path: parts } = await talk([chatter('first part'), 'Go on.'], [chatter('second part'), 'Thanks.']);
  const lasting = lastingNeeds(parts, 'sum it up');
  expect(parts.flatMap(({ id }) => lasting.get(id)?.map(({ isWhole }) => isWhole) ?? [])).toEqual([false, false]);
});

test('long messages in a row that were only acknowledged are one thing', async () => {
  const { path } = await talk(
    [chatter('first part'), 'Go on.'],
    [chatter('second part'), 'Go on.'],
    [chatter('third part'), 'Thanks, I have read it all.'],
  );
  expect(reasons(path, 'what is the main point').flat()).toEqual(Array(3).fill('message pasted-in-parts'));
});

test('parts that a reply has rewritten since give way to it', async () => {
  const parts = [chatter('copper'), chatter('bronze')] as const;
  const { path } = await talk([parts[0], 'Go on.'], [parts[1], 'Thanks.'], ['correct all of it', parts.join(' ')]);
  expect(reasons(path, 'and the tone?')).toEqual([
    ['message older-version'],
    ['message older-version'],
    ['reply newest-version'],
  ]);
});

test('of a long reply a few passages are offered where some were found, else its digest', async () => {
  const reply = Array.from({ length: 100 }, (_, i) => `Ore ${i} of the mine in valley${i} holds metal${i} here.`).join(
    ' ',
  );
  const { host, path } = await talk(['tell me of metals', reply]);
  const [node] = path as [Node];
  const need = { message: 0.1, reply: 0.1, why: [] };
  const passages = passagesOf(reply).map((span) => ({ ...span, part: 'reply' as const, score: 0 }));
  const none = { nodeId: node.id, score: 0.2, lexical: 0, vector: null, rareShared: [], passages };
  const hit = { ...none, passages: passages.map((one, i) => ({ ...one, score: i === 3 ? 0.5 : 0 })) };
  const sizes = async (found: typeof none | undefined) => {
    const tokens = new TokenCache(countingChat().tokens);
    const forms = [
      await pathForms({ node, need, found }, tokens),
      await fetchedForms(host.life.forest, { node, need, found }, { message: true, reply: false }, false, tokens),
    ];
    return forms.map((some) =>
      some.flatMap(({ segment }) => ('reply' in segment && segment.reply ? [segment.reply] : [])),
    );
  };
  for (const found of [undefined, none]) {
    const [there = [], elsewhere = []] = await sizes(found);
    expect(there).toContain(digestOf(reply, 0.2)?.text);
    expect(Math.min(...elsewhere.map(wordCount))).toBeGreaterThan(0.25 * wordCount(reply));
  }
  for (const some of await sizes(hit)) {
    expect(wordCount(some[0] ?? '')).toBeLessThan(200);
    expect(some[0]).toContain(reply.slice(passages[3]?.from, passages[3]?.to).trim());
  }
});

test('a path that is cut back keeps the newest version whole, what was asked to hold, and the list that is pointed at', async () => {
  const list = `Ideas:\n1. a kite for the beach\n2. a boat of paper\n3. a drum of tin`;
  const { host } = await talk(
    ['always answer in short sentences', 'Fine.'],
    ['write a sum', code('out += row')],
    ['skip empty rows', code('out += row or 0')],
    ['some ideas for a present', list],
    ['what is zinc', chatter('zinc')],
    ['what is lead', chatter('lead')],
    ['what is iron', chatter('iron')],
    ['what is gold', chatter('gold')],
  );
  const id = await host.send('more on the second one');
  const { forest } = host.life;
  const context = contextOf(forest, id);
  expect(context.tokens).toBeLessThan(context.fullHistoryTokens);
  const sent = contextMessages(forest, context)
    .map(({ content }) => content)
    .join('\n');
  expect(sent).toContain('always answer in short sentences');
  expect(sent).toContain('out += row or 0');
  expect(sent).not.toContain('out += row\n');
  expect(sent).toContain('2. a boat of paper');
  const why = [...segmentsOf(context, 'shortened'), ...segmentsOf(context, 'turn'), ...segmentsOf(context, 'fetched')];
  expect(why.flatMap((one) => one.why?.map(({ reason }) => reason) ?? [])).toEqual(
    expect.arrayContaining(['newest-version', 'pointed-at']),
  );
});

type Said = readonly (readonly [message: string, reply: string])[];

/** What is sent for a message at the end of a conversation. `anew`: another model counts, so that nothing is carried over. */
const sentAfter = async (said: Said, message: string, { window = 16_384, anew = false } = {}) => {
  const counting = countingChat(window);
  const chat: ChatModel = {
    ...counting,
    async *reply(request) {
      counting.requests.push(request);
      yield said[counting.requests.length - 1]?.[1] ?? 'Yes.';
    },
  };
  const settings = { policy: focused, parameters: { replyReserve: 10 } };
  const host = bareHost({ chat }, settings);
  for (const [one] of said) await host.send(one);
  const other = { ...chat, tokens: { ...chat.tokens, name: 'other words' } };
  const last = anew ? bareHost({ chat: other }, settings, host.life) : host;
  const id = await last.send(message);
  const { forest } = host.life;
  return contextMessages(forest, contextOf(forest, id))
    .map(({ content }) => content)
    .join('\n');
};

const GOING_ON = [
  ['goes on', false],
  ['is composed anew', true],
] as const;

describe.each(GOING_ON)('in a context that %s', (_, anew) => {
  test('a newest version that is sent whole takes no room from the rest of the path, least of all from what was asked to hold', async () => {
    const lines = Array.from({ length: 150 }, (_, i) => `lock_${i} = open_lock(path_${i}, timeout=${i}, mode=${i})`);
    const script = code(lines.join('\n        '));
    const said: Said = [
      ['From now on write comments in German, I am on Python 3.8', 'OK.'],
      ['write a script that locks the files', script],
      ['what does the lock do?', 'It keeps two runs apart.'],
      ['how long does a run take?', 'About a minute.'],
    ];
    const text = await sentAfter(said, 'now add retries', { anew });
    for (const one of said.flat()) expect(text).toContain(one);
  });

  const article = (from: number, sentences: number): string =>
    Array.from(
      { length: sentences },
      (_, i) => `Line ${from + i} tells of the fate of item${from + i} in ${from + i} AD.`,
    ).join(' ');

  test('a long text that was given is there for every question about it', async () => {
    const said: Said = [
      [`Summarise this:\n\n${article(1000, 250)}`, 'It tells of many items.'],
      ['does it end well?', 'Not really.'],
    ];
    const asked = 'and what was the fate of item1157?';
    expect(await sentAfter(said, asked, { anew })).toContain(article(1000, 250));
    const narrow = await sentAfter(said, asked, { anew, window: 4096 });
    expect(narrow).toContain('the fate of item1157 in 1157 AD');
    expect(narrow).toMatch(/\[… [\d,]+ words left out …\]/);
  });

  test('of a long text that has no room as a whole, as much is sent as half of the window holds', async () => {
    const said: Said = [
      [`Summarise this:\n\n${article(1000, 200)}`, 'It tells of many items.'],
      ['does it end well?', 'Not really.'],
    ];
    const text = await sentAfter(said, 'now shorter', { anew, window: 4096 });
    expect(text).not.toContain(article(1000, 200));
    expect(text.split(' tells of the fate of ').length).toBeGreaterThan(100);
  });

  test('a long text that is just too long for half of the window is sent for the most part', async () => {
    const said: Said = [
      [`Summarise this:\n\n${article(1000, 150)}`, 'It tells of many items.'],
      ['does it end well?', 'Not really.'],
    ];
    const text = await sentAfter(said, 'now shorter', { anew, window: 2900 });
    expect(text.split(' tells of the fate of ').length).toBeGreaterThan(80);
  });

  test('a long text that is there in passages is not fetched again for messages that are about something else', async () => {
    const said: Said = [
      [`Summarise this:\n\n${article(1000, 250)}`, 'It tells of many items.'],
      ...['rain', 'snow', 'hail', 'wind'].map((word) => [`why is there ${word}`, 'Who knows.'] as const),
    ];
    const text = await sentAfter(said, 'why is there fog', { anew, window: 4096 });
    expect(text.split('Line 1000 tells').length).toBe(2);
  });

  test('the parts of one thing pasted in a row are all there for what is asked about them', async () => {
    const parts = [1000, 2000, 3000].map((from) => article(from, 110));
    const said: Said = parts.map((part) => [part, 'Got it.']);
    const text = await sentAfter(said, 'summarise all three parts', { anew });
    for (const part of parts) expect(text).toContain(part);
  });
});
