import type { Why } from '../../../domain/context.ts';
import type { NodeId } from '../../../domain/forest.ts';
import { type Known, type Needs, NO_NEED, type TurnNeed, whyOf } from './need.ts';
import { type NeedFeatures, needFeaturesOf, type Part, weighedTurns } from './need-features.ts';
import shipped from './need-weights.json' with { type: 'json' };

/** By part and feature: what one of it adds to the log-odds that the part is needed. */
export type NeedWeights = Readonly<Record<Part, Readonly<Record<string, number>>>>;

/** Probability that a part is needed: a logistic regression, fitted by src/eval/train-need.ts. */
const needBy = (features: NeedFeatures, weights: Readonly<Record<string, number>>): number => {
  let odds = 0;
  for (const [name, value] of Object.entries(features)) odds += value * (weights[name] ?? 0);
  return 1 / (1 + Math.exp(-odds));
};

/** Need as the fitted model estimates it. */
export const needsByModel = (known: Known, weights: NeedWeights = shipped): Needs => {
  const featuresOf = needFeaturesOf(known);
  const needs = new Map<NodeId, TurnNeed>(
    weighedTurns(known).map((turn) => {
      const why: Why[] = whyOf(known, turn);
      const message = needBy(featuresOf(turn, 'message'), weights.message);
      const reply = needBy(featuresOf(turn, 'reply'), weights.reply);
      return [turn.id, { message, reply, why }];
    }),
  );
  return (nodeId) => needs.get(nodeId) ?? NO_NEED;
};
