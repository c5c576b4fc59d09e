import { ModelFailure } from '../../../engine/model-failure.ts';

/** How the next token is chosen. */
export interface Sampling {
  /** 0: always the likeliest. */
  readonly temperature: number;
  readonly topP: number;
  readonly topK: number;
}

/** Tokens less likely than this beside the likeliest never come up; leaving them out spares sorting a whole vocabulary. */
const NEGLIGIBLE = 1e-6;

/**
 * The next token by its logits. transformers.js itself knows no top-p. Rejects with `untrusted` where the logits are no
 * numbers, as a quantised model on a GPU may have them. `random` is from 0 to below 1.
 */
export const sampled = (
  logits: Float32Array,
  { temperature, topP, topK }: Sampling,
  allowed: Iterable<number> | null,
  random: () => number,
): number => {
  const ids = allowed === null ? logits.keys() : allowed;
  const tokens: { id: number; logit: number }[] = [];
  let best = { id: -1, logit: Number.NEGATIVE_INFINITY };
  const floor = temperature * Math.log(NEGLIGIBLE);
  for (const id of ids) {
    const logit = logits[id] ?? Number.NEGATIVE_INFINITY;
    if (Number.isNaN(logit)) throw untrusted();
    if (logit > best.logit) best = { id, logit };
    if (temperature > 0 && logit > best.logit + floor) tokens.push({ id, logit });
  }
  if (best.id < 0 || best.logit === Number.POSITIVE_INFINITY) throw untrusted();
  if (temperature === 0) return best.id;
  const likely = tokens.sort((a, b) => b.logit - a.logit).slice(0, topK > 0 ? topK : undefined);
  const weights = likely.map(({ logit }) => Math.exp((logit - best.logit) / temperature));
  const nucleus = nucleusOf(weights, topP);
  let left = random() * nucleus.reduce((sum, weight) => sum + weight, 0);
  const chosen = nucleus.findIndex((weight) => {
    left -= weight;
    return left < 0;
  });
  return likely[Math.max(0, chosen)]?.id ?? best.id;
};

/** The fewest of the likeliest that make up `topP` of all; at least one. */
const nucleusOf = (weights: readonly number[], topP: number): readonly number[] => {
  const wanted = topP * weights.reduce((sum, weight) => sum + weight, 0);
  let sum = 0;
  const last = weights.findIndex((weight) => {
    sum += weight;
    return sum >= wanted;
  });
  return last < 0 ? weights : weights.slice(0, last + 1);
};

const untrusted = (): ModelFailure =>
  new ModelFailure(
    'untrusted',
    'The model gave no numbers for its next word. Choose another model, or another device.',
  );
