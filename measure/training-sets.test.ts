import { expect, test } from 'vitest';
import type { LabelledDialogue } from '../src/features/evaluate/datasets/dialogues.ts';
import { withStockReplies } from './training-sets.ts';

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
