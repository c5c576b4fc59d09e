import { type Facts, isOfStudy, type Lesson, lessonKey } from '../../../engine/lessons.ts';
import { softmax } from '../../../engine/vectors/vector-math.ts';
import { factIn, nameOf, offsetsOf, type QuestionFacts, type Weights, wordsNamed } from './lesson-facts.ts';

/** A question with the log-odds of its choices without the layer, and the right choice. */
export interface LabelledQuestion extends QuestionFacts {
  readonly choices: Lesson['choices'];
  readonly right: number;
}

/** Questions as other people ask them, which one person's lessons must not spoil. */
export interface GeneralQuestions {
  readonly questions: readonly LabelledQuestion[];
  /** Wording facts that are not specific to one person. */
  readonly wordings: ReadonlySet<string>;
}

interface LessonFit {
  readonly weights: Weights;
  /** Share of the weights bearing on general questions that the guard kept, 0–1. Already applied to `weights`. */
  readonly share: number;
  /** Number of lessons it was fitted to. */
  readonly lessons: number;
  /** The person's own corrections among them, by turn, and how many would still be decided against the person. */
  readonly corrections: { readonly of: number; readonly missed: number };
}

/**
 * Beyond this many, the oldest lessons are dropped: people change, and a fit stays within milliseconds. Those of studies go
 * first, because a study has more turns than anybody corrects.
 */
export const MOST_LESSONS = 400;

interface Strengths {
  /**
   * Prior standard deviation of a weight, in log-odds: of wording that no general question has, of wording that one has, and of
   * everything else. Wording that only this person uses cannot cost anyone else.
   */
  readonly own: number;
  readonly common: number;
  readonly other: number;
  /** Weight of one general question relative to one lesson; it says that nothing should change. */
  readonly general: number;
}

/** Chosen on simulated persons (measure/personal): the most that 50 lessons teach at no cost to general questions. */
const STRENGTHS: Strengths = { own: 2.5, common: 0.15, other: 0.2, general: 1 };

/** Turns that must carry a wording before it is learned: once is chance, or what the message was about. */
const TWICE = 2;
const ITERATIONS = 60;
/**
 * Shares tried by the guard, and the fraction of the general questions that may be lost: two fifths of the promised one in a
 * hundred, because not all conversations are like them.
 */
const SHARES = [1, 0.75, 0.5, 0.25];
const TOLERANCE = 0.004;

/**
 * Fits what the lessons teach: a conditional logit on top of the decider's own log-odds, at its most probable weights under a
 * Gaussian prior around 0. The general questions pull each answer to where it was without lessons (the penalty by Fisher
 * information of Kirkpatrick et al. 2017, undiluted: the divergence itself). Then the weights that bear on them are scaled back
 * until next to none of them is lost. The order of the lessons does not matter.
 */
export const fitLessons = (
  lessons: readonly Lesson[],
  { questions: general, wordings }: GeneralQuestions,
  strengths: Strengths = STRENGTHS,
): LessonFit => {
  const kept = lessons.toSorted(byWorth).slice(-MOST_LESSONS);
  const names = namesIn(kept);
  if (names.length === 0) return { weights: {}, share: 1, lessons: kept.length, corrections: correctionsIn(kept, {}) };
  const index = new Map(names.map((name, at) => [name, at]));
  const rows = [
    ...kept.map((lesson) => rowOf(lesson, index, oneHot(lesson), 1)),
    ...general.map((question) => rowOf(question, index, softmax(basesOf(question)), strengths.general)),
  ].filter(({ cells }) => cells.some(({ at }) => at.length > 0));
  const pull = Float64Array.from(names, (name) => 1 / spreadOf(name, wordings, strengths) ** 2);
  const point = minimise((at, slope) => loss(rows, pull, at, slope), names.length, ITERATIONS);
  const full = Object.fromEntries(names.map((name, at) => [name, point[at] ?? 0]));
  // Wording that nobody else uses affects nobody else: only the rest is scaled back.
  const scaled = (share: number): Weights =>
    Object.fromEntries(names.map((name) => [name, (full[name] ?? 0) * (isOwn(factIn(name), wordings) ? 1 : share)]));
  const share = SHARES.find((part) => lost(scaled(part), general) <= TOLERANCE * general.length) ?? 0;
  const weights = scaled(share);
  return { weights, share, lessons: kept.length, corrections: correctionsIn(kept, weights) };
};

/** A turn may teach two things: it counts as one correction, missed if either is answered wrongly. */
const correctionsIn = (lessons: readonly Lesson[], weights: Weights): LessonFit['corrections'] => {
  const corrected = lessons.filter((lesson) => lesson.by === 'correction' && !isOfStudy(lesson));
  const missed = corrected.filter((lesson) => answerTo(lesson, weights) !== lesson.right);
  return { of: turnsIn(corrected), missed: turnsIn(missed) };
};
const turnsIn = (lessons: readonly Lesson[]): number => new Set(lessons.map(turnOf)).size;

/** The most worth keeping last. */
const byWorth = (a: Lesson, b: Lesson): number =>
  Number(isOfStudy(b)) - Number(isOfStudy(a)) || a.at - b.at || compare(lessonKey(a), lessonKey(b));
const turnOf = ({ conversationId, nodeId }: Lesson): string => JSON.stringify([conversationId, nodeId]);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Whether a fact is a wording of this person's own. */
const isOwn = (fact: string, wordings: ReadonlySet<string>): boolean =>
  wordsNamed(fact) !== null && !wordings.has(fact);

const spreadOf = (name: string, wordings: ReadonlySet<string>, { own, common, other }: Strengths): number => {
  const fact = factIn(name);
  if (isOwn(fact, wordings)) return own;
  return wordsNamed(fact) === null ? other : common;
};

/** Names of the weights that the lessons bear on. */
const namesIn = (lessons: readonly Lesson[]): string[] => {
  const carriers = new Map<string, Set<string>>();
  for (const lesson of lessons) {
    for (const fact in lesson.message) carriers.set(fact, (carriers.get(fact) ?? new Set()).add(turnOf(lesson)));
  }
  const names = new Set<string>();
  const add = (action: string, facts: Facts) => {
    for (const fact in facts) {
      if (wordsNamed(fact) === null || (carriers.get(fact)?.size ?? 0) >= TWICE) names.add(nameOf(action, fact));
    }
  };
  for (const { message, choices } of lessons) {
    for (const { action, facts } of choices) {
      add(action, message);
      add(action, facts);
    }
  }
  return [...names].sort();
};

interface Row {
  readonly bases: readonly number[];
  /** The weights that bear on each choice, and by how much. */
  readonly cells: readonly { readonly at: Int32Array; readonly value: Float64Array }[];
  /** Probability that each choice should have. */
  readonly wanted: readonly number[];
  readonly weight: number;
}

const basesOf = ({ choices }: LabelledQuestion): number[] => choices.map(({ base }) => base);
const oneHot = ({ choices, right }: LabelledQuestion): number[] => choices.map((_, at) => (at === right ? 1 : 0));

const rowOf = (
  question: LabelledQuestion,
  index: ReadonlyMap<string, number>,
  wanted: readonly number[],
  weight: number,
): Row => ({
  bases: basesOf(question),
  wanted,
  weight,
  cells: question.choices.map(({ action, facts }) => {
    const known = [...Object.entries(question.message), ...Object.entries(facts)].flatMap(([fact, value]) => {
      const at = index.get(nameOf(action, fact));
      return at === undefined || value === 0 ? [] : [{ at, value }];
    });
    return { at: Int32Array.from(known, ({ at }) => at), value: Float64Array.from(known, ({ value }) => value) };
  }),
});

/** Negative log-posterior, up to a constant; writes its gradient to `slope`. */
const loss = (rows: readonly Row[], pull: Float64Array, point: Float64Array, slope: Float64Array): number => {
  let total = 0;
  for (let i = 0; i < point.length; i++) {
    const value = point[i] as number;
    slope[i] = (pull[i] as number) * value;
    total += ((pull[i] as number) * value * value) / 2;
  }
  for (const { bases, cells, wanted, weight } of rows) {
    const chances = softmax(
      cells.map(({ at, value }, choice) => {
        let score = bases[choice] as number;
        for (let j = 0; j < at.length; j++) score += (point[at[j] as number] as number) * (value[j] as number);
        return score;
      }),
    );
    for (const [choice, { at, value }] of cells.entries()) {
      const chance = chances[choice] as number;
      const share = wanted[choice] as number;
      if (share > 0) total -= weight * share * Math.log(Math.max(chance, Number.MIN_VALUE));
      const push = weight * (chance - share);
      for (let j = 0; j < at.length; j++)
        slope[at[j] as number] = (slope[at[j] as number] as number) + push * (value[j] as number);
    }
  }
  return total;
};

/** Counts general questions that were answered correctly without the weights and no longer are: gains elsewhere do not count. */
const lost = (weights: Weights, general: readonly LabelledQuestion[]): number =>
  general.filter((question) => {
    if (foremost(basesOf(question)) !== question.right) return false;
    return answerTo(question, weights) !== question.right;
  }).length;

/** Index of the choice made with the weights. */
const answerTo = (question: LabelledQuestion, weights: Weights): number => {
  const offsets = offsetsOf(weights, question);
  return foremost(basesOf(question).map((base, at) => base + (offsets[at] ?? 0)));
};

const foremost = (scores: readonly number[]): number => scores.indexOf(Math.max(...scores));

const MEMORY = 12;
const SUFFICIENT_DECREASE = 1e-4;
const SMALLEST_STEP = 1e-10;
const FLAT = 1e-5;

/**
 * Minimises a smooth function, starting at the origin: L-BFGS with backtracking (Nocedal & Wright 2006, algorithm 7.5). `f`
 * returns the value and writes the gradient to `slope`.
 */
const minimise = (
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
