import type { BranchRule } from '../../domain/decision.ts';
import type { Forest, Node } from '../../domain/forest.ts';
import { nodeOf } from '../../domain/queries.ts';
import type { Parameters } from '../parameters.ts';
import type { NodeView } from '../ports.ts';
import { revises } from './cues.ts';
import type { RouteInput } from './route.ts';
import { type Nearness, nearestFirst, retrieve } from './views.ts';

/** n*, or the node that the gate looked at (null if there was none), and whether the decider is asked about it. */
type ForkPoint = { readonly rule: BranchRule; readonly candidates: readonly NodeView[] } & (
  | { readonly ask: true; readonly point: NodeView }
  | { readonly ask: false; readonly point: NodeView | null }
);

interface ForkInput {
  readonly forest: Forest;
  /** Where the message would go on from. */
  readonly current: Node;
  readonly near: Nearness;
}

/** The fork point of a message that would go on from `current`, in the way that the policy looks for it. */
export const forkPoint = (
  { forest, near, theta, retrieval, parameters: { spareDirectParent } }: RouteInput,
  current: Node,
): ForkPoint => {
  const at = { forest, current, near };
  switch (retrieval) {
    case 'none':
      return revisedParent(at);
    case 'top-candidate':
      return topCandidate(at, theta);
    default:
      return retrievedPoint(at, { theta, spareDirectParent });
  }
};

/**
 * Context-Agent §3.3, step 2 and the gate of step 3: n* by similarity. The decider is asked if it reaches θ
 * and is not where the branch goes on anyway.
 */
const retrievedPoint = (
  { forest, current, near }: ForkInput,
  { theta, spareDirectParent }: Pick<Parameters, 'spareDirectParent'> & { readonly theta: number },
): ForkPoint => {
  const candidates = retrieve(forest, current.treeId, near);
  const spared = spareDirectParent && !revises(near.message) ? current.parentId : null;
  const point = candidates.find(({ nodeId }) => nodeId !== spared);
  const sparing = spared !== null && candidates[0]?.nodeId === spared && candidates[0].similarity >= theta;
  const goOn = (rule: BranchRule): ForkPoint => ({
    ask: false,
    rule: sparing ? 'direct-parent' : rule,
    candidates,
    point: point ?? null,
  });
  if (point === undefined) return goOn('no-retrieval');
  if (point.similarity < theta) return goOn('below-threshold');
  if (point.nodeId === current.id) return goOn('on-tip');
  if (!isElsewhere({ forest, current, near }, point)) return goOn('on-tip');
  return { ask: true, rule: 'asked', candidates, point };
};

/** On another branch, or behind the node that the message would go on from. */
const isElsewhere = ({ forest, current, near }: ForkInput, { node }: NodeView): boolean =>
  node.branchId !== current.branchId || near.pathTo(forest, current.id).includes(node);

/**
 * The fork point where nothing is retrieved (the paper's ablation “w/o RAG”). A revision is the one kind of
 * message that tells by itself where it forks: most likely it wants another answer than the active turn
 * gave, and so a sibling of that turn. So its direct parent is the only candidate, whatever its similarity,
 * and the decider is asked, for many revisions change things and go on. It is asked only where the parent's
 * similarity is known: a decider reads it, and is shown none that was made up.
 */
const revisedParent = ({ forest, current, near }: ForkInput): ForkPoint => {
  if (current.parentId === null || !revises(near.message)) {
    return { ask: false, rule: 'nothing-revised', candidates: [], point: null };
  }
  const candidates = nearestFirst([nodeOf(forest, current.parentId)], near);
  const [point] = candidates;
  return point === undefined
    ? { ask: false, rule: 'no-retrieval', candidates, point: null }
    : { ask: true, rule: 'asked-on-revision', candidates, point };
};

/** How many of the most similar nodes the authors' published code retrieves. */
const TOP = 3;

/**
 * The fork point of the authors' published code, as far as it is known: of the three most similar nodes, the direct
 * parent left out whatever the message says, those strictly above θ; n* is the first of them.
 */
const topCandidate = ({ forest, current, near }: ForkInput, theta: number): ForkPoint => {
  const all = retrieve(forest, current.treeId, near);
  const candidates = all.filter(({ nodeId }) => nodeId !== current.parentId).slice(0, TOP);
  const [point] = candidates;
  const excluded = all[0] !== undefined && all[0].nodeId === current.parentId && all[0].similarity > theta;
  const goOn = (rule: BranchRule): ForkPoint => ({ ask: false, rule, candidates, point: point ?? null });
  if (point === undefined || point.similarity <= theta) {
    return goOn(excluded ? 'parent-excluded' : point === undefined ? 'no-retrieval' : 'not-above-threshold');
  }
  if (point.nodeId === current.id || !isElsewhere({ forest, current, near }, point)) return goOn('on-tip');
  const above = candidates.filter(({ similarity }) => similarity > theta);
  return { ask: true, rule: 'asked-top-candidate', candidates: above, point };
};
