import { expect, test } from 'vitest';
import { fold } from '../../domain/apply.ts';
import type { Segment } from '../../domain/context.ts';
import type { Decision } from '../../domain/decision.ts';
import type { PlainEvent } from '../../domain/event-kinds.ts';
import { type Node, PERSON } from '../../domain/forest.ts';
import { defaultReplySettings } from '../../domain/reply.ts';
import type { StoryScene } from '../../domain/story.ts';
import { Life } from '../../domain/testing/random-life.ts';
import { packed, readSharedLink, withoutDeleted } from './shared-link.ts';

const breathe = async () => undefined;

const shared = ({ entries, forest }: Life) => withoutDeleted(entries, forest, breathe);

const lived = () => {
  const life = new Life();
  const first = life.say(null, 'An oak, ünïcode and 🌳');
  const gone = life.say(first, 'a secret');
  life.say(first, 'And a ship?');
  life.do({ type: 'delete', nodeIds: [gone], alone: false, step: life.id() });
  return shared(life);
};

test('a link holds the whole conversation, and nothing of what was deleted', async () => {
  const conversation = await lived();
  const link = await packed(conversation, breathe);
  expect(link).toMatch(/^#shared=[\w-]+$/);
  const read = await readSharedLink(link);
  expect(read).toEqual({ ok: true, conversation });
  expect(JSON.stringify(read)).not.toContain('a secret');
});

test('a link holds no note that was removed, and no title or story that was replaced', async () => {
  const life = new Life();
  const turn = life.say(null, 'An oak');
  const { treeId, branchId } = life.forest.nodes[turn] as Node;
  const record = (event: PlainEvent) => life.do({ type: 'record', step: life.id(), event });
  const scene = (caption: string): StoryScene => ({
    id: 'scene',
    nodeId: turn,
    panel: 'reply',
    view: 'turn',
    caption,
    notes: 'a secret',
  });
  for (const words of ['a secret', 'shown']) {
    record({ type: 'conversation-titled', title: words });
    record({ type: 'topic-titled', treeId, title: words, by: 'person' });
    record({ type: 'branch-titled', branchId, title: words });
    record({ type: 'turn-noted', nodeId: turn, note: words });
    record({ type: 'story-told', scenes: [scene(words)] });
  }
  const { entries } = await shared(life);
  expect(JSON.stringify(entries)).not.toContain('a secret');
  const { title, story, trees, branches, nodes } = fold(entries);
  const before = life.forest;
  expect({ title, story, trees, branches, nodes }).toEqual({
    title: before.title,
    story: [{ ...scene('shown'), notes: '' }],
    trees: before.trees,
    branches: before.branches,
    nodes: before.nodes,
  });
});

test.each(['Be brief. a secret', 'Be brief.\n\na secret', 'a secret. Be brief.'])(
  'a link holds no instructions that were replaced, however they begin: %j',
  async (former) => {
    const life = new Life();
    const turn = life.say(null, 'An oak');
    const record = (event: PlainEvent) => life.do({ type: 'record', step: life.id(), event });
    const kept: string[] = [];
    for (const systemPrompt of [former, 'Be brief.']) {
      record({ type: 'reply-settings-set', settings: { ...defaultReplySettings, systemPrompt } });
      const text = `${systemPrompt}\n\nAnswer.`;
      const segments = [{ kind: 'instructions' as const, text, tokens: 4 }];
      const context = { policy: 'full-history', segments, tokens: 4, fullHistoryTokens: 4, unit: 'm' };
      record({ type: 'reply-started', nodeId: turn, replyId: systemPrompt.length.toString(), model: 'm', context });
      record({
        type: 'reply-ended',
        nodeId: turn,
        replyId: systemPrompt.length.toString(),
        state: 'done',
        failure: null,
        timings: [],
      });
      kept.push(text);
    }
    const text = JSON.stringify(await shared(life));
    expect(text).not.toContain('a secret');
    expect(text).toContain(JSON.stringify(kept[1]));
  },
);

test('a link holds no instructions and no summary that were replaced', async () => {
  const life = new Life();
  const turn = life.say(null, 'An oak');
  const { branchId } = life.forest.nodes[turn] as Node;
  const record = (event: PlainEvent) => life.do({ type: 'record', step: life.id(), event });
  for (const [words, by] of [
    ['shown, a secret', 'm'],
    ['shown', PERSON],
  ] as const) {
    record({ type: 'reply-settings-set', settings: { ...defaultReplySettings, systemPrompt: words } });
    record({ type: 'summarised', nodeId: turn, text: words, by });
    const context = {
      policy: 'full-history',
      segments: [
        { kind: 'instructions' as const, text: `${words}\n\nBe brief.`, tokens: 4 },
        { kind: 'turn-summary' as const, nodeId: turn, text: `Turn 1, in short: ${words}`, tokens: 4 },
        { kind: 'reference-summary' as const, nodeId: turn, neededBy: turn, text: words, tokens: 4 },
      ],
      tokens: 4,
      fullHistoryTokens: 4,
      unit: 'm',
    };
    for (const text of [`- Branch: ${words}`, `- Branch: ${words.slice(0, -1)} …`]) {
      const line = { kind: 'branch' as const, branchId, nodeIds: [turn], text, tokens: 4 };
      record({ type: 'overview-built', overview: { id: life.id(), branchId, lines: [line] } });
    }
    record({ type: 'reply-started', nodeId: turn, replyId: `by ${by}`, model: 'm', context });
    record({ type: 'reply-ended', nodeId: turn, replyId: `by ${by}`, state: 'done', failure: null, timings: [] });
  }
  const { entries, forest } = await shared(life);
  expect(JSON.stringify([entries, forest])).not.toContain('a secre');
  expect(JSON.stringify(forest)).toContain('"Turn 1, in short: shown"');
  expect(JSON.stringify(forest)).toContain('"- Branch: shown"');
  expect(fold(entries)).toEqual(forest);
  expect(forest.replySettings).toEqual(life.forest.replySettings);
  expect(forest.nodes[turn]?.summary).toEqual(life.forest.nodes[turn]?.summary);
});

test('a link keeps the name of a branch that was moved out', async () => {
  const life = new Life();
  const root = life.say(null, 'one');
  life.say(root, 'two');
  const fork = life.say(root, 'three');
  const { branchId } = life.forest.nodes[fork] as Node;
  life.do({ type: 'record', step: life.id(), event: { type: 'branch-titled', branchId, title: 'Plan' } });
  life.move(fork, null);
  const { entries } = await shared(life);
  expect(fold(entries).trees).toEqual(life.forest.trees);
});

test('a link holds no reply that was undone, nor what was sent for it, nor why one failed', async () => {
  const life = new Life();
  const turn = life.say(null, 'An oak');
  const later = life.say(turn, 'And a ship?');
  const reply = (nodeId: string, replyId: string, text: string, step: string | null, segments: Segment[] = []) => {
    const failed = { role: 'embed' as const, from: 'm', to: 'words', why: 'a secret address' };
    const fallbacks = nodeId === later ? [failed] : [];
    const context = { policy: 'focused', segments, tokens: 4, fullHistoryTokens: 4, unit: 'm', fallbacks };
    life.do({ type: 'record', step, event: { type: 'reply-started', nodeId, replyId, model: 'm', context } });
    life.do({ type: 'record', step: null, event: { type: 'reply-received', nodeId, replyId, text } });
    const ended = { state: 'failed' as const, failure: 'a secret address', timings: [] };
    life.do({ type: 'record', step: null, event: { type: 'reply-ended', nodeId, replyId, ...ended } });
  };
  reply(turn, 'first', 'Shown.', null);
  reply(turn, 'second', 'a secret', life.id(), [{ kind: 'instructions', text: 'a secret', tokens: 4 }]);
  const part = { kind: 'shortened' as const, nodeId: turn, replyLength: 8, wordsLeftOut: 1, tokens: 4 };
  reply(later, 'third', 'Shown, too.', null, [{ ...part, replyId: 'second', reply: 'a secret' }]);
  expect(life.do({ type: 'undo' }).ok).toBe(true);
  const { entries, forest } = await shared(life);
  expect(JSON.stringify([entries, forest])).not.toContain('a secret');
  const before = life.forest.nodes[turn] as Node;
  expect(forest.nodes[turn]).toEqual({ ...before, replies: before.replies.map((one) => ({ ...one, failure: null })) });
});

test('a message that is being placed is not in a link, and what comes after it is', async () => {
  const life = new Life();
  const turn = life.say(null, 'An oak');
  life.send('a secret');
  life.do({ type: 'record', step: null, event: { type: 'summarised', nodeId: turn, text: 'Oaks', by: 'm' } });
  const { entries, forest } = await shared(life);
  expect(JSON.stringify(entries)).not.toMatch(/a secret|\[purged\]/);
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, at) => at + 1));
  expect(forest).toMatchObject({ pending: {}, turnCount: 1, nodes: { [turn]: { summary: { text: 'Oaks' } } } });
});

test('a link is titled without the words of a turn that was deleted, and by the title that was given then', async () => {
  const life = new Life();
  const first = life.say(null, 'The door code is 4711');
  life.say(first, 'How is bread baked?');
  const { treeId } = life.forest.nodes[first] as Node;
  const title = (words: string) =>
    life.do({ type: 'record', step: null, event: { type: 'topic-titled', treeId, title: words, by: 'person' } });
  title('Door code 4711');
  life.do({ type: 'delete', nodeIds: [first], alone: true, step: life.id() });
  expect((await shared(life)).title).toBe('[purged]');
  title('Baking bread');
  const { title: final, entries } = await shared(life);
  expect(final).toBe('Baking bread');
  expect(JSON.stringify(entries)).not.toContain('4711');
});

test('a link holds no prompt with a title or summary that was replaced, nor the title itself', async () => {
  const life = new Life();
  const turn = life.say(null, 'An oak');
  const { treeId } = life.forest.nodes[turn] as Node;
  const record = (event: PlainEvent) => life.do({ type: 'record', step: life.id(), event });
  const asked = (content: string, title: string) => {
    const nodeId = life.send();
    const answer = { action: 'continue-topic', confidence: null, reasons: [], raw: content, decider: 'm' };
    const prompt = [{ role: 'user', content }];
    const topic = { rule: 'asked', answer: { ...answer, prompt }, target: treeId };
    const candidates = [{ treeId, title, similarity: 0.5, active: true }];
    const decision = {
      topic: 'continue-topic',
      branch: null,
      by: 'engine',
      trace: { topic: { ...topic, candidates }, fallbacks: [{ role: 'decide', why: 'a secret address' }] },
    };
    const fresh = { treeId: life.id(), branchId: life.id() };
    life.do({ type: 'place', nodeId, parentId: turn, fresh, decision: decision as unknown as Decision });
  };
  for (const words of ['a secret of mine', 'shown']) {
    record({ type: 'topic-titled', treeId, title: words, by: 'person' });
    record({ type: 'summarised', nodeId: turn, text: `In short: ${words}`, by: PERSON });
    asked(`Topic: ${words}`, words);
    asked(`Turn 1: In short: ${words}, and more`, words);
  }
  const { entries } = await shared(life);
  expect(JSON.stringify(entries)).not.toContain('a secret');
  expect(JSON.stringify(entries)).toContain('Topic: shown');
  expect(JSON.stringify(entries)).toContain('Turn 1: In short: shown');
});

test.each([
  ['cut off', (link: string) => link.slice(0, -20)],
  ['changed', (link: string) => `${link.slice(0, 40)}xyz${link.slice(43)}`],
  ['empty', () => '#shared='],
  ['no link at all', () => '#shared=%%%'],
])('a link that is %s is refused in words', async (_, spoil) => {
  const read = await readSharedLink(spoil(await packed(await lived(), breathe)));
  expect(read).toEqual({ ok: false, why: expect.stringContaining('damaged or was cut off') });
});

test('entries that make no sound forest are refused', async () => {
  const { title, entries, forest } = await lived();
  const read = await readSharedLink(await packed({ title, entries: entries.toSpliced(1, 1), forest }, breathe));
  expect(read.ok).toBe(false);
});

test('a link with a message that waits for its place, and would be sent unseen, is refused', async () => {
  const life = new Life();
  life.say(null, 'An oak');
  life.send('Unseen');
  const { entries, forest } = life;
  const read = await readSharedLink(await packed({ title: 'Oaks', entries, forest }, breathe));
  expect(read.ok).toBe(false);
});
