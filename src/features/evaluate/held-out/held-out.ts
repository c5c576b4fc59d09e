import type { WhatIfDeciders } from '../../../engine/history/what-if.ts';
import type { Decider } from '../../../engine/ports.ts';
import { once } from '../../../engine/tasks.ts';
import { type Model, type PackedModel, unpackModel } from '../../../models/embedded/boosted-trees.ts';
import {
  type DeciderWeights,
  type PackedWeights,
  shippedWeights,
  unpackWeights,
} from '../../../models/embedded/decider-weights.ts';
import { createEmbeddedDecider } from '../../../models/embedded/embedded-decider.ts';
import { shippedReconsidering } from '../../../models/embedded/reconsider.ts';
import { createWhatIfDeciders } from '../../../models/embedded/what-if-deciders.ts';
import type { LabelledDialogue } from '../datasets/dialogues.ts';
import { recognising } from './seen-dialogues.ts';
import seen from './weights/seen.json';

/** Folds of the cross-validation that the weights beside this file come from. */
const WEIGHTS: readonly (() => Promise<{ default: PackedWeights }>)[] = [
  () => import('./weights/fold-0.json'),
  () => import('./weights/fold-1.json'),
  () => import('./weights/fold-2.json'),
  () => import('./weights/fold-3.json'),
  () => import('./weights/fold-4.json'),
];

/** Likewise of what a decider makes of replies. */
const RECONSIDERING: readonly (() => Promise<{ default: PackedModel }>)[] = [
  () => import('./weights/reconsider-0.json'),
  () => import('./weights/reconsider-1.json'),
  () => import('./weights/reconsider-2.json'),
  () => import('./weights/reconsider-3.json'),
  () => import('./weights/reconsider-4.json'),
];

/** The fold that a dialogue was in when the shipped decider was trained; null if it was not trained on. */
export const trainedFold = recognising(seen);

/** The learned decider with weights that were not fitted to this dialogue: the shipped ones, or those of its fold. */
export const learnedFor = (dialogue: LabelledDialogue): Decider => {
  const fold = trainedFold(dialogue);
  const known = deciders.get(fold);
  if (known !== undefined) return known;
  const decider = createEmbeddedDecider(weightsFor(fold), undefined, reconsideringFor(fold));
  deciders.set(fold, decider);
  return decider;
};

/** The weights that were not fitted to a fold's dialogues; those that ship for what was not trained on. */
export const weightsFor = (fold: number | null): (() => Promise<DeciderWeights>) =>
  fold === null ? shippedWeights : once(() => weightsOf(fold));

/** The deciders of re-runs with weights that were not fitted to a dialogue of these messages; null where none that ship were. */
export const heldOutDeciders = (messages: readonly string[]): WhatIfDeciders | null => {
  const fold = trainedFold({ turns: messages.map((message) => ({ message })) });
  return fold === null ? null : createWhatIfDeciders(weightsFor(fold), reconsideringFor(fold));
};

const deciders = new Map<number | null, Decider>();

const reconsideringFor = (fold: number | null): (() => Promise<Model>) =>
  fold === null ? shippedReconsidering : once(async () => unpackModel(await ofFold(RECONSIDERING, fold)));

const weightsOf = async (fold: number): Promise<DeciderWeights> => unpackWeights(await ofFold(WEIGHTS, fold));

const ofFold = async <W>(files: readonly (() => Promise<{ default: W }>)[], fold: number): Promise<W> => {
  const load = files[fold];
  if (load === undefined) throw new Error(`there are no weights of fold ${fold}`);
  return (await load()).default;
};
