import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MOUNT_LIMIT, mountsInFrame, nextMounted } from './stage.ts';

const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `n${from + at}`);

describe('nextMounted', () => {
  test('mounts the nearest first, so many a frame, until all are there', () => {
    const wanted = ids(0, 60);
    const first = nextMounted(new Set(), wanted, wanted, 24);
    expect([...first.cards]).toEqual(ids(0, 24));
    expect(first.more).toBe(true);
    const second = nextMounted(first.cards, wanted, wanted, 24);
    const third = nextMounted(second.cards, wanted, wanted, 24);
    expect(third).toEqual({ cards: new Set(wanted), more: false });
    expect(nextMounted(third.cards, wanted, wanted, 24).cards).toBe(third.cards);
  });

  test('lets cards stay that are still near, and takes those away that are not', () => {
    const { cards } = nextMounted(new Set(['near', 'far', 'n0']), ids(0, 2), ['near', ...ids(0, 2)], 24);
    expect([...cards]).toEqual(['near', 'n0', 'n1']);
  });

  test('lets the card that is held stay wherever it is, and mounts none for that', () => {
    const { cards } = nextMounted(new Set(['far', 'held', 'n0']), ids(0, 2), ids(0, 2), 24, 'held');
    expect([...cards]).toEqual(['held', 'n0', 'n1']);
    expect(nextMounted(cards, [], [], 24, 'other')).toEqual({ cards: new Set(), more: false });
  });

  test('never moves a card that stays, never mounts more than the limit', () => {
    const some = fc.uniqueArray(
      fc.integer({ min: 0, max: 500 }).map((at) => `n${at}`),
      { maxLength: MOUNT_LIMIT },
    );
    fc.assert(
      fc.property(some, some, some, fc.integer({ min: 1, max: 24 }), (before, wanted, around, atOnce) => {
        const { cards } = nextMounted(new Set(before), wanted, [...wanted, ...around], atOnce);
        expect(cards.size).toBeLessThanOrEqual(MOUNT_LIMIT);
        const kept = [...cards].filter((id) => before.includes(id));
        expect(kept).toEqual(before.filter((id) => cards.has(id)));
        expect(cards.size - kept.length).toBeLessThanOrEqual(atOnce);
      }),
    );
  });
});

test('fewer are mounted while the view moves, and fewest after a late frame', () => {
  expect(mountsInFrame(false, 60)).toBeGreaterThan(mountsInFrame(true, 16));
  expect(mountsInFrame(true, 16)).toBeGreaterThan(mountsInFrame(true, 60));
  expect(mountsInFrame(true, 60)).toBeGreaterThan(0);
});
