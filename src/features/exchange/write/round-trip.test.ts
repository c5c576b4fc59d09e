import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fold } from '../../../domain/apply.ts';
import type { Entry } from '../../../domain/entry.ts';
import type { Forest } from '../../../domain/forest.ts';
import { childrenOf, conversationTitle, nodeOf, treesOf } from '../../../domain/queries.ts';
import { defaultReplySettings, spokenOf } from '../../../domain/reply.ts';
import { recordsOf } from '../../../domain/table.ts';
import { Life, lives } from '../../../domain/testing/random-life.ts';
import { forestOf, newEntries } from '../read/entries-of.ts';
import { readFiles } from '../read/read-files.ts';
import { chatGptMapping, llamaCppSessions, openWebUiChats } from './chat-tools.ts';
import { hasReplyText, shownReply } from './messages.ts';
import { writtenText } from './testing/written.ts';
import { convoKitUtterances, openAssistantTrees } from './thread-corpora.ts';
import type { Writer } from './writer.ts';

const BEGUN = 1_700_000_000_000;

/**
 * Adds real times, replies with and without thoughts, empty replies, and text that means something in other formats. As from
 * every runtime, what a reply is continued with has no thoughts once the reply has begun.
 */
const dressed = (entries: readonly Entry[]): Entry[] => {
  const begun = new Set<string>();
  return entries.map((entry) => {
    const { event } = entry;
    const at = BEGUN + entry.at * 700;
    if (event.type === 'message-sent')
      return { ...entry, at, event: { ...event, message: `${event.message} <b>&"\n# no` } };
    if (event.type !== 'reply-received') return { ...entry, at };
    const thinks = entry.seq % 3 === 0 && !begun.has(event.replyId);
    const before = thinks ? `<think>\nabout ${entry.seq} & <so>\n\n- on\n</think>\n\n` : '';
    const text = entry.seq % 11 === 0 ? '' : `${before}${event.text} ${entry.seq} {"a": '\\n'}`;
    if (text !== '') begun.add(event.replyId);
    return { ...entry, at, event: { ...event, text } };
  });
};

const forests = fc.tuple(lives, fc.array(fc.nat({ max: 1000 }), { maxLength: 12 })).map(([moves, choices]) => {
  const life = new Life();
  life.say(null, 'the first');
  for (const move of moves) life.live(move);
  // Replies that are continued need not be the newest.
  for (const choice of choices) {
    life.live({ kind: 'reply', pick: choice });
    const nodes = recordsOf(life.forest.nodes);
    const node = nodes[choice % nodes.length];
    const reply = node?.replies[(choice % 7) % node.replies.length];
    if (node === undefined || reply === undefined) continue;
    const event = { type: 'reply-chosen' as const, nodeId: node.id, replyId: reply.id };
    life.do({ type: 'record', step: null, event });
  }
  const entries = dressed(life.entries);
  return { entries, forest: fold(entries) };
});

interface Kept {
  readonly reasoning: boolean;
  readonly models: boolean;
  /** Which of several replies is shown where nothing follows. */
  readonly choices: boolean;
}

/** Everything a message tree says about a topic. Every message is unique, so it identifies its turn. */
const topicShape = (forest: Forest, rootId: string, kept: Kept) => {
  const shape: unknown[] = [];
  const stack = [rootId];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    const node = nodeOf(forest, id);
    const replies = node.replies.filter(hasReplyText);
    shape.push({
      message: node.message,
      parent: node.parentId === null ? null : nodeOf(forest, node.parentId).message,
      replies: replies.map(({ text, model }) => {
        const { answer, reasoning } = spokenOf(text);
        return [answer, kept.reasoning ? reasoning : null, kept.models ? model : null];
      }),
      shown: kept.choices ? replies.indexOf(shownReply(node) as (typeof replies)[number]) : null,
    });
    stack.push(...childrenOf(forest, id).toReversed());
  }
  return shape;
};

const shapeOf = (forest: Forest, kept: Kept = { reasoning: true, models: true, choices: true }) =>
  treesOf(forest)
    .map(({ rootId }) => nodeOf(forest, rootId))
    .sort((a, b) => a.number - b.number)
    .map(({ id }) => topicShape(forest, id, kept));

const activeOf = ({ active, nodes }: Forest) => nodes[active?.nodeId ?? '']?.message;

const readBack = (text: string): { forest: Forest; title: string }[] => {
  const { found, refused } = readFiles([{ name: 'written', text }]);
  expect(refused).toEqual([]);
  return found.map(({ conversation }) => {
    const imported = forestOf(conversation, BEGUN);
    return { forest: fold(newEntries(imported, [])), title: imported.title };
  });
};

test.each<Writer>([llamaCppSessions, openWebUiChats, chatGptMapping])(
  '$name: what is written is read as the same forest',
  async (writer) => {
    await fc.assert(
      fc.asyncProperty(forests, async ({ entries, forest }) => {
        fc.pre(forest.active !== null);
        const text = await writtenText(writer, { id: 'c1', title: 'A talk', entries, forest });
        const [again, ...others] = readBack(text);
        expect(others).toEqual([]);
        expect(shapeOf(again?.forest as Forest)).toEqual(shapeOf(forest));
        expect(activeOf(again?.forest as Forest)).toBe(activeOf(forest));
        expect(again?.title).toBe('A talk');
      }),
    );
  },
  120_000,
);

test.each<{ writer: Writer; name: string; kept: Kept }>([
  { writer: openAssistantTrees, name: 'OpenAssistant', kept: { reasoning: false, models: true, choices: true } },
  { writer: convoKitUtterances, name: 'ConvoKit', kept: { reasoning: false, models: false, choices: false } },
])(
  '$name: each topic is read as the same tree',
  async ({ writer, kept }) => {
    await fc.assert(
      fc.asyncProperty(forests, async ({ entries, forest }) => {
        fc.pre(forest.active !== null);
        // As far as ConvoKit's format can tell, messages without any reply are a thread between several people.
        fc.pre(
          writer !== convoKitUtterances || shapeOf(forest).every((topic) => JSON.stringify(topic).includes('answered')),
        );
        const read = readBack(await writtenText(writer, { id: 'c1', title: 'A talk', entries, forest }));
        const shapes = read.flatMap(({ forest: again }) => shapeOf(again, kept));
        expect(new Set(shapes.map((shape) => JSON.stringify(shape)))).toEqual(
          new Set(shapeOf(forest, kept).map((shape) => JSON.stringify(shape))),
        );
      }),
    );
  },
  120_000,
);

test('instructions come back as those of the reply settings', async () => {
  const life = new Life();
  life.say(null, 'Hello');
  const settings = { ...defaultReplySettings, systemPrompt: 'Be brief.' };
  life.do({ type: 'record', step: null, event: { type: 'reply-settings-set', settings } });
  const entries = dressed(life.entries);
  for (const writer of [llamaCppSessions, openWebUiChats, chatGptMapping]) {
    const text = await writtenText(writer, { id: 'c1', title: 'A talk', entries, forest: fold(entries) });
    expect(readBack(text).map(({ forest }) => forest.replySettings)).toEqual([settings]);
  }
});

test('several conversations in a file are read as several, each with its title', async () => {
  const conversation = (name: string) => {
    const life = new Life();
    life.say(life.say(null, `${name} began`), `${name} went on`);
    return { id: name, title: name, entries: dressed(life.entries), forest: fold(dressed(life.entries)) };
  };
  for (const writer of [llamaCppSessions, openWebUiChats, chatGptMapping]) {
    const text = await writtenText(writer, conversation('hazel'), conversation('willow'));
    expect(
      readBack(text).map(({ title, forest }) => [title, conversationTitle(forest), shapeOf(forest).length]),
    ).toEqual([
      ['hazel', 'hazel', 1],
      ['willow', 'willow', 1],
    ]);
  }
});

test('Open WebUI gets whole seconds: its import refuses any other time', async () => {
  const life = new Life();
  life.say(life.say(null, 'Hello'), 'And then?');
  life.live({ kind: 'reply', pick: 0 });
  const entries = dressed(life.entries);
  expect(entries.some(({ at }) => at % 1000 !== 0)).toBe(true);
  const text = await writtenText(openWebUiChats, { id: 'c1', title: 'A talk', entries, forest: fold(entries) });
  const times = [...text.matchAll(/"(?:created_at|updated_at|timestamp)":([\d.]+)/g)].map(([, time]) => Number(time));
  expect(times.length).toBeGreaterThan(5);
  expect(times.filter((time) => !Number.isInteger(time))).toEqual([]);
});
