import { describe, expect, test } from 'vitest';
import { randomFrom } from '../src/domain/numbers.ts';
import { softmax } from '../src/engine/vectors/vector-math.ts';
import {
  type Evidence,
  evidenceFor,
  type ScoredOption,
  scoresOf,
  unpackModel,
} from '../src/models/embedded/boosted-trees.ts';
import { type Boosting, boost, type RankedExample } from './boost.ts';
import { packModel } from './pack.ts';

const SETTINGS: Boosting = {
  rounds: 60,
  rate: 0.2,
  leaves: 8,
  leastRows: 10,
  leastCurvature: 1,
  l2: 1,
  columns: 1,
  sample: 0.8,
  seed: 3,
  directions: {},
};

/** Going is right when it is near and not late, or when it is called. */
const drawn = (seed: number, count: number): RankedExample[] => {
  const random = randomFrom(seed);
  return Array.from({ length: count }, () => {
    const features = { near: random(), late: random(), called: random() < 0.1 ? 1 : 0, noise: random() };
    const goes = features.called === 1 || (features.near > 0.5 && features.late < 0.5);
    const right = random() < 0.05 ? !goes : goes;
    return { choices: [stay, { action: 'go', features }], right: right ? 1 : 0, weight: 1 };
  });
};
const stay: ScoredOption = { action: 'stay', features: {} };

const share = (examples: readonly RankedExample[], model: ReturnType<typeof boost>): number =>
  examples.filter(({ choices, right }) => {
    const scores = scoresOf(choices, model);
    return scores.indexOf(Math.max(...scores)) === right;
  }).length / examples.length;

describe('boosting trees on choices', () => {
  const model = boost(drawn(1, 2000), 'stay', SETTINGS);

  test('learns what no weighted sum can, and holds on new examples', () => {
    expect(share(drawn(2, 2000), model)).toBeGreaterThan(0.92);
  });

  test('says how sure it is', () => {
    const sure = softmax(
      scoresOf([stay, { action: 'go', features: { near: 0.9, late: 0.1, called: 0, noise: 0.5 } }], model),
    );
    expect(sure[1]).toBeGreaterThan(0.85);
    expect(sure[1]).toBeLessThan(1);
  });

  test('the same examples give the same trees', () => {
    expect(boost(drawn(1, 2000), 'stay', SETTINGS)).toEqual(model);
  });

  test('what each feature says adds up to the score, and what says nothing says little', () => {
    const choice: ScoredOption = { action: 'go', features: { near: 0.9, late: 0.9, called: 1, noise: 0.5 } };
    const { base, names, values } = evidenceFor(choice, model) as Evidence;
    const sum = values.reduce((total, value) => total + value, base);
    expect(sum).toBeCloseTo(scoresOf([choice], model)[0] as number, 4);
    expect(values[names.indexOf('called')]).toBeGreaterThan(1);
    expect(Math.abs(values[names.indexOf('noise')] as number)).toBeLessThan(0.5);
  });

  test('trees are the same after being packed', () => {
    expect(unpackModel(JSON.parse(JSON.stringify(packModel(model))))).toEqual(model);
  });

  test('a direction holds everywhere', () => {
    // `near` is misleading here: over part of its range the labels fall as it rises.
    const random = randomFrom(9);
    const examples = Array.from({ length: 1500 }, (): RankedExample => {
      const near = random();
      const goes = near < 0.3 ? random() < 0.8 : near > 0.6 ? random() < 0.7 : random() < 0.1;
      return { choices: [stay, { action: 'go', features: { near, other: random() } }], right: goes ? 1 : 0, weight: 1 };
    });
    const rising = boost(examples, 'stay', { ...SETTINGS, directions: { go: { near: 1 } } });
    for (const other of [0.1, 0.5, 0.9]) {
      const scores = Array.from(
        { length: 40 },
        (_, at) => scoresOf([{ action: 'go', features: { near: at / 40, other } }], rising).at(0) as number,
      );
      for (const [at, score] of scores.entries())
        expect(score).toBeGreaterThanOrEqual((scores[at - 1] ?? score) - 1e-6);
    }
  });

  test('a direction of an unknown feature is refused by name', () => {
    expect(() => boost(drawn(1, 50), 'stay', { ...SETTINGS, directions: { go: { nearr: 1 } } })).toThrow('nearr');
  });
});
