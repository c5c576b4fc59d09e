/** One of several choices, with what speaks for and against it. A feature that is not named is 0. */
export interface Choice {
  readonly features: Readonly<Record<string, number>>;
}

/** Of each feature: log-odds for one unit of it, and what it is on average, so that a reason can say what is unusual. */
export type Model = Readonly<Record<string, readonly [weight: number, mean: number]>>;

/** Probabilities of the choices by conditional logit (McFadden 1974): softmax of their weighted features. */
export const probabilities = (choices: readonly Choice[], model: Model): number[] => {
  const scores = choices.map((choice) => scoreOf(choice, model));
  const top = Math.max(...scores);
  const odds = scores.map((score) => Math.exp(score - top));
  const sum = odds.reduce((total, value) => total + value, 0);
  return odds.map((value) => value / sum);
};

export const scoreOf = ({ features }: Choice, model: Model): number => {
  let score = 0;
  for (const name in features) score += (model[name]?.[0] ?? 0) * (features[name] ?? 0);
  return score;
};

/** Features under names of their own for one kind of choice: the same fact weighs differently on each. */
export const prefixed = (kind: string, features: Readonly<Record<string, number>>): Record<string, number> => {
  const named: Record<string, number> = {};
  for (const name in features) named[`${kind}: ${name}`] = features[name] ?? 0;
  return named;
};
