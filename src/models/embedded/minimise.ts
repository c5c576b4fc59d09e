const MEMORY = 12;
const SUFFICIENT_DECREASE = 1e-4;
const SMALLEST_STEP = 1e-10;
const FLAT = 1e-5;

/**
 * The point where a smooth function is least, from the origin: L-BFGS with backtracking (Nocedal & Wright 2006,
 * algorithm 7.5). `f` returns the value and writes the slope.
 */
export const minimise = (
  f: (point: Float64Array, slope: Float64Array) => number,
  size: number,
  iterations: number,
): Float64Array => {
  let point = new Float64Array(size);
  let slope = new Float64Array(size);
  let value = f(point, slope);
  const past: { s: Float64Array; y: Float64Array; rho: number }[] = [];
  for (let round = 0; round < iterations; round++) {
    const direction = descent(slope, past);
    const fall = dot(direction, slope);
    if (fall > -FLAT) break;
    let step = past.length === 0 ? 1 / Math.sqrt(dot(slope, slope)) : 1;
    for (;;) {
      const next = point.map((x, i) => x + step * (direction[i] as number));
      const nextSlope = new Float64Array(size);
      const nextValue = f(next, nextSlope);
      if (nextValue <= value + SUFFICIENT_DECREASE * step * fall) {
        const s = next.map((x, i) => x - (point[i] as number));
        const y = nextSlope.map((x, i) => x - (slope[i] as number));
        const curvature = dot(s, y);
        if (curvature > SMALLEST_STEP) past.push({ s, y, rho: 1 / curvature });
        if (past.length > MEMORY) past.shift();
        [point, slope, value] = [next, nextSlope, nextValue];
        break;
      }
      step /= 2;
      if (step < SMALLEST_STEP) return point;
    }
  }
  return point;
};

const descent = (
  slope: Float64Array,
  past: readonly { s: Float64Array; y: Float64Array; rho: number }[],
): Float64Array => {
  const q = slope.map((x) => -x);
  const alphas: number[] = [];
  for (const { s, y, rho } of past.toReversed()) {
    const alpha = rho * dot(s, q);
    alphas.unshift(alpha);
    for (let i = 0; i < q.length; i++) q[i] = (q[i] as number) - alpha * (y[i] as number);
  }
  const last = past.at(-1);
  const gamma = last === undefined ? 1 : dot(last.s, last.y) / dot(last.y, last.y);
  for (let i = 0; i < q.length; i++) q[i] = (q[i] as number) * gamma;
  for (const [k, { s, y, rho }] of past.entries()) {
    const beta = rho * dot(y, q);
    for (let i = 0; i < q.length; i++) q[i] = (q[i] as number) + ((alphas[k] as number) - beta) * (s[i] as number);
  }
  return q;
};

const dot = (a: Float64Array, b: Float64Array): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
};
