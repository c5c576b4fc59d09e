/** One of several choices, with what speaks for and against it. A feature that is not named is 0. */
export interface Choice {
  readonly features: Readonly<Record<string, number>>;
}

/** Log-odds for one unit of each feature. */
export type Weights = Readonly<Record<string, number>>;

/** Probabilities of the choices by conditional logit (McFadden 1974): softmax of their weighted features. */
export const probabilities = (choices: readonly Choice[], weights: Weights): number[] => {
  const scores = choices.map((choice) => scoreOf(choice, weights));
  const top = Math.max(...scores);
  const odds = scores.map((score) => Math.exp(score - top));
  const sum = odds.reduce((total, value) => total + value, 0);
  return odds.map((value) => value / sum);
};

export const scoreOf = ({ features }: Choice, weights: Weights): number => {
  let score = 0;
  for (const name in features) score += (weights[name] ?? 0) * (features[name] ?? 0);
  return score;
};
