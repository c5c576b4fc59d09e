import type { BranchRule, Decision, Fallback, Placement, Role, Trace } from '../../domain/decision.ts';
import type { Forest, Node, NodeId, TreeId } from '../../domain/forest.ts';
import { ratio } from '../parts/format.ts';

/** Where a turn was put before anybody corrected it. */
const firstPlacement = ({ label, treeId, branchId, parentId }: Node): Placement =>
  label === null || label.beforehand === true ? { treeId, branchId, parentId } : label.engine;

/** The topic a decision chose or made. */
export const decidedTopic = (node: Node): TreeId => node.decision.trace?.topic.target ?? firstPlacement(node).treeId;

export const topicWords = ({ topic }: Decision): string =>
  ({ 'create-topic': 'New topic', 'switch-topic': 'Return to', 'continue-topic': 'Stay in' })[topic];

/** What was done, and the turn it was done at. */
export const branchWords = (
  node: Node,
): { readonly action: string; readonly link: string; readonly at: NodeId | null } => {
  const at = firstPlacement(node).parentId;
  switch (node.decision.branch) {
    case 'create-branch':
      return { action: 'New branch', link: 'from', at };
    case 'switch-branch':
      return { action: 'Switch branch', link: 'and go on from', at };
    case 'continue-branch':
      return { action: 'Go on', link: 'after', at };
    case null:
      return { action: 'First branch', link: 'of the new topic', at: null };
  }
};

/** Who answered the topic question and how sure it was; why nobody was asked otherwise. */
export const topicSource = ({ topic }: Trace): string => {
  if (topic.rule === 'first-turn') return 'first turn';
  if (topic.rule === 'person') return 'you chose';
  return topic.answer === null ? 'no answer' : answerSource(topic.answer);
};

export const branchSource = ({ branch }: Trace): string => {
  if (branch.rule === 'person') return 'you chose';
  if (!wasAsked(branch.rule)) return 'not asked';
  return branch.answer === null ? 'no answer' : answerSource(branch.answer);
};

const wasAsked = (rule: BranchRule): boolean =>
  rule === 'asked' || rule === 'asked-ungated' || rule === 'asked-on-revision' || rule === 'asked-top-candidate';

const answerSource = ({ decider, confidence }: { decider: string; confidence: number | null }): string =>
  confidence === null ? `${decider} gave no confidence` : `${decider} · sure ${ratio(confidence)}`;

/** The rule that spoke on the topic, where it was not simply the decider's answer; null otherwise. */
export const topicRuleWords = ({ topic }: Trace): string | null => {
  switch (topic.rule) {
    case 'first-turn':
      return 'The first turn opens a topic: there was nothing to choose from.';
    case 'person':
      return 'You said where this turn goes on from: no decider had a say in it.';
    case 'asked-by-path':
      return pathsWords(topic);
    case 'asked':
      return topic.answer === null ? 'No decider could answer, so the topic stayed as it was.' : null;
  }
};

/** What came of asking about one path after the other. */
const pathsWords = ({ answer, paths = [], pathsLeftOut = 0 }: Trace['topic']): string => {
  if (answer === null) return 'No decider could answer, so the topic stayed as it was.';
  const yes = paths.findIndex((path) => path.yes);
  const asked = paths.length === 1 ? 'one path' : `${paths.length} paths`;
  const more = pathsLeftOut === 0 ? '' : ` ${pathsLeftOut} more, further off, were not asked about.`;
  return yes === -1
    ? `This policy asks of one path after the other whether the message goes on in it. It was no to ${paths.length === 1 ? 'the only one' : `all ${asked}`}, so the topic is new.${more}`
    : `This policy asks of one path after the other whether the message goes on in it, and the first yes wins: it was yes to ${yes === 0 ? 'the first' : `number ${yes + 1}`}.${more}`;
};

/** Which rule settled the branch and why (Context-Agent §3.3, step 3), in words. */
export const branchRuleWords = (forest: Forest, { branch, fork }: Trace): string => {
  const { theta, point, candidates } = fork;
  const number = point === null ? undefined : forest.nodes[point]?.number;
  const nearest = number === undefined ? 'The nearest turn' : `Turn ${number}`;
  const value = candidates.find(({ nodeId }) => nodeId === point)?.similarity;
  const against = (sign: string) =>
    value === undefined || theta === null ? '' : ` (${ratio(value)} ${sign} ${ratio(theta)})`;
  const rules: Record<BranchRule, string> = {
    'new-topic': 'A new topic has no branches to choose from.',
    'no-retrieval': 'No turn of this topic could be compared yet, so the branch goes on without asking.',
    'below-threshold': `${nearest} is nearest and stays below θ${against('<')}, so the branch goes on without asking.`,
    'on-tip': `${nearest} is nearest and the branch goes on from there anyway, so the decider was not asked.`,
    'direct-parent':
      'The nearest turn is the direct parent of the active one and the message revises nothing, so the branch goes on without asking.',
    'nothing-revised':
      'This policy retrieves nothing: only a message that revises something may fork, from the parent of the active turn. That is not so here, so the branch goes on without asking.',
    asked: `${nearest} reaches θ${against('≥')} and lies behind the tip or on another branch, so the decider was asked.`,
    'asked-ungated': `This decider costs nothing to ask, so it weighed every turn that the message could fork from, whatever its similarity.`,
    'asked-on-revision': `This policy retrieves nothing. The message revises something, so the decider was asked about ${number === undefined ? 'the parent of the active turn' : `turn ${number}, the parent of the active one`}.`,
    'not-above-threshold': `${nearest} is nearest and not above θ${against('≤')}, so the branch goes on without asking.`,
    'parent-excluded':
      'The nearest turn is the direct parent of the active one, which this policy never forks from. No other is above θ, so the branch goes on without asking.',
    'asked-top-candidate': `${nearest} is nearest, above θ${against('>')} and lies behind the tip or on another branch, so the decider was asked. Whichever turn it names, this policy takes ${number === undefined ? 'the nearest' : `turn ${number}`}.`,
    person: 'You said where this turn goes on from: no decider had a say in it.',
  };
  const unanswered = wasAsked(branch.rule) && branch.answer === null ? ' None could answer: the branch went on.' : '';
  return rules[branch.rule] + unanswered;
};

const JOBS: Record<Role, string> = { chat: 'reply', decide: 'decide', summarise: 'summarise', embed: 'embed' };

export const fallbackWords = ({ role, from, to, why }: Fallback): string =>
  `${from} could not ${JOBS[role]}: ${why.replace(/\.$/, '')}. In its place: ${to}.`;

/** Why there is nothing to show of how a turn was placed. */
export const untracedWords = ({ by }: Decision): string =>
  by === 'person'
    ? 'You placed this turn yourself. No decider was asked, so there is no trace.'
    : 'This turn came with its place, and no trace of how it was found.';
