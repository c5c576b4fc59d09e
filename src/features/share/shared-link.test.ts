import { expect, test } from 'vitest';
import { fold } from '../../domain/apply.ts';
import type { PlainEvent } from '../../domain/event-kinds.ts';
import { type Node, PERSON } from '../../domain/forest.ts';
import { defaultReplySettings } from '../../domain/reply.ts';
import type { StoryScene } from '../../domain/story.ts';
import { Life } from '../../domain/testing/random-life.ts';
import { packed, readSharedLink, withoutDeleted } from './shared-link.ts';

const lived = () => {
  const life = new Life();
  const first = life.say(null, 'An oak, ünïcode and 🌳');
  const gone = life.say(first, 'a secret');
  life.say(first, 'And a ship?');
  life.do({ type: 'delete', nodeIds: [gone], alone: false, step: life.id() });
  return withoutDeleted('Trees', life.entries, fold(life.entries));
};

test('a link holds the whole conversation, and nothing of what was deleted', async () => {
  const conversation = lived();
  const link = await packed(conversation);
  expect(link).toMatch(/^#shared=[\w-]+$/);
  const read = await readSharedLink(link);
  expect(read).toEqual({ ok: true, conversation });
  expect(JSON.stringify(read)).not.toContain('a secret');
});

test('a link holds no note that was removed, and no title or story that was replaced', () => {
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
  const { entries } = withoutDeleted('Trees', life.entries, life.forest);
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
  (former) => {
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
    const shared = JSON.stringify(withoutDeleted('Trees', life.entries, life.forest));
    expect(shared).not.toContain('a secret');
    expect(shared).toContain(JSON.stringify(kept[1]));
  },
);

test('a link holds no instructions and no summary that were replaced', () => {
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
  const { entries, forest } = withoutDeleted('Trees', life.entries, life.forest);
  expect(JSON.stringify([entries, forest])).not.toContain('a secre');
  expect(JSON.stringify(forest)).toContain('"Turn 1, in short: shown"');
  expect(JSON.stringify(forest)).toContain('"- Branch: shown"');
  expect(fold(entries)).toEqual(forest);
  expect(forest.replySettings).toEqual(life.forest.replySettings);
  expect(forest.nodes[turn]?.summary).toEqual(life.forest.nodes[turn]?.summary);
});

test('a link keeps the name of a branch that was moved out', () => {
  const life = new Life();
  const root = life.say(null, 'one');
  life.say(root, 'two');
  const fork = life.say(root, 'three');
  const { branchId } = life.forest.nodes[fork] as Node;
  life.do({ type: 'record', step: life.id(), event: { type: 'branch-titled', branchId, title: 'Plan' } });
  life.move(fork, null);
  const { entries } = withoutDeleted('Trees', life.entries, life.forest);
  expect(fold(entries).trees).toEqual(life.forest.trees);
});

test.each([
  ['cut off', (link: string) => link.slice(0, -20)],
  ['changed', (link: string) => `${link.slice(0, 40)}xyz${link.slice(43)}`],
  ['empty', () => '#shared='],
  ['no link at all', () => '#shared=%%%'],
])('a link that is %s is refused in words', async (_, spoil) => {
  const read = await readSharedLink(spoil(await packed(lived())));
  expect(read).toEqual({ ok: false, why: expect.stringContaining('damaged or was cut off') });
});

test('entries that make no sound forest are refused', async () => {
  const { title, entries, forest } = lived();
  const read = await readSharedLink(await packed({ title, entries: entries.toSpliced(1, 1), forest }));
  expect(read.ok).toBe(false);
});
