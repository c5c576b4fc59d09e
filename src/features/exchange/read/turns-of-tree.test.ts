import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mendTree, millisecondsOf } from './mend-tree.ts';
import type { SourceConversation, SourceMessage } from './source.ts';
import { messageWithoutSpeaker, NO_MESSAGE, turnsOf } from './turns-of-tree.ts';

const conversation = (messages: readonly SourceMessage[], currentId: string | null = null): SourceConversation => ({
  source: 'test',
  id: 'c',
  title: null,
  messages,
  currentId,
});

const read = (messages: readonly SourceMessage[], currentId: string | null = null) => {
  const tree = mendTree(conversation(messages, currentId), 1e12);
  return { tree, ...turnsOf(tree) };
};

const user = (id: string, parentId: string | null | undefined, more: Partial<SourceMessage> = {}): SourceMessage => ({
  id,
  parentId,
  by: 'user',
  text: `says ${id}`,
  ...more,
});
const assistant = (
  id: string,
  parentId: string | null | undefined,
  more: Partial<SourceMessage> = {},
): SourceMessage => ({
  id,
  parentId,
  by: 'assistant',
  text: `answers ${id}`,
  ...more,
});

/** Arbitrary links between some messages, valid or not. */
const anyMessages = fc
  .array(
    fc.record({
      parent: fc.option(fc.nat({ max: 15 }), { nil: undefined }),
      root: fc.boolean(),
      by: fc.constantFrom('user', 'assistant', 'aside') as fc.Arbitrary<SourceMessage['by']>,
      isEmpty: fc.nat({ max: 6 }).map((n) => n === 0),
      at: fc.option(fc.nat({ max: 50 }), { nil: null }),
      children: fc.array(fc.nat({ max: 15 }), { maxLength: 3 }),
    }),
    { maxLength: 14 },
  )
  .map((drafts) =>
    drafts.map(
      ({ parent, root, by, isEmpty, at, children }, index): SourceMessage => ({
        id: `m${index}`,
        parentId: root ? null : parent === undefined ? undefined : `m${parent}`,
        childIds: children.map((child) => `m${child}`),
        by,
        text: isEmpty ? '' : `text ${index}`,
        at: at === null ? null : 1_700_000_000 + at,
      }),
    ),
  );

describe('a tree of messages, whatever the file says', () => {
  test('is sound: every parent stands before its child, and times grow', () => {
    fc.assert(
      fc.property(anyMessages, (messages) => {
        const { tree } = read(messages);
        const seen = new Map<string, number>();
        for (const { id, parentId, at } of tree.messages) {
          if (parentId !== null) expect(seen.get(parentId)).toBeLessThan(at);
          seen.set(id, at);
        }
        const { read: all, kept, hidden, empty } = tree.report;
        expect([kept, kept + hidden + empty]).toEqual([tree.messages.length, all]);
        if (tree.messages.length > 0) expect(seen.has(tree.currentId ?? '')).toBe(true);
      }),
    );
  });

  test('reads as turns along every path as it read as messages', () => {
    fc.assert(
      fc.property(anyMessages, (messages) => {
        const { tree, turns } = read(messages);
        const byId = new Map(tree.messages.map((message) => [message.id, message]));
        const turnsById = new Map(turns.map((turn) => [turn.id, turn]));
        const inner = new Set(tree.messages.map(({ parentId }) => parentId));
        const ways = new Set(
          turns
            .flatMap((turn) => {
              const above: string[] = [];
              for (let at = turn.parentId; at !== null; at = turnsById.get(at)?.parentId ?? null) {
                const one = turnsById.get(at);
                if (one === undefined) break;
                above.unshift(one.message, one.replies.find(({ id }) => id === one.shownReplyId)?.text ?? '');
              }
              const heads = [...above, turn.message];
              return turn.replies.length === 0 ? [heads] : turn.replies.map(({ text }) => [...heads, text]);
            })
            .map((parts) =>
              parts
                // Thoughts and asides precede answers; only what was said counts here.
                .map((part) => part.replace(/<think>[\s\S]*?<\/think>\s*/g, ''))
                .filter((part) => part !== '' && part !== NO_MESSAGE)
                .join('\n\n'),
            ),
        );
        for (const leaf of tree.messages) {
          if (inner.has(leaf.id)) continue;
          const path: string[] = [];
          for (let at: string | null = leaf.id; at !== null; at = byId.get(at)?.parentId ?? null) {
            path.unshift(byId.get(at)?.text ?? '');
          }
          const said = path.filter((text) => text !== '').join('\n\n');
          expect([...ways]).toContain(said);
        }
      }),
    );
  });

  test('a chain of thirty thousand messages overflows nothing', () => {
    const chain = Array.from({ length: 30_000 }, (_, at) =>
      (at % 2 === 0 ? user : assistant)(`m${at}`, at === 0 ? null : `m${at - 1}`),
    );
    expect(read(chain).turns).toHaveLength(15_000);
  });
});

describe('what stands in a file', () => {
  test('regenerated answers are replies of one turn, the one gone on from is shown', () => {
    const { turns, currentId } = read([user('u', null), assistant('a', 'u'), assistant('b', 'u'), user('v', 'a')]);
    expect(turns).toMatchObject([
      { id: 'u', replies: [{ text: 'answers a' }, { text: 'answers b' }], shownReplyId: 'a' },
      { id: 'v', parentId: 'u', replies: [] },
    ]);
    expect(currentId).toBe('v');
  });

  test('edited messages stand side by side', () => {
    const { turns } = read([user('u', null), assistant('a', 'u'), user('v', 'a'), user('w', 'a'), assistant('b', 'w')]);
    expect(turns.map(({ id, parentId }) => [id, parentId])).toEqual([
      ['u', null],
      ['v', 'u'],
      ['w', 'u'],
    ]);
  });

  test('where two answers were gone on from, the message stands for each', () => {
    const messages = [user('u', null), assistant('a', 'u'), assistant('b', 'u'), user('v', 'a'), user('w', 'b')];
    const { turns, notes } = read(messages, 'w');
    expect(turns.map(({ id, parentId, shownReplyId }) => [id, parentId, shownReplyId])).toEqual([
      ['u', null, 'b'],
      ['u~2', null, 'a'],
      ['v', 'u~2', null],
      ['w', 'u', null],
    ]);
    expect(notes).toEqual(['a message was duplicated to hold every continuation']);
  });

  test('tools, thoughts and hidden notes go with the answer below them, and instructions to the head', () => {
    const { turns, tree } = read([
      { id: 's', parentId: null, by: 'aside', text: 'Be brief.' },
      user('u', 's'),
      assistant('t', 'u', { text: '', thinking: 'hm' }),
      { id: 'x', parentId: 't', by: 'aside', text: '[search] found' },
      assistant('a', 'x'),
    ]);
    expect(tree.instructions).toEqual(['Be brief.']);
    expect(turns).toMatchObject([
      { parentId: null, replies: [{ text: '<think>\nhm\n\n[search] found\n</think>\n\nanswers a' }] },
    ]);
  });

  test('a message below one that is not kept hangs from the nearest that is', () => {
    const { turns } = read([
      user('u', null),
      assistant('a', 'u'),
      { id: 'x', parentId: 'a', by: 'aside', text: 'note' },
      user('v', 'x'),
    ]);
    expect(turns.map(({ id, parentId }) => [id, parentId])).toEqual([
      ['u', null],
      ['v', 'u'],
    ]);
  });

  test('an unknown parent opens a topic and is told, a circle is opened and told', () => {
    const { tree } = read([user('u', 'gone'), user('v', 'w'), user('w', 'v')]);
    expect(tree.messages.filter(({ parentId }) => parentId === null)).toHaveLength(2);
    expect(tree.report.mended).toEqual([
      '1 message whose parent is not in the file open a topic',
      '1 reply loop broken up',
    ]);
  });

  test('parents that only lists of children name are found', () => {
    const { turns } = read([
      user('u', null, { childIds: ['a'] }),
      assistant('a', undefined, { childIds: ['v'] }),
      user('v', undefined),
    ]);
    expect(turns.map(({ id, parentId }) => [id, parentId])).toEqual([
      ['u', null],
      ['v', 'u'],
    ]);
  });

  test('only messages older than what they answer are told, not those of the same second', () => {
    const at = 1_700_000_000;
    const talk = (time: number) => [user('u', null, { at }), assistant('a', 'u', { at: time }), user('v', 'a', { at })];
    expect(read(talk(at)).tree.report.mended).toEqual([]);
    expect(read(talk(at)).turns.map((turn) => turn.at)).toEqual([at * 1000, at * 1000 + 2]);
    expect(read(talk(at - 60)).tree.report.mended).toEqual(['1 message older than what they answer placed after it']);
  });

  test('messages without any links stand in a row', () => {
    const { turns } = read([user('u', undefined), assistant('a', undefined), user('v', undefined)]);
    expect(turns.map(({ id, parentId }) => [id, parentId])).toEqual([
      ['u', null],
      ['v', 'u'],
    ]);
  });

  test('an assistant who begins has a turn, and is told of', () => {
    const { turns, notes } = read([assistant('hello', null), user('u', 'hello')]);
    expect(turns).toMatchObject([
      { message: NO_MESSAGE, replies: [{ text: 'answers hello' }] },
      { id: 'u', parentId: 'hello' },
    ]);
    expect(notes).toEqual(['a topic begins with the assistant']);
  });

  test('messages without anything in them are told, but not the empty steps towards an answer, nor its end', () => {
    const told = (...messages: SourceMessage[]) => read(messages).tree.report.missing;
    const system: SourceMessage = { id: 's', parentId: null, by: 'aside', text: '' };
    const nothing = { text: ' ' };
    expect(told(system, user('u', 's'), assistant('step', 'u', nothing), assistant('a', 'step'))).toEqual([]);
    const note: SourceMessage = { id: 'n', parentId: 'a', by: 'aside', text: 'End the turn.' };
    const end = assistant('end', 'n', nothing);
    expect(told(user('u', null), assistant('a', 'u'), note, end, user('v', 'end'))).toEqual([]);
    expect(told(user('u', null), assistant('a', 'u', nothing), user('v', 'a'))).toEqual(['1 empty message left out']);
    expect(told(user('u', null), assistant('a', 'u'), user('v', 'a', nothing), assistant('b', 'v', nothing))).toEqual([
      '2 empty messages left out',
    ]);
  });

  test('attachments stay with their turn, and those that are nowhere in the file are told', () => {
    const attachments = [
      { name: 'photo.png', text: null },
      { name: 'notes.txt', text: 'milk' },
    ];
    const { turns, tree } = read([user('u', null, { attachments })]);
    expect(turns[0]?.message).toBe('says u');
    expect(turns[0]?.attachments).toEqual(attachments.map((one) => ({ ...one, madeIn: null })));
    expect(tree.report.missing).toEqual(['1 attachment whose content is not in the file']);
  });
});

test.each([
  [1_700_000_000, 1_700_000_000_000],
  [1_700_000_000.5, 1_700_000_000_500],
  [1_700_000_000_123, 1_700_000_000_123],
  [1_700_000_000_123_000, 1_700_000_000_123],
  ['1700000000', 1_700_000_000_000],
  ['2025-06-21T19:28:21.177720Z', Date.UTC(2025, 5, 21, 19, 28, 21, 177)],
  ['2023-6-19 @14h 20m 5s 12ms', new Date(2023, 5, 19, 14, 20, 5).getTime()],
  ['June 19, 2023 2:20pm', new Date(2023, 5, 19, 14, 20).getTime()],
  ['soon', Number.NaN],
  [8.64e21, Number.NaN],
  ['+275760-09-13T00:00:00Z', Number.NaN],
  [0, Number.NaN],
  [null, Number.NaN],
])('the time %s', (given, expected) => {
  expect(millisecondsOf(given)).toBe(expected);
});

test('where several people speak, a message stands after its speaker, and can be had without', () => {
  const { turns } = read([user('a', null, { name: 'Ada' }), user('b', 'a', { name: 'Bo: the other' }), user('c', 'b')]);
  expect(turns.map(({ message, speaker }) => [message, speaker])).toEqual([
    ['Ada: says a', 'Ada'],
    ['Bo: the other: says b', 'Bo: the other'],
    ['says c', null],
  ]);
  expect(turns.map(messageWithoutSpeaker)).toEqual(['says a', 'says b', 'says c']);
});

test('what several people say alike is no edit', () => {
  const greeting = { text: 'hello, does anybody know how to burn a disc?' };
  const said = (name?: string) => [user('a', null, { ...greeting, name }), user('b', null, { ...greeting, name })];
  expect(read(said('Ada')).turns.map(({ editOf }) => editOf)).toEqual([null, null]);
  expect(read(said()).turns.map(({ editOf }) => editOf)).toEqual([null, 'a']);
});
