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
import { createDialogueMatcher } from './seen-dialogues.ts';
import seen from './weights/seen.json';

/** Weights of the cross-validation folds, stored beside this file. */
const WEIGHTS: readonly (() => Promise<{ default: PackedWeights }>)[] = [
  () => import('./weights/fold-0.json'),
  () => import('./weights/fold-1.json'),
  () => import('./weights/fold-2.json'),
  () => import('./weights/fold-3.json'),
  () => import('./weights/fold-4.json'),
];

/** The same for the models that reconsider placements after replies. */
const RECONSIDERING: readonly (() => Promise<{ default: PackedModel }>)[] = [
  () => import('./weights/reconsider-0.json'),
  () => import('./weights/reconsider-1.json'),
  () => import('./weights/reconsider-2.json'),
  () => import('./weights/reconsider-3.json'),
  () => import('./weights/reconsider-4.json'),
];

/** The fold that a dialogue was in when the shipped decider was trained; null if it was not in the training data. */
export const trainedFold = createDialogueMatcher(seen);

/** Returns the learned decider with weights not fitted to this dialogue: the shipped ones, or those of its fold. */
export const learnedFor = (dialogue: LabelledDialogue): Decider => {
  const fold = trainedFold(dialogue);
  const known = deciders.get(fold);
  if (known !== undefined) return known;
  const decider = createEmbeddedDecider(weightsFor(fold), undefined, reconsideringFor(fold));
  deciders.set(fold, decider);
  return decider;
};

/** Returns weights not fitted to a fold's dialogues; the shipped ones for null. */
export const weightsFor = (fold: number | null): (() => Promise<DeciderWeights>) =>
  fold === null ? shippedWeights : once(() => weightsOf(fold));

/** The deciders for re-runs, with weights not fitted to a dialogue with these messages; null if the shipped weights already qualify. */
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
