import type { BranchAction, TopicAction } from '../../domain/decision.ts';
import type { DecisionRow } from './analysis.ts';

/** What `create-topic` and the like do, under a heading that says to what. */
export const actionWords = (action: TopicAction | BranchAction | null): string =>
  action === null ? '–' : action.replace(/-(topic|branch)$/, '');

/** Which rule settled a decision, in a word or two. */
const RULES: Readonly<Record<NonNullable<DecisionRow['rule']>, string>> = {
  'first-turn': 'first turn',
  'new-topic': 'new topic',
  'no-retrieval': 'nothing retrieved',
  'below-threshold': 'below θ',
  'on-tip': 'nearest is the tip',
  'direct-parent': 'direct parent',
  'nothing-revised': 'nothing revised',
  asked: 'asked',
  'asked-ungated': 'asked, ungated',
  'asked-on-revision': 'asked on revision',
  'not-above-threshold': 'not above θ',
  'parent-excluded': 'parent excluded',
  'asked-top-candidate': 'asked, top candidate',
  person: 'you chose',
};

export const ruleWords = (rule: DecisionRow['rule']): string => (rule === null ? 'no trace' : RULES[rule]);

export const versionWords = (version: number | null): string =>
  version === null ? '–' : version === 0 ? 'shipped' : String(version);
