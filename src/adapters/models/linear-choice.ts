/** One of several choices, with what speaks for and against it. A feature that is not named is 0. */
export interface Choice {
  readonly features: Features;
  /** Features that it has in common with other choices; apart, for copying them took longer than deciding. */
  readonly common?: Features;
}

export type Features = Readonly<Record<string, number>>;

/** All features of a choice. */
export const featuresOf = ({ features, common }: Choice): Features =>
  common === undefined ? features : { ...common, ...features };

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

const scoreOf = ({ features, common = {} }: Choice, model: Model): number =>
  sumOf(features, model) + sumOf(common, model);

const sumOf = (features: Features, model: Model): number => {
  let sum = 0;
  for (const name in features) sum += (model[name]?.[0] ?? 0) * (features[name] ?? 0);
  return sum;
};

/** Features under names of their own for one kind of choice: the same fact weighs differently on each. */
export const prefixed = (kind: string, features: Readonly<Record<string, number>>): Record<string, number> => {
  const names = namesUnder(kind);
  const named: Record<string, number> = {};
  for (const name in features) {
    let full = names.get(name);
    if (full === undefined) {
      full = `${kind}: ${name}`;
      names.set(name, full);
    }
    named[full] = features[name] ?? 0;
  }
  return named;
};

// Names are joined once: as new strings they took most of a decision's time.
const joined = new Map<string, Map<string, string>>();
const namesUnder = (kind: string): Map<string, string> => {
  const names = joined.get(kind) ?? new Map<string, string>();
  joined.set(kind, names);
  return names;
};
