import { CUES, type Cue, cuesOf } from '../../engine/cues.ts';
import type { BranchQuestion } from '../../engine/ports.ts';
import { contentWords, type TextReader } from './embedded-decider-texts.ts';
import { type Choice, prefixed } from './linear-choice.ts';

/** A way to answer the branch question. */
export interface BranchChoice extends Choice {
  readonly action: 'continue-branch' | 'create-branch' | 'switch-branch';
}

export interface BranchReading {
  readonly choices: readonly BranchChoice[];
  readonly cues: ReadonlyMap<Cue, string>;
}

/**
 * The choices open to a message and their features. Continuing is the choice of score zero: it has
 * none. A branch that the active node is on can't be switched to.
 */
export const readBranchQuestion = ({ message, path, forkPoint }: BranchQuestion, reader: TextReader): BranchReading => {
  const cues = cuesOf(message);
  const words = contentWords(message);
  const tip = path.at(-1);
  const above = path.findIndex(({ nodeId }) => nodeId === forkPoint.nodeId);
  const steps = above === -1 ? 0 : path.length - 1 - above;
  const shared = (of: ReadonlySet<string>): number =>
    words.size === 0 ? 0 : [...words].filter((word) => of.has(word)).length / words.size;
  const context: Record<string, number> = {
    bias: 1,
    'fork point similarity': forkPoint.similarity,
    'ahead of the active turn': forkPoint.similarity - (tip?.similarity ?? 0),
    'on the path': above === -1 ? 0 : 1,
    'direct parent': steps === 1 ? 1 : 0,
    'steps back': Math.log1p(steps),
    'overlap ahead':
      shared(reader.turn(forkPoint.node).words) - (tip === undefined ? 0 : shared(reader.turn(tip.node).words)),
    'content words': Math.log1p(words.size),
  };
  for (const cue of CUES) context[cue] = cues.has(cue) ? 1 : 0;
  const elsewhere = forkPoint.node.branchId !== tip?.node.branchId && above === -1;
  return {
    cues,
    choices: [
      { action: 'continue-branch', features: {} },
      { action: 'create-branch', features: prefixed('create', context) },
      ...(elsewhere ? [{ action: 'switch-branch' as const, features: prefixed('switch', context) }] : []),
    ],
  };
};
