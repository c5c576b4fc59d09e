import type {
  Decision,
  Fallback,
  PathAsked,
  SettingsUsed,
  Timing,
  TopicAction,
  TopicAnswer,
  TopicCandidate,
} from '../../domain/decision.ts';
import type { Forest, NodeId, PendingTurn, TreeId } from '../../domain/forest.ts';
import { nodeOf } from '../../domain/queries.ts';
import { askInTurn } from '../ask.ts';
import type { Retrieval, TopicBy } from '../context/policy.ts';
import type { Parameters } from '../parameters.ts';
import type { Decider } from '../ports.ts';
import type { Prompts } from '../settings.ts';
import type { Stopwatch } from '../stopwatch.ts';
import { told } from './branch-question.ts';
import { decideBranch } from './decide-branch.ts';
import { topicByPaths } from './topic-by-paths.ts';
import { type Nearness, topicQuestion } from './views.ts';

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
  /** How the topic is found; by one question unless said otherwise. */
  readonly topicBy?: TopicBy;
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
  readonly rule: 'asked' | 'asked-by-path' | 'first-turn' | 'person';
  readonly answer: TopicAnswer | null;
  readonly candidates: readonly TopicCandidate[];
  /** The last turn of the path that it goes on in; left out where no path was chosen. */
  readonly leaf?: NodeId;
  readonly paths?: { readonly asked: readonly PathAsked[]; readonly leftOut: number };
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
          ...(topic.paths && { paths: [...topic.paths.asked] }),
          ...(topic.paths && topic.paths.leftOut > 0 && { pathsLeftOut: topic.paths.leftOut }),
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
  const asked = topicQuestion(forest, near, under);
  const last = asked.recent.at(-1)?.node.at ?? pending.at;
  const question = { ...asked, pause: Math.max(0, pending.at - last), ...told(input.prompts?.topic) };
  const candidates = question.topics.map(({ treeId, title, similarity, active }) => ({
    treeId,
    title,
    similarity,
    active,
  }));
  if (pending.target !== null) {
    return { action: topicAction(under, current), target: under, rule: 'person', answer: null, candidates };
  }
  if (input.topicBy === 'leaf-paths') {
    const { target, leaf, answer, asked, leftOut } = await topicByPaths(input, question, current);
    return {
      action: topicAction(target, current),
      target,
      rule: 'asked-by-path',
      answer,
      candidates,
      ...(leaf !== null && { leaf }),
      paths: { asked, leftOut },
    };
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
