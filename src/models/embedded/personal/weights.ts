import type { Facts } from '../../../engine/place/lessons.ts';
import type { QuestionFacts } from './question-facts.ts';

/** What was learned: log-odds of an action for one unit of a fact, by `nameOf` both. */
export type Weights = Readonly<Record<string, number>>;

export const nameOf = (action: string, fact: string): string => `${action}: ${fact}`;

export const actionIn = (name: string): string => name.slice(0, name.indexOf(': '));
export const factIn = (name: string): string => name.slice(name.indexOf(': ') + 2);

/** The log-odds that the weights add to each choice, in order; all 0 from no weights. */
export const offsetsOf = (weights: Weights, { message, choices }: QuestionFacts): number[] =>
  choices.map(({ action, facts }) => sumOf(weights, action, message) + sumOf(weights, action, facts));

const sumOf = (weights: Weights, action: string, facts: Facts): number => {
  let sum = 0;
  for (const fact in facts) sum += (weights[nameOf(action, fact)] ?? 0) * (facts[fact] ?? 0);
  return sum;
};

/** Probabilities from log-odds that are known up to a constant. */
export const softmax = (scores: readonly number[]): number[] => {
  const top = Math.max(...scores);
  const odds = scores.map((score) => Math.exp(score - top));
  const sum = odds.reduce((all, value) => all + value, 0);
  return odds.map((value) => value / sum);
};
