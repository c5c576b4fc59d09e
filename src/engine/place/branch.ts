import type { BranchAction, BranchAnswer, BranchRule } from '../../domain/decision.ts';
import type { Forest, Node, NodeId, TreeId } from '../../domain/forest.ts';
import { childrenOf, nodeOf, tipOf } from '../../domain/queries.ts';
import { askInTurn } from '../model-fallback.ts';
import type { Parameters } from '../parameters.ts';
import type { BranchPlace, BranchQuestion, NodeView } from '../ports.ts';
import { glossedForEmbedder } from '../text/glossary.ts';
import type { ComparedMessage } from './compared-message.ts';
import { revises } from './cues.ts';
import { nearestFirst, retrieve, shownPath, viewOf } from './question-views.ts';
import type { RouteInput } from './route-input.ts';

interface DecidedTopic {
  /** null for a new one. */
  readonly target: TreeId | null;
  /** The last turn of the path the message continues; absent if no path was chosen. */
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

/** Decides the fork point and the branch within the chosen topic (Context-Agent §3.3, steps 2 and 3). */
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
  const onTo = (id: NodeId): BranchAction => (id === stands.id ? 'continue-branch' : 'switch-branch');
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
        : 'it named a turn that was not an option',
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

/** Returns the remark for a decider that named a turn other than n*, if that makes a difference; otherwise null. */
const replacedBy = (forest: Forest, { action, point }: BranchAnswer, nearest: Node): string | null => {
  if (point === undefined || point === nearest.id || action === 'continue-branch') return null;
  // Any turn of a branch identifies it.
  if (action === 'switch-branch' && forest.nodes[point]?.branchId === nearest.branchId) return null;
  return 'the decider named another turn, and the most similar one took its place';
};

const both = (first: string | null, second: string): string => (first === null ? second : `${first}; ${second}`);

/**
 * Continuing from a turn that already has turns after it starts a branch there; continuing from a turn other than the
 * active one of the topic switches to its branch.
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
      settled: 'the active turn already has turns after it, so this starts a new branch',
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

/** n*, or the node that the gate looked at (null if there was none), and whether the decider is asked about it. */
type ForkPoint = { readonly rule: BranchRule; readonly candidates: readonly NodeView[] } & (
  | { readonly ask: true; readonly point: NodeView }
  | { readonly ask: false; readonly point: NodeView | null }
);

interface ForkInput {
  readonly forest: Forest;
  /** The turn the message would continue from. */
  readonly current: Node;
  readonly near: ComparedMessage;
}

/** Finds the fork point of a message that would continue from `current`, using the retrieval of the policy. */
const forkPoint = (
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

/** Whether a message takes something back, in whatever language. */
const isRevision = ({ message, spoken }: ComparedMessage): boolean => revises(glossedForEmbedder(message, spoken));

/**
 * Context-Agent §3.3, step 2 and the gate of step 3: n* by similarity. The decider is asked if n* reaches θ and is not
 * where the branch continues anyway.
 */
const retrievedPoint = (
  { forest, current, near }: ForkInput,
  { theta, spareDirectParent }: Pick<Parameters, 'spareDirectParent'> & { readonly theta: number },
): ForkPoint => {
  const candidates = retrieve(forest, current.treeId, near);
  const spared = spareDirectParent && !isRevision(near) ? current.parentId : null;
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

/** Whether a node is on another branch, or on the path to the node the message would continue from. */
const isElsewhere = ({ forest, current, near }: ForkInput, { node }: NodeView): boolean =>
  node.branchId !== current.branchId || near.pathTo(forest, current.id).includes(node);

/**
 * The fork point when nothing is retrieved (the paper's ablation “w/o RAG”). A revision is the one kind of message that
 * reveals by itself where it forks: most likely it wants a different answer from the one the active turn gave, and so
 * becomes a sibling of that turn. Its direct parent is therefore the only candidate, whatever its similarity. The
 * decider is still asked, since many revisions change things and carry on, but only if the parent's similarity is
 * known: a decider reads it and is never shown a made-up one.
 */
const revisedParent = ({ forest, current, near }: ForkInput): ForkPoint => {
  if (current.parentId === null || !isRevision(near)) {
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
 * The fork point of the authors' published code, as far as it is known: of the three most similar nodes other than the
 * direct parent (excluded whatever the message says), those strictly above θ; n* is the first of them.
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

/** Builds the branch question about a message that would continue from `current`. */
const branchQuestion = (
  { forest, near, retrieval, prompts }: Pick<RouteInput, 'forest' | 'near' | 'retrieval' | 'prompts'>,
  current: Node,
  forkPoint: NodeView,
  candidates: readonly NodeView[],
  topicSwitched: boolean,
): BranchQuestion => {
  const places = branchPlaces(forest, current, near, candidates);
  return {
    message: near.message,
    path: shownPath(forest, current.id, near),
    pathLength: near.pathTo(forest, current.id).length,
    forkPoint,
    places: places.filter((place) => isOffered(place, { retrieval, forkPoint, candidates })),
    topicSwitched,
    embedding: near.embedding,
    spoken: near.spoken,
    seen: (nodeId) => {
      const message = near.meanOf([nodeId], 'messages');
      const reply = near.meanOf([nodeId], 'replies');
      return {
        replySimilarity: near.toReply(nodeId) ?? 0,
        vectors: { tipMessage: message, tipReply: reply, messages: message, replies: reply },
      };
    },
    ...ownInstructions(prompts?.branch),
  };
};

interface OfferedFrom {
  readonly retrieval: RouteInput['retrieval'];
  readonly forkPoint: NodeView;
  readonly candidates: readonly NodeView[];
}

const isOffered = ({ from, nearest }: BranchPlace, { retrieval, forkPoint, candidates }: OfferedFrom): boolean => {
  switch (retrieval) {
    // Without retrieval there is only one candidate.
    case 'none':
      return from.nodeId === forkPoint.nodeId;
    // Only the candidates, each of which also stands for its branch.
    case 'top-candidate':
      return candidates.some(({ nodeId }) => nodeId === from.nodeId || nodeId === nearest?.nodeId);
    default:
      return true;
  }
};

/** The person's own instructions for a question, if any. */
export const ownInstructions = (instructions: string | undefined): { instructions?: string } =>
  instructions === undefined ? {} : { instructions };

/** How many ancestors of the active node are weighed, nearest first; they cover 149 of 153 labelled forks from an ancestor. */
const ANCESTORS = 4;
/** How many retrieved nodes, and how many other branches, are also weighed. */
const RETRIEVED = 3;
const BRANCHES = 4;
/** How many retrieved nodes are read, and how many of them are weighed for their words and for their replies each. */
const LOOKED_AT = 48;
const SPOKEN_OF = 2;

/**
 * Lists where a message that stays in the topic could continue instead of at the active node: a new branch from one of
 * its near ancestors, from the root or from a retrieved node, or the tip of another branch (the latest and the
 * nearest). `candidates`: the topic's nodes, most similar first.
 */
export const branchPlaces = (
  forest: Forest,
  current: Node,
  near: ComparedMessage,
  candidates: readonly NodeView[],
): BranchPlace[] => {
  const path = near.pathTo(forest, current.id);
  const root = path.slice(0, Math.min(1, path.length - 1));
  const retrieved = candidates.slice(0, RETRIEVED).map(({ node }) => node);
  const points = new Set([...path.slice(-1 - ANCESTORS, -1), ...root, ...retrieved, ...spokenOf(near, candidates)]);
  const places: BranchPlace[] = [];
  for (const node of points) {
    if (node.id === current.id || childrenOf(forest, node.id).length === 0) continue;
    const at = path.lastIndexOf(node);
    const next = at < 0 ? undefined : path[at + 1];
    places.push({
      action: 'create-branch',
      from: viewOf(near, node),
      steps: at < 0 ? null : path.length - 1 - at,
      setAside: next === undefined ? null : viewOf(near, next),
      nearest: null,
    });
  }
  return [...places, ...otherBranches(forest, current, near, candidates)];
};

/** Returns the top retrieved turns that share words with the message, and those whose replies are similar to it. */
const spokenOf = (near: ComparedMessage, candidates: readonly NodeView[]): Node[] => {
  const looked = candidates.slice(0, LOOKED_AT).map(({ node }) => node);
  const found = near.terms?.matches(
    near.message,
    near.spoken,
    looked.map((node) => [node]),
  );
  const by = (score: (node: Node, at: number) => number): Node[] =>
    looked
      .map((node, at) => ({ node, score: score(node, at) }))
      .filter((one) => one.score > 0)
      .sort((a, b) => b.score - a.score || b.node.number - a.node.number)
      .slice(0, SPOKEN_OF)
      .map(({ node }) => node);
  return [...by((_, at) => found?.of[at]?.sum ?? 0), ...by((node) => near.toReply(node.id) ?? 0)];
};

/** Returns one place for each other branch that the message may continue, at its tip. */
const otherBranches = (
  forest: Forest,
  current: Node,
  near: ComparedMessage,
  candidates: readonly NodeView[],
): BranchPlace[] => {
  const nearest = new Map<string, NodeView>();
  for (const view of candidates) {
    const { branchId } = view.node;
    if (branchId !== current.branchId && !nearest.has(branchId)) nearest.set(branchId, view);
  }
  const tips = [...nearest].flatMap(([, view]) => {
    const tip = near.tipOf(forest, view.node);
    return childrenOf(forest, tip.id).length > 0 ? [] : [{ tip, view }];
  });
  const latest = tips.toSorted((a, b) => b.tip.number - a.tip.number).slice(0, BRANCHES / 2);
  return [...new Set([...latest, ...tips.slice(0, BRANCHES)])].slice(0, BRANCHES).map(({ tip, view }) => ({
    action: 'switch-branch',
    from: viewOf(near, tip),
    steps: null,
    setAside: null,
    nearest: view,
  }));
};
