import type { BranchRule } from '../domain/decision.ts';
import type { Forest, Node } from '../domain/forest.ts';
import { nodeOf } from '../domain/queries.ts';
import { revises } from './cues.ts';
import type { Parameters } from './parameters.ts';
import type { NodeView } from './ports.ts';
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

/**
 * Context-Agent §3.3, step 2 and the gate of step 3: n* by similarity. The decider is asked if it reaches θ
 * and is not where the branch goes on anyway.
 */
export const retrievedPoint = (
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
  const elsewhere = point.node.branchId !== current.branchId || near.pathTo(forest, current.id).includes(point.node);
  if (!elsewhere) return goOn('on-tip');
  return { ask: true, rule: 'asked', candidates, point };
};

/**
 * The fork point where nothing is retrieved (the paper's ablation “w/o RAG”). A revision is the one kind of
 * message that tells by itself where it forks: most likely it wants another answer than the active turn
 * gave, and so a sibling of that turn. So its direct parent is the only candidate, whatever its similarity,
 * and the decider is asked, for many revisions change things and go on. It is asked only where the parent's
 * similarity is known: a decider reads it, and is shown none that was made up.
 */
export const revisedParent = ({ forest, current, near }: ForkInput): ForkPoint => {
  if (current.parentId === null || !revises(near.message)) {
    return { ask: false, rule: 'nothing-revised', candidates: [], point: null };
  }
  const candidates = nearestFirst([nodeOf(forest, current.parentId)], near);
  const [point] = candidates;
  return point === undefined
    ? { ask: false, rule: 'no-retrieval', candidates, point: null }
    : { ask: true, rule: 'asked-on-revision', candidates, point };
};
