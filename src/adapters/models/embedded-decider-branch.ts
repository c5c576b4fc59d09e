import { type Cue, cuesOf } from '../../engine/cues.ts';
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

/** The cues that can say something of branches; the rest only of topics. */
const BRANCH_CUES: readonly Cue[] = [
  'alternative',
  'reconsiders',
  'returns',
  'revises',
  'goes on',
  'refers back',
  'wraps up',
];

/**
 * The choices open to a message and their features. Continuing is the choice of score zero: it has
 * none. A branch that the active node is on can't be switched to.
 */
export const readBranchQuestion = (
  { message, path, forkPoint, topicSwitched }: BranchQuestion,
  reader: TextReader,
): BranchReading => {
  const cues = cuesOf(message);
  const words = contentWords(message);
  const tip = path.at(-1);
  const onPath = path.some(({ nodeId }) => nodeId === forkPoint.nodeId);
  const shared = (of: ReadonlySet<string>): number =>
    words.size === 0 ? 0 : [...words].filter((word) => of.has(word)).length / words.size;
  const context: Record<string, number> = {
    bias: 1,
    'ahead of the active turn': forkPoint.similarity - (tip?.similarity ?? 0),
    'overlap ahead':
      shared(reader.turn(forkPoint.node).words) - (tip === undefined ? 0 : shared(reader.turn(tip.node).words)),
  };
  for (const cue of BRANCH_CUES) context[cue] = cues.has(cue) ? 1 : 0;
  if (topicSwitched) context.returns = 0;
  // “Instead, add a map” changes the plan; “What would the mountains be like instead?” opens a second one.
  context['alternative asked'] = cues.has('alternative') && cues.has('asks') ? 1 : 0;
  const elsewhere = forkPoint.node.branchId !== tip?.node.branchId && !onPath;
  return {
    cues,
    choices: [
      { action: 'continue-branch', features: {} },
      { action: 'create-branch', features: prefixed('create', context) },
      ...(elsewhere ? [{ action: 'switch-branch' as const, features: prefixed('switch', context) }] : []),
    ],
  };
};
