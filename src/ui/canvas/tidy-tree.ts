/** A tree by places: parents before children, row by row, and the children of one in a row of their own. */
export interface RowedTree {
  /** −1 for the root, which is the first. */
  readonly parents: Int32Array;
  /** Of each the place of its first child, and how many it has. */
  readonly firsts: Int32Array;
  readonly counts: Int32Array;
  /** The row of each, from 0. */
  readonly rows: Int32Array;
}

/**
 * Where each node of a tidy tree stands across, the root at 0: Buchheim, Jünger and Leipert, “Improving Walker’s Algorithm to
 * Run in Linear Time” (2002). Siblings are a `pitch` apart, cousins so many times that. It is what `tree` of d3-hierarchy gives, which makes
 * an object of each node twice: of a hundred thousand turns that was half of what drawing them first took.
 */
export const tidyTree = (
  { parents, firsts, counts, rows }: RowedTree,
  pitch: number,
  cousins: number,
): Float64Array => {
  const size = parents.length;
  // As the paper calls them: preliminary place, modifier, change and shift; thread and ancestor.
  const prelim = new Float64Array(size);
  const modifier = new Float64Array(size);
  const change = new Float64Array(size);
  const shift = new Float64Array(size);
  const thread = new Int32Array(size).fill(-1);
  const ancestor = Int32Array.from(parents, (_, at) => at);
  /** Of a parent, the ancestor that is taken where none is known. */
  const usual = new Int32Array(size).fill(-1);

  const at = (values: Float64Array | Int32Array, place: number): number => values[place] as number;
  const add = (values: Float64Array, place: number, value: number): void => {
    values[place] = at(values, place) + value;
  };
  const nextLeft = (v: number): number => (at(counts, v) > 0 ? at(firsts, v) : at(thread, v));
  const nextRight = (v: number): number => (at(counts, v) > 0 ? at(firsts, v) + at(counts, v) - 1 : at(thread, v));
  const apart = (a: number, b: number): number => (at(parents, a) === at(parents, b) ? 1 : cousins);

  const moveSubtree = (from: number, to: number, by: number): void => {
    const each = by / (to - from);
    add(change, to, -each);
    add(shift, to, by);
    add(change, from, each);
    add(prelim, to, by);
    add(modifier, to, by);
  };

  const executeShifts = (v: number): void => {
    let [sum, changes] = [0, 0];
    for (let w = at(firsts, v) + at(counts, v) - 1; w >= at(firsts, v); w--) {
      add(prelim, w, sum);
      add(modifier, w, sum);
      changes += at(change, w);
      sum += at(shift, w) + changes;
    }
  };

  const apportion = (v: number, left: number, known: number): number => {
    let found = known;
    let [innerRight, outerRight, innerLeft, outerLeft] = [v, v, left, at(firsts, at(parents, v))];
    let [sumInnerRight, sumOuterRight] = [at(modifier, innerRight), at(modifier, outerRight)];
    let [sumInnerLeft, sumOuterLeft] = [at(modifier, innerLeft), at(modifier, outerLeft)];
    for (;;) {
      innerLeft = nextRight(innerLeft);
      innerRight = nextLeft(innerRight);
      if (innerLeft < 0 || innerRight < 0) break;
      outerLeft = nextLeft(outerLeft);
      outerRight = nextRight(outerRight);
      ancestor[outerRight] = v;
      const by =
        at(prelim, innerLeft) + sumInnerLeft - at(prelim, innerRight) - sumInnerRight + apart(innerLeft, innerRight);
      if (by > 0) {
        const own = at(ancestor, innerLeft);
        moveSubtree(at(parents, own) === at(parents, v) ? own : found, v, by);
        sumInnerRight += by;
        sumOuterRight += by;
      }
      sumInnerLeft += at(modifier, innerLeft);
      sumInnerRight += at(modifier, innerRight);
      sumOuterLeft += at(modifier, outerLeft);
      sumOuterRight += at(modifier, outerRight);
    }
    if (innerLeft >= 0 && nextRight(outerRight) < 0) {
      thread[outerRight] = innerLeft;
      add(modifier, outerRight, sumInnerLeft - sumOuterRight);
    }
    if (innerRight >= 0 && nextLeft(outerLeft) < 0) {
      thread[outerLeft] = innerRight;
      add(modifier, outerLeft, sumInnerRight - sumOuterLeft);
      found = v;
    }
    return found;
  };

  const place = (v: number): void => {
    const parent = at(parents, v);
    const first = parent < 0 ? v : at(firsts, parent);
    const left = v > first ? v - 1 : -1;
    if (at(counts, v) > 0) {
      executeShifts(v);
      const middle = (at(prelim, at(firsts, v)) + at(prelim, at(firsts, v) + at(counts, v) - 1)) / 2;
      if (left < 0) prelim[v] = middle;
      else {
        prelim[v] = at(prelim, left) + apart(v, left);
        modifier[v] = at(prelim, v) - middle;
      }
    } else if (left >= 0) prelim[v] = at(prelim, left) + apart(v, left);
    if (parent < 0) return;
    const known = at(usual, parent) < 0 ? first : at(usual, parent);
    usual[parent] = left < 0 ? known : apportion(v, left, known);
  };

  // Row by row from the lowest, in each from the left: what is below a node, and left of it, has its place.
  for (let end = size; end > 0; ) {
    let begin = end - 1;
    while (begin > 0 && at(rows, begin - 1) === at(rows, end - 1)) begin--;
    for (let v = begin; v < end; v++) place(v);
    end = begin;
  }

  const xs = new Float64Array(size);
  if (size > 0) modifier[0] = at(modifier, 0) - at(prelim, 0);
  for (let v = 0; v < size; v++) {
    const parent = at(parents, v);
    if (parent >= 0) {
      xs[v] = (at(prelim, v) + at(modifier, parent)) * pitch;
      add(modifier, v, at(modifier, parent));
    }
  }
  return xs;
};
