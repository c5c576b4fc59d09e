import type { NodeId } from '../../domain/forest.ts';
import type { Parameters } from '../parameters.ts';
import type { Prompts } from '../settings.ts';

/** Who decides in a re-run. */
export type WhatIfDecider =
  /** The one that is chosen; what it had learned from the person is what it had learned at each moment. */
  | 'chosen'
  /** The embedded one, with what it had learned at each moment. */
  | 'embedded'
  /** The embedded one, with all that it has learned until now. */
  | 'embedded-taught'
  /** The embedded one as it ships. */
  | 'embedded-untaught'
  /** The paper's rule without a language model: similarity, and the gate θ. */
  | 'paper-rule'
  /** One similarity from which a topic is gone on with or returned to; no branches. */
  | 'one-threshold';

/** What is to be otherwise in a re-run. */
export interface WhatIf {
  /** The first turn that is decided anew; null for the very first. */
  readonly from: NodeId | null;
  /** What is not named here: as it was for each turn, or as it is set now. */
  readonly base: 'then' | 'now';
  /** What the person did by hand from there on is carried out again, or left out. */
  readonly byHand: 'again' | 'left-out';
  readonly decider: WhatIfDecider;
  readonly embedder: 'chosen' | 'embedded';
  /** By name; null leaves it to `base`. */
  readonly policy: string | null;
  readonly parameters: Partial<Parameters>;
  readonly prompts: Partial<Prompts>;
}

/** Nothing is otherwise: a re-run places every turn where it was placed. */
export const AS_IT_WAS: WhatIf = {
  from: null,
  base: 'then',
  byHand: 'again',
  decider: 'chosen',
  embedder: 'chosen',
  policy: null,
  parameters: {},
  prompts: {},
};
