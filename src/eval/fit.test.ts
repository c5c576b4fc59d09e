import { describe, expect, test } from 'vitest';
import { probabilities } from '../adapters/models/linear-choice.ts';
import { fitWeights } from './fit.ts';
import { randomFrom } from './random.ts';

describe('fitting a conditional logit', () => {
  test('finds the weights that made the choices', () => {
    const random = randomFrom(5);
    const truth = { near: [3, 0], far: [-1.5, 0] } as const;
    const examples = Array.from({ length: 4000 }, () => {
      const choices = Array.from({ length: 3 }, () => ({ features: { near: random(), far: random() } }));
      const [first = 0, second = 0] = probabilities(choices, truth);
      const drawn = random();
      return { choices, right: drawn < first ? 0 : drawn < first + second ? 1 : 2, weight: 1 };
    });
    const found = fitWeights(examples, { l2: 0.01, iterations: 100 });
    expect(found.near).toBeCloseTo(3, 0);
    expect(found.far).toBeCloseTo(-1.5, 0);
  });

  test('stays at nothing where nothing was learned', () => {
    const same = { features: { constant: 1 } };
    expect(fitWeights([{ choices: [same, same], right: 0, weight: 1 }], { l2: 1, iterations: 10 })).toEqual({
      constant: 0,
    });
  });
});
