import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LabelledDialogue } from '../datasets/dialogues.ts';
import { interleavedConversations, interleaveTrees } from './datasets.ts';
import { goldPlaces } from './placements.ts';

/** A tree whose messages name their own turn and tree, and the turn they hang from. */
const tree = (id: string, parents: readonly (number | null)[]): LabelledDialogue => ({
  set: 'made',
  id,
  group: id,
  labels: 'parents',
  turns: parents.map((parent, at) => ({
    message: `${id} ${at} under ${id} ${parent}`,
    reply: null,
    parent,
    disputed: false,
  })),
});

/** Any tree: each turn hangs from an earlier one. */
const anyTree = (id: string) =>
  fc.array(fc.nat(), { maxLength: 14 }).map((picks) => tree(id, [null, ...picks.map((pick, at) => pick % (at + 1))]));

const nameOf = (message: string): string => message.split(' under ')[0] ?? '';

describe('interleaved conversations', () => {
  test('every turn occurs once, under the parent that it was labelled with', () => {
    fc.assert(
      fc.property(anyTree('a'), anyTree('b'), anyTree('c'), fc.nat(99), (a, b, c, seed) => {
        const { turns } = interleaveTrees([a, b, c], 'mixed', seed);
        expect(turns.map(({ message }) => message).sort()).toEqual(
          [a, b, c].flatMap((one) => one.turns.map(({ message }) => message)).sort(),
        );
        for (const [at, { message, parent }] of turns.entries()) {
          if (parent === null) expect(message).toMatch(/under \w null$/);
          else {
            expect(parent).toBeLessThan(at);
            expect(message.split(' under ')[1]).toBe(nameOf(turns[parent]?.message ?? ''));
          }
        }
      }),
    );
  });

  test('are the same for the same seed', () => {
    const parents = [null, 0, 1, 2, 3, 1, 5, 6, 7, 0, 9, 10];
    const trees = [tree('a', parents), tree('b', parents)];
    expect(interleaveTrees(trees, 'm', 1)).toEqual(interleaveTrees(trees, 'm', 1));
    expect(interleaveTrees(trees, 'm', 1).turns).not.toEqual(interleaveTrees(trees, 'm', 2).turns);
  });

  test('have twenty turns of two trees or more, and come back to topics and branches', () => {
    const parents = [null, 0, 1, 2, 3, 1, 5, 6, 7, 0, 9, 10];
    const conversations = interleavedConversations(
      ['a', 'b', 'c', 'd'].map((id) => tree(id, parents)),
      'm',
    );
    expect(conversations).toHaveLength(4);
    for (const { turns } of conversations) {
      expect(turns.length).toBeGreaterThanOrEqual(20);
      expect(new Set(turns.map(({ message }) => message[0])).size).toBeGreaterThanOrEqual(2);
    }
    const actions = conversations.flatMap(({ turns }) =>
      goldPlaces(turns).map(({ topic, branch }) => `${topic} ${branch}`),
    );
    expect(actions).toContain('continue-topic switch-branch');
    expect(actions).toContain('continue-topic create-branch');
    expect(actions).toContain('switch-topic switch-branch');
    expect(actions).toContain('switch-topic continue-branch');
  });

  test('are not made of too little', () => {
    expect(interleavedConversations([tree('a', [null, 0]), tree('b', [null])], 'm')).toEqual([]);
    expect(interleavedConversations([tree('a', [null, ...Array.from({ length: 30 }, (_, at) => at)])], 'm')).toEqual(
      [],
    );
  });
});
