import { describe, expect, test } from 'vitest';
import type { LabelledDialogue } from '../src/features/evaluate/datasets/dialogues.ts';
import { recut } from './recut.ts';

/** Everyone opens with three messages on one topic, then two on another, and comes back. */
const alike = Array.from({ length: 40 }, (_, at): LabelledDialogue => {
  const parents = [null, 0, 1, null, 3, 2, 5];
  const turns = parents.map((parent, turn) => ({ message: `${at}.${turn}`, reply: null, parent, disputed: false }));
  return {
    set: 'everyday-own',
    id: `${at}`,
    group: `${at}`,
    labels: 'parents',
    language: at < 30 ? 'en' : 'de',
    turns,
  };
});
const foldOf = ({ group }: LabelledDialogue) => Number(group) % 5;
const cut = recut(alike, foldOf);
const topicOf = (message: string): string => {
  const [dialogue = '', turn] = message.split('.');
  return `${dialogue}${turn === '3' || turn === '4' ? 'b' : 'a'}`;
};

describe('conversations cut otherwise', () => {
  test('topics change at any place, from the second message on', () => {
    for (const at of [1, 2, 3, 4, 5, 6]) {
      const opening = cut.filter(({ turns }) => turns[at]?.parent === null).length;
      expect(opening).toBeGreaterThan(0);
      expect(opening).toBeLessThan(cut.length * 0.7);
    }
  });

  test('a turn goes on in the topic that it was of, after the nearest turn of it that was taken', () => {
    for (const { turns } of cut) {
      const last = new Map<string, number>();
      for (const [at, { message, parent }] of turns.entries()) {
        const topic = topicOf(message);
        expect(parent).toBe(last.get(topic) ?? null);
        last.set(topic, at);
      }
    }
  });

  test('what is put together is of one language and one fold, and says whose texts it has', () => {
    const of = new Map(alike.map((dialogue) => [dialogue.group, dialogue]));
    for (const dialogue of cut) {
      const sources = new Set(dialogue.turns.map(({ message }) => message.split('.')[0]));
      expect(new Set(dialogue.groups)).toEqual(sources);
      for (const group of dialogue.groups ?? []) {
        expect(of.get(group)?.language).toBe(dialogue.language);
        expect(foldOf(of.get(group) as LabelledDialogue)).toBe(foldOf(dialogue));
      }
    }
  });

  test('the same each time', () => {
    expect(recut(alike, foldOf)).toEqual(cut);
  });
});
