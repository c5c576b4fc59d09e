import { expect, test } from 'vitest';
import { VectorTable } from './vector-table.ts';

// Not a multiple of the number of values read at once.
const DIMENSIONS = 40;
/** More rows than the kernel is given at once. */
const ROWS = 1_100;

const madeUp = (seed: number): Float32Array =>
  Float32Array.from({ length: DIMENSIONS }, (_, at) => Math.sin(seed * 37 + at * 11) / 4);

test.each([1, 2, 3, 300, ROWS - 1, ROWS])(
  'the similarities of %i rows are their dot products, each the same alone',
  (count) => {
    const vectors = Array.from({ length: ROWS }, (_, i) => madeUp(i));
    const table = new VectorTable(DIMENSIONS);
    vectors.forEach((vector, i) => {
      table.set(`n${i}`, vector);
    });
    const to = madeUp(ROWS);
    const rows = Int32Array.from({ length: count }, (_, i) => (i * 769) % ROWS);
    const found = table.similarities(rows, to);
    expect(found).toHaveLength(count);
    rows.forEach((row, i) => {
      const product = (vectors[row] as Float32Array).reduce((sum, value, at) => sum + value * (to[at] as number), 0);
      expect(found[i]).toBeCloseTo(product, 5);
      expect(table.similarityOf(row, to)).toBe(found[i]);
    });
  },
);
