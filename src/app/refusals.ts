import type { Refusal } from '../domain/handle.ts';
import { type Kernel, notify } from './kernel.ts';

const REFUSALS: Partial<Record<Refusal, string>> = {
  'turn-pending': 'A message is still finding its place. Try again in a moment.',
  'under-itself': 'A turn cannot hang from one of its own descendants.',
  'already-there': 'It is there already.',
  'already-labelled': 'You have said where it belongs already.',
  'several-branches':
    'Several branches begin at this first turn. Move them elsewhere first, or delete it with all under it.',
  'on-its-path': 'That turn is on its path: it is sent anyway.',
  'unknown-turn': 'That turn is no longer there.',
  'unknown-topic': 'That topic is no longer there.',
  'nothing-to-undo': 'There is nothing to undo.',
  'nothing-to-redo': 'There is nothing to redo.',
};

/** Why an intent was not carried out, in words. */
export const refusalInWords = (refusal: Refusal): string => REFUSALS[refusal] ?? `Not possible (${refusal}).`;

export const tellRefusal = (kernel: Kernel, refusal: Refusal): void => notify(kernel, refusalInWords(refusal));
