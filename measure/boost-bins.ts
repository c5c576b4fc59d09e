/** Columns of features cut into few bins, so that a tree looks at counts instead of at every row. */
export interface Binned {
  readonly rows: number;
  readonly columns: number;
  /** Bin of each row's each column, row by row. */
  readonly bins: Uint8Array;
  /** Of each column the lower bounds of its bins but the first; a value is in the bin of the last bound that it reaches. */
  readonly bounds: readonly Float32Array[];
}

/** More did not measure better. */
export const MOST_BINS = 48;

export const binned = (table: readonly Float32Array[], columns: number): Binned => {
  const bounds = Array.from({ length: columns }, (_, column) => boundsOf(table.map((row) => row[column] as number)));
  const bins = new Uint8Array(table.length * columns);
  for (const [at, row] of table.entries()) {
    for (let column = 0; column < columns; column++) {
      bins[at * columns + column] = binOf(bounds[column] as Float32Array, row[column] as number);
    }
  }
  return { rows: table.length, columns, bins, bounds };
};

/** Between all values where they are few, else at quantiles. */
const boundsOf = (values: readonly number[]): Float32Array => {
  const sorted = Float32Array.from(values).sort();
  const distinct = [...new Set(sorted)];
  if (distinct.length <= MOST_BINS) {
    return Float32Array.from(distinct.slice(1), (value, at) => ((distinct[at] as number) + value) / 2);
  }
  const quantiles = Array.from(
    { length: MOST_BINS - 1 },
    (_, at) => sorted[Math.floor(((at + 1) * sorted.length) / MOST_BINS)] as number,
  );
  return Float32Array.from(new Set(quantiles));
};

const binOf = (bounds: Float32Array, value: number): number => {
  let low = 0;
  let high = bounds.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value < (bounds[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return low;
};
