import type { BranchAction, Personal, TopicAction } from '../../domain/decision.ts';
import type { Forest } from '../../domain/forest.ts';
import { ratio } from '../parts/format.ts';

/** What the person's corrections did to an answer, in words. */
export interface PersonalWords {
  /** The answer would have been another one. */
  readonly changed: boolean;
  readonly text: string;
}

export const personalWords = (
  forest: Forest,
  { without }: Personal,
  chosen: {
    readonly action: TopicAction | BranchAction;
    readonly target: string | null;
    readonly confidence: number | null;
  },
): PersonalWords => {
  const same =
    without.action === chosen.action && (without.action !== 'switch-topic' || without.target === chosen.target);
  if (!same) {
    const title = without.target === null ? null : (forest.trees[without.target]?.title ?? 'a topic that is gone');
    const done = WOULD_HAVE[without.action](title);
    return {
      changed: true,
      text: `Your corrections changed this: without them it would have ${done} (${ratio(without.confidence)}).`,
    };
  }
  const surer = (chosen.confidence ?? 0) >= without.confidence;
  return {
    changed: false,
    text: `${surer ? 'Surer' : 'Less sure'} by your corrections: ${ratio(without.confidence)} without them.`,
  };
};

const WOULD_HAVE: Record<TopicAction | BranchAction, (title: string | null) => string> = {
  'create-topic': () => 'opened a new topic',
  'continue-topic': (title) => `continued ${title === null ? 'the topic' : `“${title}”`}`,
  'switch-topic': (title) => `returned to ${title === null ? 'another topic' : `“${title}”`}`,
  'continue-branch': () => 'gone on with the branch',
  'create-branch': () => 'opened a new branch',
  'switch-branch': () => 'gone to another branch',
};
