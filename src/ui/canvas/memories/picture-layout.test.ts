import { expect, test } from 'vitest';
import { CARD, type Rect } from '../geometry.ts';
import type { TreeLayout } from '../layout.ts';
import { isGrid, layOutGroups, layoutBlocks, layoutGrid, layoutTidy, type Piece } from './picture-layout.ts';

const piece = (id: string, parent: string | null = null): Piece => ({ id, parent });
/** A root above clusters of six facts. */
const clusters = (count: number): Piece[] => [
  piece('root'),
  ...Array.from({ length: count }, (_, at) => [
    piece(`c${at}`, 'root'),
    ...Array.from({ length: 6 }, (_, fact) => piece(`f${at}.${fact}`, `c${at}`)),
  ]).flat(),
];
const boxes = ({ xs, ys }: TreeLayout): Rect[] => [...xs].map((x, at) => ({ x, y: ys[at] as number, ...CARD }));
const overlap = (a: Rect, b: Rect): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
const anyOverlap = (all: readonly Rect[]): boolean => all.some((a, i) => all.slice(i + 1).some((b) => overlap(a, b)));

test('a broad tree becomes a block about as broad as asked, with no card over another and children below parents', () => {
  const pieces = clusters(20);
  const tidy = layoutTidy(pieces);
  const block = layoutBlocks(pieces, 1.5);
  expect(tidy.width / tidy.height).toBeGreaterThan(20);
  expect(block.width / block.height).toBeLessThan(5);
  expect(anyOverlap(boxes(block))).toBe(false);
  for (const [at, parent] of block.parents.entries()) {
    if (parent !== -1) expect(block.ys[at]).toBeGreaterThan(block.ys[parent] as number);
  }
  for (const { x, y } of boxes(block)) {
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + CARD.width).toBeLessThanOrEqual(block.width);
    expect(y + CARD.height).toBeLessThanOrEqual(block.height);
  }
});

test('a chain of any length is laid out', () => {
  const chain = Array.from({ length: 20_000 }, (_, at) => piece(`n${at}`, at === 0 ? null : `n${at - 1}`));
  expect(layoutBlocks(chain, 1.5).width).toBe(CARD.width);
});

test('rows are filled in order', () => {
  const grid = layoutGrid(
    ['a', 'b', 'c'].map((id) => piece(id)),
    2,
  );
  expect(isGrid(grid)).toBe(true);
  expect([...grid.ys].map((y) => y > 0)).toEqual([false, false, true]);
  expect(grid.xs[2]).toBe(0);
});

test('groups fill the pane that they are for', () => {
  const group = (id: string, pieces: readonly Piece[], as: 'tree' | 'rows') => ({
    id,
    title: id,
    heading: { note: '', plain: false },
    order: 0,
    pieces,
    as,
  });
  const groups = [
    group('facts', clusters(30), 'tree'),
    group(
      'alone',
      ['x', 'y', 'z'].map((id) => piece(id)),
      'rows',
    ),
  ];
  for (const aspect of [0.5, 1, 2]) {
    const { layout } = layOutGroups(groups, aspect);
    const shape = layout.width / layout.height;
    expect(shape).toBeGreaterThan(aspect / 2.5);
    expect(shape).toBeLessThan(aspect * 2.5);
    const all = layout.trees.flatMap((placed) =>
      boxes(placed.tree).map((box) => ({ ...box, x: box.x + placed.x, y: box.y + placed.y })),
    );
    expect(anyOverlap(all)).toBe(false);
  }
  // A small tree keeps the layout of the canvas.
  const small = [piece('r'), piece('s', 'r'), piece('t', 'r')];
  const [placed] = layOutGroups([group('small', small, 'tree')], 1.4).layout.trees;
  expect(placed?.tree.xs).toEqual(layoutTidy(small).xs);
});
