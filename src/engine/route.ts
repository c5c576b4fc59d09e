import type {
  BranchAction,
  BranchAnswer,
  BranchRule,
  Decision,
  Fallback,
  SettingsUsed,
  Timing,
  TopicAction,
  TopicAnswer,
  TopicCandidate,
} from '../domain/decision.ts';
import type { Forest, NodeId, PendingTurn, TreeId } from '../domain/forest.ts';
import { childrenOf, nodeOf, tipOf } from '../domain/queries.ts';
import { askInTurn } from './ask.ts';
import { branchQuestion, told } from './branch-question.ts';
import { retrievedPoint, revisedParent } from './fork-point.ts';
import type { Parameters } from './parameters.ts';
import type { Retrieval } from './policy.ts';
import type { Decider, NodeView } from './ports.ts';
import type { Prompts } from './settings.ts';
import type { Stopwatch } from './stopwatch.ts';
import { type Nearness, retrieve, topicQuestion } from './views.ts';

export interface RouteInput {
  readonly forest: Forest;
  readonly pending: PendingTurn;
  readonly near: Nearness;
  /** Asked in turn: the chosen decider, then the embedded one. */
  readonly deciders: readonly Decider[];
  readonly embedder: string;
  readonly theta: number;
  readonly policy: string;
  /** How fork points are found; by similarity unless said otherwise. */
  readonly retrieval?: Retrieval;
  readonly parameters: Parameters;
  /** The person's own, for deciders that are language models. */
  readonly prompts?: Partial<Prompts>;
  /** Named in the trace. */
  readonly settings?: SettingsUsed;
  readonly signal: AbortSignal;
  /** Fallbacks so far (embedding); those of the decisions are added. */
  readonly fallbacks: Fallback[];
  readonly stopwatch: Stopwatch;
}

/** Where a turn goes: under a node, or (null) as the root of a new topic. */
export interface Route {
  readonly parentId: NodeId | null;
  readonly decision: Decision;
}

interface TopicOutcome {
  readonly action: TopicAction;
  readonly target: TreeId | null;
  readonly rule: 'asked' | 'first-turn' | 'person';
  readonly answer: TopicAnswer | null;
  readonly candidates: readonly TopicCandidate[];
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

/** Decides topic, fork point and branch for a message (Context-Agent §3.3, steps 1 to 3). */
export const route = async (input: RouteInput): Promise<Route> => {
  const { parameters, fallbacks, stopwatch, pending } = input;
  const topic = await stopwatch.time('topic', () => decideTopic(input));
  const branch = await stopwatch.time('branch', () => decideBranch(input, topic));
  const timings: readonly Timing[] = stopwatch.laps;
  return {
    parentId: branch.parentId,
    decision: {
      topic: topic.action,
      branch: branch.action,
      by: pending.target === null ? 'engine' : 'person',
      trace: {
        policy: input.policy,
        embedder: input.embedder,
        decider: input.deciders[0]?.name ?? 'none',
        topic: {
          rule: topic.rule,
          answer: topic.answer,
          target: topic.target,
          candidates: [...topic.candidates],
        },
        fork: {
          theta: input.retrieval === 'none' ? null : input.theta,
          candidates: branch.candidates
            .slice(0, parameters.k)
            .map(({ nodeId, similarity }) => ({ nodeId, similarity })),
          point: branch.point,
        },
        branch: { rule: branch.rule, answer: branch.answer, settled: branch.settled },
        ...(input.settings && { settings: input.settings }),
        fallbacks: [...fallbacks],
        timings: [...timings],
      },
    },
  };
};

const decideTopic = async (input: RouteInput): Promise<TopicOutcome> => {
  const { forest, pending, near, deciders, parameters, signal, fallbacks } = input;
  if (forest.active === null) {
    return { action: 'create-topic', target: null, rule: 'first-turn', answer: null, candidates: [] };
  }
  const current = forest.active.treeId;
  const under = pending.target?.kind === 'under' ? nodeOf(forest, pending.target.nodeId).treeId : null;
  const question = { ...topicQuestion(forest, near, under), ...told(input.prompts?.topic) };
  const candidates = question.topics.map(({ treeId, title, similarity, active }) => ({
    treeId,
    title,
    similarity,
    active,
  }));
  if (pending.target !== null) {
    return { action: topicAction(under, current), target: under, rule: 'person', answer: null, candidates };
  }
  const answered = await askInTurn(
    'decide',
    deciders,
    (decider, inner, onAsked) => decider.topic({ ...question, onAsked }, inner),
    ({ action, target }) => {
      if (action === 'create-topic') return null;
      return target !== null && forest.trees[target] !== undefined ? null : 'it named a topic that does not exist';
    },
    { patience: parameters.patience, signal, fallbacks },
  );
  // Nobody could answer: going on where the conversation is misplaces least, and the trace says so.
  if (answered === null) return { action: 'continue-topic', target: current, rule: 'asked', answer: null, candidates };
  const { target: named, ...answer } = answered;
  const target = answer.action === 'create-topic' ? null : answer.action === 'continue-topic' ? current : named;
  return { action: topicAction(target, current), target, rule: 'asked', answer, candidates };
};

const topicAction = (target: TreeId | null, current: TreeId): TopicAction => {
  if (target === null) return 'create-topic';
  return target === current ? 'continue-topic' : 'switch-topic';
};

const decideBranch = async (input: RouteInput, topic: TopicOutcome): Promise<BranchOutcome> => {
  const { forest, pending, near, deciders, theta, retrieval, parameters, signal, fallbacks } = input;
  const none = { point: null, answer: null, settled: null, candidates: [] };
  const tree = topic.target === null ? undefined : forest.trees[topic.target];
  if (tree === undefined) return { ...none, action: null, parentId: null, rule: 'new-topic' };

  const current = nodeOf(forest, topic.target === forest.active?.treeId ? forest.active.nodeId : tree.activeId);
  if (pending.target?.kind === 'under') {
    const parent = nodeOf(forest, pending.target.nodeId);
    const action = parent.id === current.id ? 'continue-branch' : branchActionUnder(forest, parent.id);
    const candidates = retrieval === 'none' ? [] : retrieve(forest, tree.id, near);
    return { ...none, action, parentId: parent.id, rule: 'person', candidates };
  }
  const { spareDirectParent } = parameters;
  const fork =
    retrieval === 'none'
      ? revisedParent({ forest, current, near })
      : retrievedPoint({ forest, current, near }, { theta, spareDirectParent });
  const { rule, candidates } = fork;
  const ungated = deciders[0]?.ungated === true && rule !== 'no-retrieval' && rule !== 'nothing-revised';
  const looked = { ...none, rule, candidates, point: fork.point?.nodeId ?? null };
  const point = fork.point ?? candidates[0];
  if (point === undefined || !(fork.ask || ungated)) return { ...looked, ...goingOnFrom(forest, current.id) };

  const question = branchQuestion(input, current, point, candidates, topic.action === 'switch-topic');
  if (!fork.ask && question.places.length === 0) return { ...looked, ...goingOnFrom(forest, current.id) };
  const answer = await askInTurn(
    'decide',
    deciders,
    (decider, inner, onAsked) => decider.branch({ ...question, onAsked }, inner),
    ({ point: named }) =>
      named === undefined || question.places.some(({ from }) => from.nodeId === named)
        ? null
        : 'it named a turn that it was not offered',
    { patience: parameters.patience, signal, fallbacks },
  );
  const named = question.places.find(({ from }) => from.nodeId === answer?.point)?.from ?? point;
  const askedBy = ungated && rule !== 'asked-on-revision' ? ('asked-ungated' as const) : rule;
  const asked = { ...looked, rule: askedBy, answer, point: named.nodeId };
  switch (answer?.action) {
    case undefined:
    case 'continue-branch':
      return { ...asked, ...goingOnFrom(forest, current.id) };
    case 'create-branch':
      if (childrenOf(forest, named.nodeId).length > 0) {
        return { ...asked, action: 'create-branch', parentId: named.nodeId };
      }
      return {
        ...asked,
        action: 'switch-branch',
        parentId: named.nodeId,
        settled: 'the fork point has no turns after it, so the message goes on from it',
      };
    case 'switch-branch': {
      const tip = tipOf(forest, named.node);
      if (tip.id !== current.id && named.node.branchId !== current.branchId) {
        return { ...asked, action: 'switch-branch', parentId: tip.id };
      }
      return {
        ...asked,
        ...goingOnFrom(forest, current.id),
        settled: 'the fork point is on the active branch already, so the message goes on here',
      };
    }
  }
};

/** Going on from a turn that already has turns after it begins a branch there. */
const goingOnFrom = (forest: Forest, parentId: NodeId): Pick<BranchOutcome, 'action' | 'parentId' | 'settled'> =>
  childrenOf(forest, parentId).length > 0
    ? {
        action: 'create-branch',
        parentId,
        settled: 'the active turn has turns after it, so going on from it is a new branch',
      }
    : { action: 'continue-branch', parentId, settled: null };

const branchActionUnder = (forest: Forest, parentId: NodeId): BranchAction =>
  childrenOf(forest, parentId).length > 0 ? 'create-branch' : 'switch-branch';
