import type {
  Decision,
  Fallback,
  NodeCandidate,
  PathAsked,
  Timing,
  TopicAction,
  TopicAnswer,
  TopicCandidate,
} from '../../domain/decision.ts';
import type { Forest, NodeId, PendingTurn, TreeId } from '../../domain/forest.ts';
import { nodeOf, pathTo } from '../../domain/queries.ts';
import { recordsOf } from '../../domain/table.ts';
import { askInTurn } from '../ask.ts';
import { realParent, visibleForest, visibleTarget } from '../context/visible-forest.ts';
import type { EngineCore } from '../core.ts';
import type { Decider, Models } from '../ports.ts';
import { Stopwatch } from '../tasks.ts';
import { decideBranch, ownInstructions } from './branch.ts';
import type { ComparedMessage } from './compared-message.ts';
import type { RouteInput } from './route-input.ts';
import { askPath, topicByPaths } from './topic-by-paths.ts';
import { nearestFirst, topicQuestion } from './views.ts';

interface PlaceDecision {
  readonly near: ComparedMessage;
  /** Where the turn goes: under a node, or (null) as the root of a new topic. */
  readonly parentId: NodeId | null;
  readonly decision: Decision;
  /** Where the embedded decider would have put a message whose place the person chose; left out where nobody chose. */
  readonly engineParentId?: NodeId | null;
}

/**
 * Says where a message that waits goes (Context-Agent §3.3, steps 1 to 3), and changes nothing. Hidden turns are not
 * there for it. Rejects if the signal fires.
 */
export const decide = async (
  core: EngineCore,
  pending: PendingTurn,
  stopwatch: Stopwatch,
  signal: AbortSignal,
): Promise<PlaceDecision> => {
  const { models, embedded } = core.parts;
  const chosen = models();
  const { routing } = core;
  const fallbacks: Fallback[] = [];
  const near = await stopwatch.time('embed', () => core.compareMessage(pending.message, signal, fallbacks));
  const forest = core.host.forest();
  const visible = visibleForest(forest);
  const asked = { forest: visible, near, ...routing, signal };
  const routed = await route({
    ...asked,
    pending: { ...pending, target: visibleTarget(forest, visible, pending.target) },
    deciders: decidersFor(chosen, embedded.decide, core.parameters.sureFrom),
    fallbacks,
    stopwatch,
  });
  const parentId =
    pending.target?.kind === 'under' ? pending.target.nodeId : realParent(forest, visible, routed.parentId);
  const { decision } = routed;
  const references = suggestReferences(visible, near, routed.parentId);
  const decided = {
    near,
    parentId,
    decision:
      decision.trace === null || references.length === 0
        ? decision
        : { ...decision, trace: { ...decision.trace, references } },
  };
  // The first turn opens a topic whatever is said.
  if (pending.target?.chosen !== true || visible.active === null) return decided;
  // A label says both: what the person chose, and what would have come of not choosing. No language model is kept busy for that.
  const unasked = await route({
    ...asked,
    pending: { ...pending, target: null },
    deciders: [embedded.decide],
    fallbacks: [],
    stopwatch: new Stopwatch(core.parts.now),
  });
  return { ...decided, engineParentId: realParent(forest, visible, unasked.parentId) };
};

/**
 * Answers by the first decider where it is sure enough, and asks the second where it is not: a language model
 * then works only for the few messages that need it. An answer without a confidence counts as unsure.
 */
export const askingWhereUnsure = (first: Decider, second: Decider, sureFrom: number): Decider => {
  const sure = (confidence: number | null): boolean => confidence !== null && confidence >= sureFrom;
  return {
    name: `${first.name}, and ${second.name} where that is unsure`,
    ungated: first.ungated === true,
    topic: async (question, signal) => {
      const answer = await first.topic(question, signal);
      return sure(answer.confidence) ? answer : second.topic(question, signal);
    },
    branch: async (question, signal) => {
      const answer = await first.branch(question, signal);
      return sure(answer.confidence) ? answer : second.branch(question, signal);
    },
    path: async (question, signal) => {
      const answer = await askPath(first, question, signal);
      return sure(answer.confidence) ? answer : askPath(second, question, signal);
    },
  };
};

/**
 * Who is asked, in turn: the chosen decider, beside which another may be asked where it is unsure (`consult`); and
 * the embedded one where they fail.
 */
const decidersFor = (
  { decide, consult }: Pick<Models, 'decide' | 'consult'>,
  embedded: Decider,
  sureFrom: number,
): Decider[] => {
  const first = consult === undefined ? decide : askingWhereUnsure(decide, consult, sureFrom);
  return first === embedded ? [embedded] : [first, embedded];
};

/** Words that point at something said before, wherever that was. */
const POINTS =
  /\b(?:(?:as|like|what|that|which|when|where) (?:we|you|i)(?:'ve| have| had)? (?:already )?(?:said|discussed|talked|mentioned|spoke|planned|agreed|decided|chose|picked|settled)|(?:we|you|i)(?:'ve| have| had)? (?:talked|spoke|spoken) (?:about|of)|(?:same|similar|just) (?:\w+ ){0,3}(?:as|like) (?:\w+ ){0,3}(?:in|for|with|on|before|earlier)|(?:from|mentioned|discussed) (?:before|earlier)|earlier\b|remember (?:the|that|what|when|how)|(?:compar\w+|combin\w+|together) (?:it |that |this |them )?(?:to|with)|based on (?:the|our|what))/i;

/** From this cosine a turn is near enough that words which point may mean it. Chosen by hand; it only suggests. */
const NEAR = 0.3;
/** How much nearer than the path it has to be, as a cosine: else the words may as well mean the path. */
const NEARER = 0.05;
const MOST = 2;

/**
 * Turns off the path that a message clearly points at ("as we said about Japan"), nearest first. The person may make
 * references of them; nothing is sent for a suggestion's sake.
 */
const suggestReferences = (forest: Forest, near: ComparedMessage, parentId: NodeId | null): NodeCandidate[] => {
  if (near.embedding === null || !POINTS.test(near.message)) return [];
  const path = pathTo(forest, parentId);
  const onPath = new Set(path.map(({ id }) => id));
  const nearestHere = Math.max(0, ...path.map(({ id }) => near.to(id) ?? 0));
  const elsewhere = recordsOf(forest.nodes).filter(({ id }) => !onPath.has(id));
  return nearestFirst(elsewhere, near)
    .filter(({ similarity }) => similarity >= NEAR && similarity >= nearestHere + NEARER)
    .slice(0, MOST)
    .map(({ nodeId, similarity }) => ({ nodeId, similarity }));
};

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
  const question = { ...asked, pause: Math.max(0, pending.at - last), ...ownInstructions(input.prompts?.topic) };
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
