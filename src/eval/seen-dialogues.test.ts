import { describe, expect, test } from 'vitest';
import { FOLDS, foldsAmong, hashOf, seenIn } from './seen-dialogues.ts';

const trees = Array.from({ length: 9 }, (_, at) => ({ set: 'cast2022', group: `${at}` }));
const mix = (...at: number[]) => ({
  set: 'cast2022-interleaved',
  group: `${at[0]}`,
  groups: at.map((one) => `${one % trees.length}`),
});
const mixes = trees.map((_, at) => (at % 2 === 0 ? mix(at, at + 1, at + 2) : mix(at, at + 1)));
const foldsOf = foldsAmong([...trees, ...mixes]);
const leftOutOf = (fold: number) => trees.filter((tree) => foldsOf(tree).includes(fold)).map(({ group }) => group);

describe('the folds of trees that conversations are put together from', () => {
  test('leave out every such conversation whole in one fold at least', () => {
    for (const { groups } of mixes) {
      const whole = Array.from({ length: FOLDS }, (_, fold) => leftOutOf(fold)).filter((out) =>
        groups.every((group) => out.includes(group)),
      );
      expect(whole.length).toBeGreaterThanOrEqual(1);
    }
  });

  test('keep a conversation out of the training of a fold that leaves out any of its trees', () => {
    for (const one of mixes) {
      for (const group of one.groups) {
        for (const fold of foldsOf({ set: 'cast2022', group })) expect(foldsOf(one)).toContain(fold);
      }
    }
  });

  test('leave most of the trees in', () => {
    for (let fold = 0; fold < FOLDS; fold++) expect(leftOutOf(fold).length).toBeLessThan(trees.length / 2);
  });
});

test('any other dialogue is left out of one fold, by its group', () => {
  expect(foldsOf({ set: 'sgd', group: '13' })).toEqual([hashOf('13') % FOLDS]);
});

test('a tree is recognised in every fold that leaves it out, and a message of several dialogues in none', () => {
  const dialogue = (tree: number, message: string) => ({
    ...(trees[tree] as (typeof trees)[number]),
    id: `${tree}`,
    labels: 'parents' as const,
    turns: [{ message, reply: null, parent: null, disputed: false }],
  });
  const own = 'What is the oldest tree in the world?';
  const common = 'Can you tell me some more about that?';
  const seen = seenIn([dialogue(1, own), dialogue(2, common), dialogue(6, common)], foldsOf);
  const of = (text: string) => seen.flatMap((hashes, fold) => (hashes.includes(hashOf(text)) ? [fold] : []));
  expect(of(own)).toEqual(foldsOf(trees[1] as (typeof trees)[number]));
  expect(of(common)).toEqual([]);
});
