import { expect, test } from 'vitest';
import type { LabelledDialogue } from '../src/features/evaluate/datasets/dialogues.ts';
import { unansweredOf, unansweredShare, withoutReplies, withStockReplies } from './training-sets.ts';

const turn = (message: string, reply: string | null, parent: number | null) => ({
  message,
  reply,
  parent,
  also: [],
  disputed: false,
});

const dialogue: LabelledDialogue = {
  set: 'everyday-own',
  id: 'paint',
  group: 'paint',
  language: 'de',
  labels: 'parents',
  turns: [
    turn('welche farbe für die küche', 'Eine abwaschbare, matte Dispersionsfarbe.', null),
    turn('wie viele schichten', null, 0),
    ...Array.from({ length: 30 }, (_, at) => turn(`und ${at}`, `Antwort ${at}`, at + 1)),
  ],
};

test('replies that say nothing take the place of some, and nothing else changes', () => {
  const read = withStockReplies(dialogue, 4);
  expect(read).toEqual(withStockReplies(dialogue, 4));
  expect(read.set).toBe('everyday-own-stock');
  expect(read.turns.map(({ reply: _, ...rest }) => rest)).toEqual(dialogue.turns.map(({ reply: _, ...rest }) => rest));
  for (const [at, { reply }] of dialogue.turns.entries()) if (reply === null) expect(read.turns[at]?.reply).toBeNull();
});

test('some conversations have one reply for everything, and others keep some of theirs', () => {
  const kinds = Array.from({ length: 40 }, (_, seed) => {
    const { turns } = withStockReplies(dialogue, seed);
    return {
      different: new Set(turns.flatMap(({ reply }) => reply ?? [])).size,
      kept: turns.filter(({ reply }, at) => reply !== null && reply === dialogue.turns[at]?.reply).length,
    };
  });
  const always = kinds.filter(({ different }) => different === 1);
  expect(always.length).toBeGreaterThan(4);
  expect(always.length).toBeLessThan(25);
  for (const { different, kept } of kinds) if (different > 1) expect(kept).toBeGreaterThan(3);
});

test('where nobody replies our own everyday talk is read as if nobody did, and once each', () => {
  const written = ['everyday-own', 'everyday-own-recut', 'everyday-restless', 'everyday-restless-recut', 'coppice'];
  const all = written.map((set) => ({ ...dialogue, set }));
  const alone = { ...withoutReplies(dialogue), set: 'everyday-whole-quoted' };
  const read = unansweredOf([...all, withoutReplies(dialogue), withStockReplies(dialogue, 1), alone]);
  expect(read.map(({ set }) => set).sort()).toEqual([...written.map((set) => `${set}-quoted`), alone.set].sort());
  for (const { set, turns } of read) {
    expect(turns.every(({ reply }) => reply === null)).toBe(true);
    expect(unansweredShare(set)).toBeGreaterThan(0);
  }
});
