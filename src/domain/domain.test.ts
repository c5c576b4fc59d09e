import { describe, expect, test } from 'vitest';
import { apply } from './apply.ts';
import { Decision, isConfirmation, wordOf } from './decision.ts';
import { attachmentIds, Entry, LOG_VERSION } from './entry.ts';
import type { Event } from './event-kinds.ts';
import type { Node } from './forest.ts';
import type { Intent } from './handle.ts';
import { violations } from './invariants.ts';
import { activePath, branchNodes, nodeOf, subtree, tipOf, treesOf } from './queries.ts';
import { recordsOf } from './table.ts';
import { Life } from './testing/random-life.ts';

describe('confirming', () => {
  const confirmed = (life: Life, nodeId: string) => life.do({ type: 'confirm', nodeId, at: 7, step: life.id() });

  test('keeps the place as a label of both, once, and undo takes it back', () => {
    const life = new Life();
    const a = life.say(null);
    const b = life.say(a);
    expect(confirmed(life, b).ok).toBe(true);
    const { treeId, branchId, parentId, label } = nodeOf(life.forest, b);
    const place = { treeId, branchId, parentId };
    expect(label).toEqual({ engine: place, person: place, at: 7 });
    expect(label !== null && isConfirmation(label)).toBe(true);
    expect(confirmed(life, b)).toEqual({ ok: false, refusal: 'already-labelled' });
    life.do({ type: 'undo' });
    expect(nodeOf(life.forest, b).label).toBeNull();
  });

  test('gives way to a correction, and moving back where the engine had put it confirms', () => {
    const life = new Life();
    const a = life.say(null);
    const b = life.say(a);
    confirmed(life, b);
    life.move(b, null);
    const corrected = nodeOf(life.forest, b).label;
    expect(corrected).toMatchObject({ engine: { parentId: a }, person: { parentId: null } });
    expect(corrected !== null && isConfirmation(corrected)).toBe(false);
    life.move(b, a);
    const back = nodeOf(life.forest, b).label;
    expect(back !== null && isConfirmation(back)).toBe(true);
  });

  test('waits while a message has no place', () => {
    const life = new Life();
    const a = life.say(null);
    life.send('two');
    expect(confirmed(life, a)).toEqual({ ok: false, refusal: 'turn-pending' });
    expect(confirmed(life, 'nobody')).toEqual({ ok: false, refusal: 'unknown-turn' });
  });
});

describe('a place chosen beforehand', () => {
  test('is a label beside where the engine would have put the turn, in the step of its message', () => {
    const life = new Life();
    const a = life.say(null);
    const b = life.say(a);
    const c = life.choose(a, b);
    const { label } = nodeOf(life.forest, c);
    expect(label).toMatchObject({ engine: { parentId: b }, person: { parentId: a }, beforehand: true });
    expect(label !== null && wordOf(label)).toBe('chosen');
    const entry = life.entries.at(-1);
    expect(Entry.parse(entry)).toEqual(entry);
    life.do({ type: 'undo' });
    expect(life.forest.nodes[c]).toBeUndefined();
    life.do({ type: 'redo' });
    expect(nodeOf(life.forest, c).label).toEqual(label);
  });

  test('gives way to a correction of what the person had chosen', () => {
    const life = new Life();
    const a = life.say(null);
    const b = life.say(a);
    const c = life.choose(a, null);
    life.move(c, b);
    const { label } = nodeOf(life.forest, c);
    expect(label).toMatchObject({ engine: { parentId: a }, person: { parentId: b } });
    expect(label !== null && wordOf(label)).toBe('corrected');
  });

  test('is none where the place only followed from what the person did', () => {
    const life = new Life();
    const a = life.say(null);
    const b = life.send('two', life.id(), { kind: 'under', nodeId: a });
    life.place(b, a, null);
    expect(nodeOf(life.forest, b).label).toBeNull();
  });
});

describe('answers', () => {
  test('of before there were lessons parse, and what the lessons did comes through', () => {
    const answer = { action: 'create-topic', confidence: 0.9, reasons: [], raw: '', decider: 'd' };
    const trace = {
      policy: 'p',
      embedder: 'e',
      decider: 'd',
      topic: { rule: 'asked', answer, target: null, candidates: [] },
      fork: { theta: null, candidates: [], point: null },
      branch: { rule: 'new-topic', answer: null, settled: null },
      fallbacks: [],
      timings: [],
    };
    const decision = { topic: 'create-topic', branch: null, by: 'engine', trace };
    expect(Decision.parse(decision)).toEqual(decision);
    const personal = {
      without: { action: 'continue-topic', target: 't', confidence: 0.6 },
      reasons: [{ text: '“fresh page” opens a topic', weight: 1.8 }],
    };
    const taught = { ...decision, trace: { ...trace, topic: { ...trace.topic, answer: { ...answer, personal } } } };
    expect(Decision.parse(taught)).toEqual(taught);
  });
});

describe('placing', () => {
  test('going on from a tip stays on the branch; from an earlier turn it forks', () => {
    const life = new Life();
    const a = life.say(null);
    const b = life.say(a);
    const c = life.say(a);
    const { forest } = life;
    expect(nodeOf(forest, b).branchId).toBe(nodeOf(forest, a).branchId);
    expect(nodeOf(forest, c).branchId).not.toBe(nodeOf(forest, a).branchId);
    expect(forest.active?.nodeId).toBe(c);
    expect(tipOf(forest, nodeOf(forest, a)).id).toBe(b);
    expect(activePath(forest).map((node) => node.id)).toEqual([a, c]);
  });

  test('a second message waits until the first has its place', () => {
    const life = new Life();
    life.send('one', 'n1');
    const second = life.do({
      type: 'record',
      step: 's2',
      event: { type: 'message-sent', nodeId: 'n2', message: 'two', given: null, target: null },
    });
    expect(second).toEqual({ ok: false, refusal: 'turn-pending' });
  });

  test('so does a purge, which might remove the turn that the message goes on from', () => {
    const life = new Life();
    const a = life.say(null);
    life.send('one', 'n1');
    const purged = life.do({ type: 'record', step: null, event: { type: 'turns-purged', nodeIds: [a] } });
    expect(purged).toEqual({ ok: false, refusal: 'turn-pending' });
  });

  test('text that arrives for an undone turn changes nothing', () => {
    const life = new Life();
    const a = life.say(null);
    life.do({
      type: 'record',
      step: null,
      event: { type: 'reply-started', nodeId: a, replyId: 'r', model: 'm', context: null },
    });
    life.do({ type: 'undo' });
    const late = life.do({
      type: 'record',
      step: null,
      event: { type: 'reply-received', nodeId: a, replyId: 'r', text: 'x' },
    });
    expect(late).toEqual({ ok: false, refusal: 'unknown-turn' });
    expect(treesOf(life.forest)).toEqual([]);
  });
});

describe('moving', () => {
  test('takes the turn with all under it, and keeps the correction as a label', () => {
    const life = new Life();
    const a = life.say(null, 'a');
    const b = life.say(a, 'b');
    const c = life.say(b, 'c');
    const fork = life.say(b, 'fork');
    const other = life.say(null, 'other');
    expect(life.move(b, other).ok).toBe(true);
    const { forest } = life;
    expect(subtree(forest, other).map((node) => node.message)).toEqual(['other', 'b', 'c', 'fork']);
    expect(new Set(subtree(forest, other).map((node) => node.treeId)).size).toBe(1);
    // b continues from a tip, so it and c join that branch; the fork keeps its own.
    expect(branchNodes(forest, forest.branches[nodeOf(forest, other).branchId] as never).map((n) => n.id)).toEqual([
      other,
      b,
      c,
    ]);
    expect(nodeOf(forest, fork).branchId).not.toBe(nodeOf(forest, b).branchId);
    expect(nodeOf(forest, b).label).toMatchObject({ engine: { parentId: a }, person: { parentId: other } });
  });

  test('a whole topic under a turn of another makes one topic of two', () => {
    const life = new Life();
    const a = life.say(null);
    const b = life.say(null);
    life.move(b, a);
    expect(treesOf(life.forest)).toHaveLength(1);
    life.do({ type: 'undo' });
    expect(treesOf(life.forest)).toHaveLength(2);
  });

  test('a topic is entered again where it was left, also once its turns have moved', () => {
    const life = new Life();
    const one = life.say(null, 'one');
    const two = life.say(one, 'two');
    const four = life.say(two, 'four');
    const five = life.say(four, 'five');
    const other = life.say(null, 'other');
    life.move(four, null);
    const standsAt = (nodeId: string) => life.forest.trees[nodeOf(life.forest, nodeId).treeId]?.activeId;
    expect([standsAt(one), standsAt(five)]).toEqual([two, five]);
    const third = life.say(null, 'third');
    life.move(other, five);
    expect(standsAt(five)).toBe(other);
    // It goes on from where the person is.
    life.move(two, third);
    expect(life.forest.active?.nodeId).toBe(two);
    expect(violations(life.forest)).toEqual([]);
  });

  test('a turn that forks from where a topic was left leaves it there', () => {
    const life = new Life();
    const one = life.say(null, 'one');
    life.say(one, 'two');
    life.do({ type: 'record', step: life.id(), event: { type: 'activated', nodeId: one } });
    const other = life.say(null, 'other');
    life.say(null, 'third');
    life.move(other, one);
    expect(life.forest.trees[nodeOf(life.forest, one).treeId]?.activeId).toBe(one);
  });

  test("the person's name for a branch moves with it", () => {
    const life = new Life();
    const one = life.say(null, 'one');
    const two = life.say(one, 'two');
    const fork = life.say(one, 'fork');
    const branchOf = (nodeId: string) => life.forest.branches[nodeOf(life.forest, nodeId).branchId];
    const branchId = nodeOf(life.forest, fork).branchId;
    life.do({ type: 'record', step: life.id(), event: { type: 'branch-titled', branchId, title: 'By train' } });
    life.say(two, 'three');
    life.move(fork, two);
    expect(branchOf(fork)?.title).toBe('By train');
    life.move(fork, null);
    const tree = life.forest.trees[nodeOf(life.forest, fork).treeId];
    expect(tree).toMatchObject({ title: 'By train', titledBy: 'person' });
    life.do({ type: 'undo' });
    expect(branchOf(fork)?.title).toBe('By train');
  });

  test("the person's name for a topic moves with its first turn, and the engine's does not", () => {
    const life = new Life();
    const one = life.say(null, 'one');
    life.say(one, 'two');
    const [ours, others] = [life.say(null, 'ours'), life.say(null, 'others')];
    const name = (nodeId: string, title: string, by: 'engine' | 'person') =>
      life.do({
        type: 'record',
        step: life.id(),
        event: { type: 'topic-titled', treeId: nodeOf(life.forest, nodeId).treeId, title, by },
      });
    name(ours, 'Taxes 2024', 'person');
    name(others, 'Others', 'engine');
    for (const id of [ours, others]) life.move(id, one);
    const branchTitle = (nodeId: string) => life.forest.branches[nodeOf(life.forest, nodeId).branchId]?.title;
    expect([branchTitle(ours), branchTitle(others)]).toEqual(['Taxes 2024', null]);
    life.move(ours, null);
    const tree = () => life.forest.trees[nodeOf(life.forest, ours).treeId];
    expect(tree()).toMatchObject({ title: 'Taxes 2024', titledBy: 'person' });
    for (let twice = 0; twice < 2; twice++) life.do({ type: 'undo' });
    life.do({ type: 'undo' });
    expect(tree()).toMatchObject({ title: 'Taxes 2024', titledBy: 'person' });
  });

  test('what a detached turn has been given since stays when detaching it is undone', () => {
    const life = new Life();
    const one = life.say(null, 'one');
    const two = life.say(one, 'two');
    const reply = { nodeId: two, replyId: 'r' };
    const record = (event: (Intent & { type: 'record' })['event']) => life.do({ type: 'record', step: null, event });
    record({ type: 'reply-started', ...reply, model: 'm', context: null });
    record({ type: 'reply-received', ...reply, text: 'It begins' });
    record({ type: 'reply-ended', ...reply, state: 'interrupted', failure: null, timings: [] });
    const fresh = { treeId: life.id(), branchId: life.id() };
    life.do({ type: 'extract', nodeId: two, fresh, at: 7, step: life.id() });
    record({ type: 'reply-resumed', ...reply });
    record({ type: 'reply-received', ...reply, text: ' and ends.' });
    record({ type: 'reply-ended', ...reply, state: 'done', failure: null, timings: [] });
    life.do({ type: 'undo' });
    expect(nodeOf(life.forest, two)).toMatchObject({ parentId: one, label: null });
    expect(nodeOf(life.forest, two).replies).toMatchObject([{ text: 'It begins and ends.', state: 'done' }]);
  });

  test('what a reply has been given since stays when another one is undone and redone', () => {
    const life = new Life();
    const nodeId = life.say(null, 'one');
    const record = (event: (Intent & { type: 'record' })['event'], step: string | null = null) =>
      life.do({ type: 'record', step, event });
    const first = { nodeId, replyId: 'r1' };
    record({ type: 'reply-started', ...first, model: 'm', context: null });
    record({ type: 'reply-received', ...first, text: 'Half' });
    record({ type: 'reply-ended', ...first, state: 'stopped', failure: null, timings: [] });
    record({ type: 'reply-started', nodeId, replyId: 'r2', model: 'm', context: null }, life.id());
    life.do({ type: 'undo' });
    record({ type: 'reply-resumed', ...first });
    record({ type: 'reply-received', ...first, text: ' and half.' });
    life.do({ type: 'redo' });
    expect(nodeOf(life.forest, nodeId).replies).toMatchObject([{ text: 'Half and half.' }, { id: 'r2', text: '' }]);
    record({ type: 'reply-ended', ...first, state: 'done', failure: null, timings: [] });
    life.do({ type: 'undo' });
    expect(nodeOf(life.forest, nodeId).replies).toMatchObject([{ text: 'Half and half.', state: 'done' }]);
  });

  describe('a reply that takes the place of one without a word', () => {
    const begun = (text: string) => {
      const life = new Life();
      const nodeId = life.say(null, 'one');
      const record = (event: (Intent & { type: 'record' })['event'], step: string | null = null) =>
        life.do({ type: 'record', step, event });
      const first = { nodeId, replyId: 'r1' };
      record({ type: 'reply-started', ...first, model: 'm', context: null });
      record({ type: 'reply-received', ...first, text });
      record({ type: 'reply-ended', ...first, state: 'failed', failure: 'gone', timings: [] });
      record({ type: 'reply-started', nodeId, replyId: 'r2', model: 'm', context: null, replaces: 'r1' }, life.id());
      return { life, replies: () => nodeOf(life.forest, nodeId).replies.map(({ id }) => id) };
    };

    test('has it back where it is undone', () => {
      const { life, replies } = begun('');
      expect(replies()).toEqual(['r2']);
      life.do({ type: 'undo' });
      expect(replies()).toEqual(['r1']);
      life.do({ type: 'redo' });
      expect(replies()).toEqual(['r2']);
      expect(violations(life.forest)).toEqual([]);
    });

    test('leaves it where it has words by then', () => {
      expect(begun('half').replies()).toEqual(['r1', 'r2']);
    });
  });

  test('nothing goes under itself', () => {
    const life = new Life();
    const a = life.say(null);
    const b = life.say(a);
    expect(life.move(a, b)).toEqual({ ok: false, refusal: 'under-itself' });
  });
});

describe('deleting turns alone', () => {
  test('needs one turn to begin their topic, once all of them are gone', () => {
    const life = new Life();
    const remove = (...nodeIds: string[]) => life.do({ type: 'delete', nodeIds, alone: true, step: life.id() });
    const root = life.say(null);
    const child = life.say(root);
    const one = life.say(child);
    const other = life.say(child);
    expect(remove(root, child)).toEqual({ ok: false, refusal: 'several-branches' });
    expect(remove(root, child, one).ok).toBe(true);
    expect(treesOf(life.forest).map(({ rootId }) => rootId)).toEqual([other]);
    life.do({ type: 'undo' });
    const leaf = life.say(root);
    expect(remove(root)).toEqual({ ok: false, refusal: 'several-branches' });
    expect(remove(root, leaf).ok).toBe(true);
    expect(treesOf(life.forest).map(({ rootId }) => rootId)).toEqual([child]);
    expect(violations(life.forest)).toEqual([]);
  });
});

describe('the rules of a valid forest', () => {
  test('are checked in linear time: the path above each turn is not walked again', () => {
    const life = new Life();
    const turns = 500;
    let last: string | null = null;
    for (let number = 1; number <= turns; number++) last = life.say(last);
    let reads = 0;
    const counting: ProxyHandler<Node> = {
      get: (node, key) => {
        if (key === 'parentId') reads++;
        return Reflect.get(node, key);
      },
    };
    const nodes = Object.fromEntries(recordsOf(life.forest.nodes).map((node) => [node.id, new Proxy(node, counting)]));
    expect(violations({ ...life.forest, nodes })).toEqual([]);
    expect(reads / turns).toBeLessThan(10);
  });

  test('are broken by turns that are their own ancestors, and by what hangs below them', () => {
    const life = new Life();
    const a = life.say(null);
    const b = life.say(a);
    life.say(b);
    life.say(null);
    const nodes = { ...life.forest.nodes, [a]: { ...nodeOf(life.forest, a), parentId: b } };
    const cyclic = violations({ ...life.forest, nodes }).filter((rule) => rule.includes('its own ancestor'));
    expect(cyclic).toEqual([1, 2, 3].map((number) => `turn ${number} is its own ancestor`));
  });
});

test('an id that every object has already is refused at the border', () => {
  const entry = {
    v: 1,
    seq: 1,
    at: 0,
    step: null,
    event: { type: 'summarised', nodeId: '__proto__', text: 's', by: 'm' },
  };
  expect(Entry.safeParse(entry).success).toBe(false);
  expect(Entry.safeParse({ ...entry, event: { ...entry.event, nodeId: 'n1' } }).success).toBe(true);
  const isRead = (nodeId: string): boolean => {
    const segments = [{ kind: 'turn-summary', nodeId, text: 's', tokens: 1 }];
    const context = { policy: 'focused', segments, tokens: 1, fullHistoryTokens: 1, unit: 'm' };
    const event = { type: 'reply-started', nodeId: 'n1', replyId: 'r1', model: 'm', context };
    return Entry.safeParse({ ...entry, event }).success;
  };
  expect(['constructor', 'n2'].map(isRead)).toEqual([false, true]);
});

test('turns that a log has outside its steps end what can be undone: earlier steps say nothing of them', () => {
  const life = new Life();
  const a = life.say(null);
  const b = life.say(a);
  const add = (event: Event): void => {
    const entry: Entry = { v: LOG_VERSION, seq: life.entries.length + 1, at: 0, step: null, event };
    life.entries.push(entry);
    apply(life.forest, entry);
  };
  const { treeId, branchId } = nodeOf(life.forest, b);
  const decision = { topic: 'continue-topic' as const, branch: null, by: 'import' as const, trace: null };
  add({ type: 'message-sent', nodeId: 'c', message: 'three', given: null, target: null });
  add({ type: 'turn-placed', nodeId: 'c', placement: { treeId, branchId, parentId: b }, decision });
  expect(life.do({ type: 'undo' })).toEqual({ ok: false, refusal: 'nothing-to-undo' });
  // As such a log goes on where the earlier steps were undone and redone all the same.
  const [first, second] = life.entries.flatMap(({ step }) => step ?? []).filter((one, at, all) => all[at - 1] !== one);
  const d = life.say('c');
  life.do({ type: 'undo' });
  for (const step of [second, first]) add({ type: 'undone', step: step ?? '' });
  for (const step of [first, second]) add({ type: 'redone', step: step ?? '' });
  expect(life.forest.nodes[d]).toBeUndefined();
  expect(life.do({ type: 'redo' }).ok).toBe(true);
  expect(recordsOf(life.forest.nodes).map(({ number, id }) => [number, id])).toEqual(
    [a, b, 'c', d].map((id, at) => [at + 1, id]),
  );
  expect(violations(life.forest)).toEqual([]);
});

describe('files that come with a message', () => {
  const SECRET = 'The key lies under the third flower pot by the door.';
  const report = { id: 'aa11', name: 'report.txt', mediaType: 'text/plain', size: 40, text: SECRET };
  const missing = { id: null, name: 'cat.png', mediaType: 'image/png', size: 0 };
  const withFiles = () => {
    const life = new Life();
    const nodeId = life.id();
    const event = { type: 'message-sent' as const, nodeId, message: 'Read this.', given: null, target: null };
    life.do({ type: 'record', step: life.id(), event: { ...event, attachments: [report, missing] } });
    life.place(nodeId, null);
    return { life, nodeId };
  };

  test('belong to its turn, go with it when it is undone, and come back', () => {
    const { life, nodeId } = withFiles();
    expect(nodeOf(life.forest, nodeId).attachments).toEqual([report, missing]);
    expect([...attachmentIds(life.entries)]).toEqual(['aa11']);
    for (const entry of life.entries) expect(Entry.parse(JSON.parse(JSON.stringify(entry)))).toEqual(entry);
    life.do({ type: 'undo' });
    expect(life.forest.nodes[nodeId]).toBeUndefined();
    life.do({ type: 'redo' });
    expect(nodeOf(life.forest, nodeId).attachments).toEqual([report, missing]);
  });

  test('are purged with it: their names, what was read from them, and what others quote of it', () => {
    const { life, nodeId } = withFiles();
    const other = life.say(nodeId, `So: ${SECRET}`);
    life.purge([nodeId]);
    const log = JSON.stringify(life.entries);
    expect(log).not.toContain('flower pot');
    expect(log).not.toContain('report.txt');
    expect(nodeOf(life.forest, other).message).toContain('[purged]');
    expect(attachmentIds(life.entries).size).toBe(0);
  });
});
