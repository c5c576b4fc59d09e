import { NUMBERS } from '../../app/saved-settings.ts';
import type { Forest, NodeId } from '../../domain/forest.ts';
import { sum } from '../../domain/numbers.ts';
import { childrenOf, replyOf } from '../../domain/queries.ts';
import { recordsOf, sizeOf } from '../../domain/table.ts';
import { type Rerun, rerun } from '../../engine/history/re-run.ts';
import type { RerunModels } from '../../engine/history/re-run-models.ts';
import type { LoggedForest, RerunWatch } from '../../engine/history/what-if.ts';
import { type PlacementDifference, placementDifferences, type WhatIf } from '../../engine/history/what-if.ts';
import type { Parameters } from '../../engine/parameters.ts';

/** Parameters that are numbers. */
export type SweptParameter = {
  [K in keyof Parameters]: Parameters[K] extends number | null ? K : never;
}[keyof Parameters];

/** A parameter's range, both ends included. */
export interface Range {
  readonly parameter: SweptParameter;
  readonly from: number;
  readonly to: number;
  readonly steps: number;
}

/** The range of θ for the paper's own experiments. */
export const THETA_RANGE: Range = { parameter: 'theta', from: 0.3, to: 0.9, steps: 10 };

/** The outcome for one value. */
export interface SweepPoint {
  readonly value: number;
  readonly question: WhatIf;
  readonly differences: readonly PlacementDifference[];
  /** Turns with another decided parent than in the original, … */
  readonly moved: number;
  /** … and than with the previous value. */
  readonly movedSince: number;
  readonly shape: Shape;
  readonly rerun: Rerun;
}

/**
 * The values of a range, in order; integers if both ends are and the steps allow it. A parameter that takes whole
 * numbers only has fewer values where the range holds no more.
 */
export const valuesOf = ({ parameter, from, to, steps }: Range): number[] => {
  if (steps <= 1) return [from];
  const onlyWhole = NUMBERS[parameter].whole;
  const whole = onlyWhole || (Number.isInteger(from) && Number.isInteger(to) && Math.abs(to - from) >= steps - 1);
  const values = Array.from({ length: steps }, (_, at) => from + ((to - from) * at) / (steps - 1));
  // Rounds to a thousandth, or finer if the range is small.
  const fine = 10 ** Math.max(3, 2 - Math.floor(Math.log10(Math.abs(to - from) || 1)));
  const rounded = values.map((value) => (whole ? Math.round(value) : Math.round(value * fine) / fine));
  return onlyWhole ? [...new Set(rounded)] : rounded;
};

/** Re-runs a conversation with each value and calls `onPoint` with each result. Rejects if the signal is aborted. */
export const sweep = async (
  shared: RerunModels,
  original: LoggedForest,
  question: WhatIf,
  range: Range,
  watch: RerunWatch,
  onPoint: (point: SweepPoint) => void,
): Promise<void> => {
  let last: LoggedForest = original;
  const values = valuesOf(range);
  for (const [at, value] of values.entries()) {
    const own: WhatIf = { ...question, parameters: { ...question.parameters, [range.parameter]: value } };
    const made = await rerun(shared, original.entries, own, {
      ...watch,
      progress: (done, of) => watch.progress(at * of + done, values.length * of),
    });
    const found = placementDifferences(original, made);
    onPoint({
      value,
      question: own,
      differences: found,
      moved: movedIn(found),
      movedSince: at === 0 ? 0 : movedIn(placementDifferences(last, made)),
      shape: shapeOf(made.forest),
      rerun: made,
    });
    last = made;
  }
};

/** Number of turns with another decided parent. */
export const movedIn = (found: readonly PlacementDifference[]): number =>
  found.filter(({ change }) => change === 'moved').length;

/** The totals of a forest. */
export interface Shape {
  readonly topics: number;
  readonly branches: number;
  /** Turns with more than one child. */
  readonly forks: number;
  /** Total over the contexts of all replies that count. */
  readonly tokens: number;
  /** The mean over the turns of which it is known what was sent, as not of imported ones; null if there are none. */
  readonly tokensPerTurn: number | null;
  /** Names of the tokenizers that counted them. */
  readonly units: readonly string[];
}

export const shapeOf = (forest: Forest): Shape => {
  const nodes = recordsOf(forest.nodes);
  const contexts = nodes.flatMap((node) => replyOf(node)?.context ?? []);
  const tokens = sum(contexts.map((context) => context.tokens));
  return {
    topics: sizeOf(forest.trees),
    branches: sizeOf(forest.branches),
    forks: nodes.filter(({ id }) => childrenOf(forest, id).length > 1).length,
    tokens,
    tokensPerTurn: contexts.length === 0 ? null : Math.round(tokens / contexts.length),
    units: [...new Set(contexts.map(({ unit }) => unit))],
  };
};

/** Tokens of the context of one turn's reply; null if unknown. */
export const tokensOf = (forest: Forest, nodeId: NodeId): number | null => {
  const node = forest.nodes[nodeId];
  return (node === undefined ? undefined : replyOf(node)?.context?.tokens) ?? null;
};
