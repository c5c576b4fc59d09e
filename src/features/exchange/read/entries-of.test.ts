import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { apply, applyEntries, fold, frozen } from '../../../domain/apply.ts';
import type { Entry } from '../../../domain/entry.ts';
import { emptyForest } from '../../../domain/forest.ts';
import { violations } from '../../../domain/invariants.ts';
import { pendingTurn } from '../../../domain/queries.ts';
import { recordsOf } from '../../../domain/table.ts';
import { plainForest } from '../../../domain/testing/plain-forest.ts';
import { Life, lives } from '../../../domain/testing/random-life.ts';
import { filesWithoutPlace, forestOf, newEntries, newFiles } from './entries-of.ts';
import { readFiles } from './read-files.ts';
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

describe('a longer export added to a conversation that went on here', () => {
  const chat = ['A', 'B', 'C', 'D'].map(
    (text, at): SourceMessage => ({
      id: text,
      parentId: ['A', 'B', 'C', 'D'][at - 1] ?? null,
      by: 'user',
      text,
      at: 1_700_000_000 + at,
    }),
  );
  const idOf = (text: string) => `test:c:${text}`;
  const importInto = (life: Life, messages: readonly SourceMessage[]): number => {
    const added = newEntries(forestOf(conversation(messages), 0), life.entries);
    for (const entry of added) {
      life.entries.push(entry);
      apply(life.forest, entry);
    }
    return added.length;
  };
  const goneOn = (edit: (life: Life) => unknown): Life => {
    const life = new Life();
    importInto(life, chat.slice(0, 2));
    edit(life);
    return life;
  };
  const said = ({ forest }: Life) => recordsOf(forest.nodes).map(({ message, number }) => [number, message]);

  test.each<[string, (life: Life) => unknown]>([
    ['a message was sent', (life) => life.say(idOf('B'), 'mine')],
    ['a turn was deleted alone', (life) => life.do({ type: 'delete', nodeIds: [idOf('A')], alone: true, step: 's' })],
    ['a turn was made a topic', (life) => life.move(idOf('B'), null)],
    ['a reply was asked for again', (life) => life.live({ kind: 'again', pick: 1 })],
  ])('is a step of its own: %s', (_, edit) => {
    const life = goneOn(edit);
    const before = structuredClone(life.forest);
    expect(importInto(life, chat)).toBeGreaterThan(0);
    const after = structuredClone(life.forest);
    life.do({ type: 'undo' });
    expect({ ...life.forest, history: null }).toEqual({ ...before, history: null });
    life.do({ type: 'undo' });
    expect(violations(life.forest)).toEqual([]);
    life.do({ type: 'redo' });
    life.do({ type: 'redo' });
    expect(life.forest).toEqual(after);
    expect(importInto(life, chat)).toBe(0);
  });

  test('ends what could be redone, which knew nothing of it', () => {
    const life = goneOn((one) => one.do({ type: 'delete', nodeIds: [idOf('B')], alone: false, step: 's' }));
    life.do({ type: 'undo' });
    importInto(life, chat);
    expect(life.do({ type: 'redo' })).toEqual({ ok: false, refusal: 'nothing-to-redo' });
    expect(said(life)).toEqual(chat.map(({ text }, at) => [at + 1, text]));
  });

  test('can be added once more after it was undone, however the conversation goes on', () => {
    for (const between of [() => undefined, (life: Life) => void life.say(idOf('B'), 'mine instead')]) {
      const life = goneOn((one) => one.say(idOf('B'), 'mine'));
      for (let times = 0; times < 3; times++) {
        const before = said(life).length;
        importInto(life, chat);
        life.do({ type: 'undo' });
        expect(said(life)).toHaveLength(before);
        between(life);
      }
      const before = said(life).map(([, message]) => message);
      importInto(life, chat);
      expect(said(life).map(([, message]) => message)).toEqual([...before, 'C', 'D']);
      expect(violations(life.forest)).toEqual([]);
      expect(importInto(life, chat)).toBe(0);
      const after = structuredClone(life.forest);
      life.do({ type: 'undo' });
      life.do({ type: 'redo' });
      expect(life.forest).toEqual(after);
      expect(importInto(life, chat)).toBe(0);
    }
  });

  test('brings its title and a new reply once more too, and not what was purged after it was undone', () => {
    const named = { ...conversation(chat.slice(0, 2)), title: null };
    const life = new Life();
    const add = (read: SourceConversation): number => {
      const added = newEntries(forestOf(read, 0), life.entries);
      for (const entry of added) {
        life.entries.push(entry);
        apply(life.forest, entry);
      }
      return added.length;
    };
    add(named);
    life.say(idOf('A'), 'mine');
    const reply: SourceMessage = { id: 'b', parentId: 'B', by: 'assistant', text: 'to B', at: 1_700_000_009 };
    const longer = conversation([
      ...chat.slice(0, 2),
      reply,
      ...chat.slice(2).map((one) => (one.id === 'C' ? { ...one, parentId: 'b', at: 1_700_000_010 } : one)),
    ]);
    add(longer);
    life.do({ type: 'undo' });
    expect([life.forest.title, life.forest.nodes[idOf('B')]?.replies]).toEqual([null, []]);
    life.purge([idOf('D')]);
    add(longer);
    expect([life.forest.title, life.forest.nodes[idOf('B')]?.replies.map(({ text }) => text)]).toEqual(['T', ['to B']]);
    expect(said(life).map(([, message]) => message)).toEqual(['A', 'B', 'mine', 'C']);
    expect(add(longer)).toBe(0);
  });

  test('waits for a message that has no place yet, and says so; where nothing is to be added, there is nothing to say', () => {
    const life = goneOn((one) => one.send());
    expect(() => importInto(life, chat)).toThrow(
      'A message in “T” is still waiting for its place. Open that conversation, and import again once the message has been placed.',
    );
    expect(importInto(life, chat.slice(0, 2))).toBe(0);
  });

  test('leaves a sound forest, whatever was done before and is done after', () => {
    fc.assert(
      fc.property(trees, fc.nat(), lives, lives, (messages, part, before, after) => {
        const life = new Life();
        importInto(life, messages.slice(0, (part % messages.length) + 1));
        for (const move of before) life.live(move);
        if (pendingTurn(life.forest) !== null) life.do({ type: 'undo' });
        importInto(life, messages);
        expect(violations(life.forest)).toEqual([]);
        for (const move of after) {
          life.live(move);
          expect(violations(life.forest)).toEqual([]);
        }
        if (pendingTurn(life.forest) !== null) life.do({ type: 'undo' });
        importInto(life, messages);
        expect(violations(life.forest)).toEqual([]);
        expect(importInto(life, messages)).toBe(0);
        expect(plainForest(applyEntries(frozen(emptyForest()), life.entries))).toEqual(life.forest);
        const numbers = recordsOf(life.forest.nodes).map(({ number }) => number);
        expect(new Set(numbers).size).toBe(numbers.length);
      }),
      { numRuns: 150 },
    );
  });
});

test('a conversation without an id is known again by what it says', () => {
  const nameless = { ...conversation([{ id: 'u', parentId: null, by: 'user', text: 'One' }]), id: null };
  expect(forestOf(nameless, 0).key).toBe(forestOf({ ...nameless, title: 'else' }, 5).key);
});

test('the instructions of a pasted text are kept, and it is the same conversation without them', () => {
  const read = (text: string) => {
    const [found] = readFiles([{ name: 'talk.txt', text }]).found;
    if (found === undefined) throw new Error('nothing was read');
    return forestOf(found.conversation, 0);
  };
  const plain = read('User: hi\nAssistant: hello\nUser: bye\nAssistant: see you');
  const told = read('System: be kind\nUser: hi\nAssistant: hello\nUser: bye\nSystem: be brief\nAssistant: see you');
  expect([plain.instructions, told.instructions]).toEqual([null, 'be kind']);
  expect(told.turns.turns[1]?.replies[0]?.text).toContain('be brief');
  const ids = ({ key, turns }: typeof plain) => [
    key,
    ...turns.turns.flatMap(({ id, replies }) => [id, ...replies.map((reply) => reply.id)]),
  ];
  expect(ids(told)).toEqual(ids(plain));
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
  for (const id of [uuid, 'hazel', '1764430000000']) expect(forestOf(numbered(id, 'One'), 0).key).toBe(`test:${id}`);
  expect(forestOf(numbered('1_00000', 'One'), 0).key).not.toBe(forestOf(numbered('1_00000', 'Two'), 0).key);
});

describe('a chat whose messages are known by their places', () => {
  const chat = (texts: readonly string[], idOf = (at: number) => `message ${at + 1}`): SourceConversation => ({
    ...conversation([]),
    messages: texts.map((text, at) => ({ id: idOf(at), by: at % 2 === 0 ? 'user' : 'assistant', text })),
  });
  const importAgain = (known: readonly Entry[], read: SourceConversation): Entry[] => [
    ...known,
    ...newEntries(forestOf(read, 0), known),
  ];
  /** The messages and shown replies down to the active turn. */
  const path = (log: readonly Entry[]): string[] => {
    const { nodes, active } = fold(log);
    const said: string[] = [];
    for (let node = nodes[active?.nodeId ?? '']; node !== undefined; node = nodes[node.parentId ?? '']) {
      said.unshift(node.message, node.replies.find(({ id }) => id === node.replyId)?.text ?? '');
    }
    return said;
  };

  test.each([
    ['in a list', undefined],
    ['in LM Studio', (at: number) => `${at + 1}.0`],
  ] as const)('and was rewritten from some place on reads as it is and as it was: %s', (__, idOf) => {
    const before = ['q1', 'a1', 'q2', 'a2'];
    const first = importAgain([], chat(before, idOf));
    const after = ['q1', 'a1', 'q3', 'a3', 'q4', 'a4'];
    const log = importAgain(first, chat(after, idOf));
    expect(violations(fold(log))).toEqual([]);
    expect(path(log)).toEqual(after);
    expect(recordsOf(fold(log).nodes).map(({ message }) => message)).toEqual(['q1', 'q2', 'q3', 'q4']);
    expect(importAgain(log, chat(after, idOf))).toHaveLength(log.length);
    expect(importAgain(log, chat(before, idOf))).toHaveLength(log.length);
    const last = importAgain(log, chat([...after.slice(0, 5), 'a4, better'], idOf));
    expect(path(last)).toEqual([...after.slice(0, 5), 'a4, better']);
    expect(importAgain(last, chat(after, idOf))).toHaveLength(last.length + 1);
  });

  test('is the same with words that were purged here, or with a reply that was gone on with', () => {
    const read = chat(['q1', 'a1', 'q2', 'a2']);
    const life = new Life();
    for (const entry of importAgain([], read)) {
      life.entries.push(entry);
      apply(life.forest, entry);
    }
    const more = { type: 'reply-received' as const, nodeId: 'test:c:message 3', replyId: 'test:c:reply message 4' };
    life.entries.push({ v: 1, seq: life.entries.length + 1, at: 1, step: null, event: { ...more, text: ' and more' } });
    life.purge(['test:c:message 1']);
    expect(newEntries(forestOf(read, 0), life.entries)).toEqual([]);
  });

  test.each([
    ['in a list', undefined],
    ['in LM Studio', (at: number) => `${at + 1}.0`],
  ] as const)(
    'is the same where it quoted words that were purged here: %s',
    (__, idOf = (at) => `message ${at + 1}`) => {
      const secret = 'My flat is at 12 Elm Street in Graz.';
      const quoting = [
        `I see: ${secret} That is not far.`,
        'So my flat is at 12 Elm Street in Graz, right?',
        `${secret} Yes.`,
      ];
      const before = [secret, 'Fine', 'How far is it?', ...quoting, 'Thanks', secret];
      const life = new Life();
      // It fits “So [purged], right?” as well, but is there word for word.
      const rewritten = [...before.slice(0, 4), 'So it is near, right?', 'No', 'Pity', 'Yes'];
      for (const entry of importAgain(importAgain([], chat(before, idOf)), chat(rewritten, idOf))) {
        life.entries.push(entry);
        apply(life.forest, entry);
      }
      const reply = { nodeId: `test:c:${idOf(2)}`, replyId: `test:c:reply ${idOf(3)}` };
      const more = { type: 'reply-received' as const, ...reply, text: ' And more.' };
      life.entries.push({ v: 1, seq: life.entries.length + 1, at: 1, step: null, event: more });
      life.purge([`test:c:${idOf(0)}`]);
      const known = life.entries;
      expect(JSON.stringify(known)).not.toContain('Elm Street');
      expect(newEntries(forestOf(chat(before, idOf), 0), known)).toEqual([]);
      expect(newEntries(forestOf(chat(rewritten, idOf), 0), known)).toEqual([]);

      const longer = newEntries(forestOf(chat([...before, 'Bye', 'See you'], idOf), 0), known);
      expect(longer.flatMap(({ event }) => (event.type === 'message-sent' ? [event.message] : []))).toEqual(['Bye']);
      expect(JSON.stringify(longer)).not.toContain('Elm Street');

      const answered = importAgain(known, chat([...before.slice(0, 3), 'I see: it is far.'], idOf));
      expect(fold(answered).nodes[reply.nodeId]?.replies).toHaveLength(2);
    },
  );
});

describe('a longer export of a chat with two answers', () => {
  const at = 1_700_000_000;
  const question: SourceMessage = { id: 'q', parentId: null, by: 'user', text: 'A question about plants', at };
  const one: SourceMessage = { id: 'one', parentId: 'q', by: 'assistant', text: 'one', at: at + 1 };
  const two: SourceMessage = { ...one, id: 'two', text: 'two', at: at + 3 };
  const aboutOne: SourceMessage = { id: 'about one', parentId: 'one', by: 'user', text: 'about one', at: at + 2 };
  const aboutTwo: SourceMessage = { ...aboutOne, id: 'about two', parentId: 'two', text: 'about two', at: at + 4 };

  const importAgain = (known: readonly Entry[], ...messages: SourceMessage[]): Entry[] => [
    ...known,
    ...newEntries(forestOf(conversation(messages), 0), known),
  ];
  /** Each message with the reply that is shown above it. */
  const paths = (log: readonly Entry[]) => {
    const { nodes } = fold(log);
    return recordsOf(nodes).map(({ message, parentId }) => {
      const { replies, replyId } = nodes[parentId ?? ''] ?? { replies: [], replyId: null };
      return [message, replies.find(({ id }) => id === replyId)?.text ?? null];
    });
  };

  test('has the second answer gone on from as well: both paths read as they were', () => {
    const first = importAgain([], question, one, aboutOne, two);
    const log = importAgain(first, question, one, aboutOne, two, aboutTwo);
    expect(violations(fold(log))).toEqual([]);
    expect(paths(log)).toHaveLength(4);
    expect(paths(log)).toEqual(
      expect.arrayContaining([
        ['about one', 'one'],
        ['about two', 'two'],
      ]),
    );
    expect(importAgain(log, question, one, aboutOne, two, aboutTwo)).toHaveLength(log.length);
    const chosen = importAgain(first, question, one, aboutOne, two, { ...aboutTwo, at: at + 1 });
    expect(paths(chosen)).toContainEqual(['about two', 'two']);
  });

  test('has a second answer that nobody went on from: the first is shown above what follows it', () => {
    const log = importAgain(importAgain([], question, one), question, one, two, {
      ...aboutOne,
      at: at + 5,
    });
    expect(paths(log)).toEqual([
      [question.text, null],
      ['about one', 'one'],
    ]);
    expect(fold(log).nodes['test:c:q']?.replies).toHaveLength(2);
  });

  test('counts the pictures of a new answer, which have no place in a turn that is here; those of new turns have', () => {
    const drawn = (message: SourceMessage): SourceMessage => {
      const [picture, notes] = [`${message.id}.png`, `${message.id}.txt`];
      return {
        ...message,
        attachments: [
          { name: picture, text: null },
          { name: notes, text: 'in the reply' },
        ],
      };
    };
    const known = importAgain([], question, drawn(one));
    const read = forestOf(
      conversation([question, drawn(one), drawn(two), aboutTwo, drawn({ ...one, id: 'three', parentId: 'about two' })]),
      0,
    );
    expect(newFiles(read, known).map(({ name }) => name)).toEqual(['three.png', 'three.txt']);
    const added = newEntries(read, known);
    expect(filesWithoutPlace(read, added)).toBe(1);
    expect(filesWithoutPlace(read, newEntries(read, []))).toBe(0);
    expect(filesWithoutPlace(read, newEntries(read, [...known, ...added]))).toBe(0);
  });

  test('leaves the reply that the person chose', () => {
    const first = importAgain([], question, one, two);
    const event = { type: 'reply-chosen' as const, nodeId: 'test:c:q', replyId: 'test:c:reply one' };
    const known: Entry[] = [...first, { v: 1, seq: first.length + 1, at, step: 's', event }];
    const three = { ...two, id: 'three', text: 'three' };
    expect(fold(importAgain(known, question, one, two, three)).nodes['test:c:q']?.replyId).toBe('test:c:reply one');
  });

  test('leaves the reply that the person went on from, and what followed another one stands beside it', () => {
    const shows = (messages: readonly SourceMessage[], currentId: string, known: readonly Entry[]): Entry[] => [
      ...known,
      ...newEntries(forestOf({ ...conversation(messages), currentId }, 0), known),
    ];
    const both = [question, one, two];
    const life = new Life();
    for (const entry of shows(both, 'one', [])) {
      life.entries.push(entry);
      apply(life.forest, entry);
    }
    life.say('test:c:q', 'said here');
    const known = life.entries;
    expect(shows(both, 'two', known)).toHaveLength(known.length);
    const log = shows([...both, aboutTwo], 'about two', known);
    expect(violations(fold(log))).toEqual([]);
    expect(paths(log)).toContainEqual(['said here', 'one']);
    expect(paths(log)).toContainEqual(['about two', 'two']);
    expect(shows([...both, aboutTwo], 'about two', log)).toHaveLength(log.length);
    const event = { type: 'turns-deleted' as const, nodeIds: ['test:c:q'] };
    const deleted: Entry[] = [...known, { v: 1, seq: known.length + 1, at, step: 's', event }];
    expect(paths(shows([...both, aboutTwo], 'about two', deleted))).toEqual([]);
  });

  test('adds a turn for every path, whatever was shown last, and adds nothing twice', () => {
    fc.assert(
      fc.property(trees, fc.nat(), fc.nat(), fc.nat(), (messages, part, current, later) => {
        const shown = (n: number) => messages[n % messages.length]?.id ?? null;
        const some = messages.slice(0, (part % messages.length) + 1);
        const first = newEntries(forestOf({ ...conversation(some), currentId: shown(current) }, 0), []);
        const read = forestOf({ ...conversation(messages), currentId: shown(later) }, 0);
        const log = [...first, ...newEntries(read, first)];
        const { nodes } = fold(log);
        expect(violations(fold(log))).toEqual([]);
        const bySource = new Map(messages.map((message) => [message.id, message]));
        for (const { id, parentId, message } of recordsOf(nodes)) {
          const source = messages.find(({ text }) => text === message);
          const above = bySource.get(source?.parentId ?? '');
          if (above?.by !== 'assistant') continue;
          const { replies, replyId } = nodes[parentId ?? ''] ?? { replies: [], replyId: null };
          expect([id, replies.find((reply) => reply.id === replyId)?.text.endsWith(above.text)]).toEqual([id, true]);
        }
        expect(newEntries(read, log)).toEqual([]);
      }),
    );
  });
});

test('a reply has its own time, and none is before its message', () => {
  const log = newEntries(
    forestOf(
      conversation([
        { id: 'u', parentId: null, by: 'user', text: 'One', at: 1_700_000_000 },
        { id: 'a', parentId: 'u', by: 'assistant', text: 'A', at: 1_700_000_060 },
      ]),
      0,
    ),
    [],
  );
  const times = log.map(({ at }) => at);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(fold(log).nodes['test:c:u']).toMatchObject({ at: 1_700_000_000_000, replies: [{ at: 1_700_000_060_000 }] });
});

test('a first message with two answers gone on from is no edit', () => {
  const read = forestOf(
    conversation([
      { id: 'u', parentId: null, by: 'user', text: 'How do I prune an old hazel?' },
      { id: 'a', parentId: 'u', by: 'assistant', text: 'A' },
      { id: 'b', parentId: 'u', by: 'assistant', text: 'B' },
      { id: 'v', parentId: 'a', by: 'user', text: 'about A' },
      { id: 'w', parentId: 'b', by: 'user', text: 'about B' },
    ]),
    0,
  );
  expect(recordsOf(fold(newEntries(read, [])).trees).map(({ title }) => title)).toEqual(['T', 'T']);
  expect(read.turns.notes).toEqual(['a message was duplicated to hold every continuation']);
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

test('a long title without spaces is not cut within a character', () => {
  const titled = (title: string) =>
    fold(newEntries(forestOf({ ...conversation([{ id: 'a', parentId: null, by: 'user', text: 'Hi' }]), title }, 0), []))
      .title;
  expect(titled(`A${'🌸'.repeat(60)}`)).toBe(`A${'🌸'.repeat(35)}…`);
});
