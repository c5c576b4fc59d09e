import type { BranchAction, BranchAnswer, BranchRule } from '../../domain/decision.ts';
import type { Forest, Node, NodeId, TreeId } from '../../domain/forest.ts';
import { childrenOf, nodeOf, tipOf } from '../../domain/queries.ts';
import { askInTurn } from '../ask.ts';
import type { NodeView } from '../ports.ts';
import { branchQuestion } from './branch-question.ts';
import { forkPoint } from './fork-point.ts';
import type { RouteInput } from './route.ts';
import { retrieve } from './views.ts';

interface DecidedTopic {
  /** null for a new one. */
  readonly target: TreeId | null;
  /** The last turn of the path that the message goes on in; left out where no path was chosen. */
  readonly leaf?: NodeId;
}

interface BranchOutcome {
  readonly action: BranchAction | null;
  readonly parentId: NodeId | null;
  readonly rule: BranchRule;
  readonly point: NodeId | null;
  readonly answer: BranchAnswer | null;
  readonly settled: string | null;
  readonly candidates: readonly NodeView[];
}

/** The fork point and the branch, in the topic that was decided (Context-Agent §3.3, steps 2 and 3). */
export const decideBranch = async (input: RouteInput, topic: DecidedTopic): Promise<BranchOutcome> => {
  const { forest, pending, near, deciders, retrieval, parameters, signal, fallbacks } = input;
  const none = { point: null, answer: null, settled: null, candidates: [] };
  const tree = topic.target === null ? undefined : forest.trees[topic.target];
  if (tree === undefined) return { ...none, action: null, parentId: null, rule: 'new-topic' };

  const stands = nodeOf(forest, topic.target === forest.active?.treeId ? forest.active.nodeId : tree.activeId);
  const current = topic.leaf === undefined ? stands : nodeOf(forest, topic.leaf);
  if (pending.target?.kind === 'under') {
    const parent = nodeOf(forest, pending.target.nodeId);
    const action = parent.id === current.id ? 'continue-branch' : branchActionUnder(forest, parent.id);
    const candidates = retrieval === 'none' ? [] : retrieve(forest, tree.id, near);
    return { ...none, action, parentId: parent.id, rule: 'person', candidates };
  }
  const byTop = retrieval === 'top-candidate';
  const fork = forkPoint(input, current);
  const { rule, candidates } = fork;
  const ungated = !byTop && deciders[0]?.ungated === true && rule !== 'no-retrieval' && rule !== 'nothing-revised';
  const looked = { ...none, rule, candidates, point: fork.point?.nodeId ?? null };
  const point = fork.point ?? candidates[0];
  const onTo = (id: NodeId): BranchAction => (byTop && id === stands.id ? 'continue-branch' : 'switch-branch');
  const goOn = () => goingOnFrom(forest, current.id, stands.id);
  if (point === undefined || !(fork.ask || ungated)) return { ...looked, ...goOn() };

  const question = branchQuestion(input, current, point, candidates, topic.target !== forest.active?.treeId);
  if (!fork.ask && question.places.length === 0) return { ...looked, ...goOn() };
  const answer = await askInTurn(
    'decide',
    deciders,
    (decider, inner, onAsked) => decider.branch({ ...question, onAsked }, inner),
    ({ point: named }) =>
      byTop || named === undefined || question.places.some(({ from }) => from.nodeId === named)
        ? null
        : 'it named a turn that it was not offered',
    { patience: parameters.patience, signal, fallbacks },
  );
  const named = (byTop ? undefined : question.places.find(({ from }) => from.nodeId === answer?.point)?.from) ?? point;
  const askedBy = ungated && rule !== 'asked-on-revision' ? ('asked-ungated' as const) : rule;
  const asked = { ...looked, rule: askedBy, answer, point: named.nodeId };
  const replaced = byTop && answer !== null ? replacedBy(forest, answer, point.node) : null;
  switch (answer?.action) {
    case undefined:
    case 'continue-branch':
      return { ...asked, ...goOn() };
    case 'create-branch':
      if (childrenOf(forest, named.nodeId).length > 0) {
        return { ...asked, action: 'create-branch', parentId: named.nodeId, settled: replaced };
      }
      return {
        ...asked,
        action: onTo(named.nodeId),
        parentId: named.nodeId,
        settled: both(replaced, 'the fork point has no turns after it, so the message goes on from it'),
      };
    case 'switch-branch': {
      const tip = tipOf(forest, named.node);
      if (tip.id !== current.id && named.node.branchId !== current.branchId) {
        return { ...asked, action: onTo(tip.id), parentId: tip.id, settled: replaced };
      }
      return {
        ...asked,
        ...goOn(),
        settled: both(replaced, 'the fork point is on the active branch already, so the message goes on here'),
      };
    }
  }
};

/** What is said where a decider named another turn than n*, and that makes a difference; null where it does not. */
const replacedBy = (forest: Forest, { action, point }: BranchAnswer, nearest: Node): string | null => {
  if (point === undefined || point === nearest.id || action === 'continue-branch') return null;
  // A branch is named by any turn of it.
  if (action === 'switch-branch' && forest.nodes[point]?.branchId === nearest.branchId) return null;
  return 'the decider named another turn, and the most similar one took its place';
};

const both = (first: string | null, second: string): string => (first === null ? second : `${first}; ${second}`);

/**
 * Going on from a turn that already has turns after it begins a branch there; from another than where the topic stands
 * it takes up that one's branch.
 */
const goingOnFrom = (
  forest: Forest,
  parentId: NodeId,
  stands: NodeId,
): Pick<BranchOutcome, 'action' | 'parentId' | 'settled'> => {
  if (childrenOf(forest, parentId).length > 0) {
    return {
      action: 'create-branch',
      parentId,
      settled: 'the active turn has turns after it, so going on from it is a new branch',
    };
  }
  if (parentId === stands) return { action: 'continue-branch', parentId, settled: null };
  return {
    action: 'switch-branch',
    parentId,
    settled: 'the path that the message goes on in is not the one that the topic stands at',
  };
};

const branchActionUnder = (forest: Forest, parentId: NodeId): BranchAction =>
  childrenOf(forest, parentId).length > 0 ? 'create-branch' : 'switch-branch';
