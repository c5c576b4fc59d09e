import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fold } from '../../../domain/apply.ts';
import type { Entry } from '../../../domain/entry.ts';
import { violations } from '../../../domain/invariants.ts';
import { recordsOf } from '../../../domain/table.ts';
import { forestOf, newEntries } from './entries-of.ts';
import type { SourceConversation, SourceMessage } from './source.ts';

/** A valid message tree of any shape, with increasing times. */
const trees = fc
  .array(
    fc.record({
      parent: fc.nat({ max: 1000 }),
      by: fc.constantFrom('user', 'assistant') as fc.Arbitrary<SourceMessage['by']>,
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((drafts) =>
    drafts.map(
      ({ parent, by }, at): SourceMessage => ({
        id: `m${at}`,
        parentId: at === 0 || parent % 9 === 0 ? null : `m${parent % at}`,
        by,
        text: `text ${at}`,
        at: 1_700_000_000 + at,
      }),
    ),
  );

const conversation = (messages: readonly SourceMessage[]): SourceConversation => ({
  source: 'test',
  id: 'c',
  title: 'T',
  messages,
  currentId: null,
});

const seqs = (entries: readonly Entry[]): number[] => entries.map(({ seq }) => seq);

test('every tree becomes a sound forest with a turn for each', () => {
  fc.assert(
    fc.property(trees, (messages) => {
      const read = forestOf(conversation(messages), 0);
      const { turns } = read;
      const entries = newEntries(read, []);
      const forest = fold(entries);
      expect(violations(forest)).toEqual([]);
      expect(seqs(entries)).toEqual(entries.map((_, at) => at + 1));
      for (const turn of turns.turns) {
        const node = forest.nodes[`test:c:${turn.id}`];
        expect(node?.message).toBe(turn.message);
        expect(node?.parentId ?? null).toBe(turn.parentId === null ? null : `test:c:${turn.parentId}`);
        expect(node?.replies.map(({ text }) => text)).toEqual(turn.replies.map(({ text }) => text));
      }
      if (turns.currentId !== null) expect(forest.active?.nodeId).toBe(`test:c:${turns.currentId}`);
    }),
  );
});

test('the same file again adds nothing', () => {
  fc.assert(
    fc.property(trees, (messages) => {
      const first = newEntries(forestOf(conversation(messages), 0), []);
      expect(newEntries(forestOf(conversation(messages), 0), first)).toEqual([]);
    }),
  );
});

test('of a conversation that was stored in part, the rest is added, its title and instructions too', () => {
  const told = { id: 's', parentId: null, by: 'aside' as const, text: 'Be brief.' };
  const said = { id: 'u', parentId: 's', by: 'user' as const, text: 'One', at: 1_700_000_000 };
  const next = { id: 'v', parentId: 'u', by: 'user' as const, text: 'Two', at: 1_700_000_001 };
  const read = forestOf(conversation([told, said, next]), 0);
  const all = newEntries(read, []);
  expect(fold(all)).toMatchObject({ title: 'T', replySettings: { systemPrompt: 'Be brief.' } });
  const known = all.slice(
    0,
    all.findLastIndex(({ event }) => event.type === 'message-sent'),
  );
  expect(fold([...known, ...newEntries(read, known)])).toEqual(fold(all));
});

test('a longer export appends what is new, and what the person deleted stays deleted', () => {
  const messages: SourceMessage[] = [
    { id: 'u', parentId: null, by: 'user', text: 'One', at: 1_700_000_000 },
    { id: 'a', parentId: 'u', by: 'assistant', text: 'A', at: 1_700_000_001 },
    { id: 'v', parentId: 'a', by: 'user', text: 'Two', at: 1_700_000_002 },
  ];
  const first = newEntries(forestOf(conversation(messages), 0), []);
  const deleted: Entry = {
    v: 1,
    seq: first.length + 1,
    at: 1,
    step: 's',
    event: { type: 'turns-deleted', nodeIds: ['test:c:v'] },
  };
  const known = [...first, deleted];
  const longer = forestOf(
    conversation([
      ...messages,
      { id: 'b', parentId: 'u', by: 'assistant', text: 'B', at: 1_700_000_003 },
      { id: 'w', parentId: 'a', by: 'user', text: 'Three', at: 1_700_000_004 },
      { id: 'x', parentId: 'v', by: 'user', text: 'below what was deleted', at: 1_700_000_005 },
    ]),
    0,
  );
  const added = newEntries(longer, known);
  const forest = fold([...known, ...added]);
  expect(violations(forest)).toEqual([]);
  expect(recordsOf(forest.nodes).map(({ message }) => message)).toEqual(['One', 'Three']);
  expect(forest.nodes['test:c:u']?.replies.map(({ text }) => text)).toEqual(['A', 'B']);
  expect(seqs(added)[0]).toBe(known.length + 1);
});

test('a conversation without an id is known again by what it says', () => {
  const nameless = { ...conversation([{ id: 'u', parentId: null, by: 'user', text: 'One' }]), id: null };
  expect(forestOf(nameless, 0).key).toBe(forestOf({ ...nameless, title: 'else' }, 5).key);
});

test('a small id is no key on its own where messages are only numbered, and a longer export has the same one', () => {
  const numbered = (id: string, ...texts: string[]) => ({
    ...conversation(texts.map((text, at): SourceMessage => ({ id: `message ${at + 1}`, by: 'user', text }))),
    id,
  });
  const { key } = forestOf(numbered('0', 'How do I prune a hazel?'), 0);
  expect(forestOf(numbered('0', 'How do I prune a hazel?', 'And when?'), 5).key).toBe(key);
  expect(forestOf(numbered('0', 'What is the tallest oak?'), 0).key).not.toBe(key);
  const uuid = '6b8f9d6c-3f1e-4a7b-9c55-0d2a1e7f4b10';
  expect(forestOf(numbered(uuid, 'One'), 0).key).toBe(`test:${uuid}`);
});

test('an edited first message is a topic of the same name that refers to the first; another first message is not', () => {
  const read = forestOf(
    conversation(
      ['How do I prune an old hazel?', 'How do I prune a very old hazel?', 'What is the tallest oak in Europe?'].map(
        (text, at): SourceMessage => ({ id: `m${at}`, parentId: null, by: 'user', text, at: 1_700_000_000 + at }),
      ),
    ),
    0,
  );
  const forest = fold(newEntries(read, []));
  expect(violations(forest)).toEqual([]);
  expect(recordsOf(forest.trees).map(({ title }) => title)).toEqual([
    'How do I prune an old hazel?',
    'How do I prune an old hazel? (edited)',
    'What is the tallest oak in Europe?',
  ]);
  expect(forest.nodes['test:c:m1']?.references).toEqual([{ to: 'test:c:m0', as: 'summary', by: 'engine' }]);
  expect(forest.nodes['test:c:m2']?.references).toEqual([]);
  expect(read.turns.notes).toContain(
    'the first message was edited: the edit opens a second topic that refers to the first',
  );
});
