import type {
  Decision,
  Fallback,
  NodeCandidate,
  PathQuestionRecord,
  Timing,
  TopicAction,
  TopicAnswer,
  TopicCandidate,
} from '../../domain/decision.ts';
import type { Forest, NodeId, PendingTurn, TreeId } from '../../domain/forest.ts';
import { nodeOf } from '../../domain/queries.ts';
import { realParent, visibleForest, visibleTarget } from '../context/visible-forest.ts';
import type { EngineCore } from '../core.ts';
import { askInTurn } from '../model-fallback.ts';
import { decideBranch, ownInstructions } from '../place/branch.ts';
import type { ComparedMessage } from '../place/compared-message.ts';
import { EARLIER } from '../place/cues.ts';
import { nearestFrom, topicQuestion } from '../place/question-views.ts';
import type { RouteInput } from '../place/route-input.ts';
import { askPath, topicByPaths } from '../place/topic-by-paths.ts';
import type { BranchQuestion, Decider, MissingModel, Models, TopicAnswerAbout, TopicQuestion } from '../ports.ts';
import { Stopwatch } from '../tasks.ts';
import { glossedForEmbedder } from '../text/glossary.ts';
import { plain } from '../text/words.ts';

interface PlaceDecision {
  /** Where the turn goes: under a node, or (null) as the root of a new topic. */
  readonly parentId: NodeId | null;
  readonly decision: Decision;
  /** Where the embedded decider would have put a message that the person placed; absent if nobody chose. */
  readonly engineParentId?: NodeId | null;
}

/** Where a message goes, and how to reconsider that once its reply is known. */
interface MessagePlacement {
  readonly near: ComparedMessage;
  readonly place: PlaceDecision;
  /**
   * Resolves to where the turn belongs given its reply and the reply's vector, judged against the forest it was placed
   * into; null if its place stands or the embedder has changed since.
   */
  readonly reconsider: (reply: string, vector: Float32Array) => Promise<PlaceDecision | null>;
}

/**
 * Decides where a pending message goes (Context-Agent §3.3, steps 1 to 3) without changing anything. Hidden turns are
 * invisible to it. Rejects if the signal fires.
 */
export const decide = async (
  core: EngineCore,
  pending: PendingTurn,
  stopwatch: Stopwatch,
  signal: AbortSignal,
): Promise<MessagePlacement> => {
  const { models, embedded } = core.parts;
  const chosen = models();
  const { routing } = core;
  const fallbacks: Fallback[] = [];
  const near = await stopwatch.time('embed', () => core.compareMessage(pending.message, signal, fallbacks));
  const forest = core.host.forest();
  const visible = visibleForest(forest);
  const asked: RouteInput = {
    forest: visible,
    near,
    ...routing,
    pending: { ...pending, target: visibleTarget(forest, visible, pending.target) },
    deciders: decidersFor(chosen, embedded.decide, core.parameters.sureFrom),
    signal,
    fallbacks,
    stopwatch,
  };
  const routed = await route(asked);
  const parentId =
    pending.target?.kind === 'under' ? pending.target.nodeId : realParent(forest, visible, routed.parentId);
  const still = near.whileItIs(visible);
  const reconsider: MessagePlacement['reconsider'] = async (reply, vector) => {
    // Vectors of another embedder cannot be compared with those of the forest it was placed into.
    if (models().embed.name !== chosen.embed.name) return null;
    // Stopping the reply does not stop this step.
    const lasting = new AbortController().signal;
    const whole = { ...asked, near: still(), signal: lasting, fallbacks: [], stopwatch: new Stopwatch(core.parts.now) };
    const moved = await reconsidered(whole, routed, still(reply, vector));
    if (moved === null) return null;
    const { decision } = withReferences(visible, whole.near, moved);
    return { parentId: realParent(forest, visible, moved.parentId), decision };
  };
  const place = { parentId, decision: withReferences(visible, near, routed).decision };
  // The first turn always opens a topic.
  if (pending.target?.chosen !== true || visible.active === null) return { near, place, reconsider };
  // The label records the person's choice and what the engine would have chosen. No language model is kept busy for that.
  const unasked = await route({
    ...asked,
    pending: { ...pending, target: null },
    deciders: [embedded.decide],
    fallbacks: [],
    stopwatch: new Stopwatch(core.parts.now),
  });
  return {
    near,
    place: { ...place, engineParentId: realParent(forest, visible, unasked.parentId) },
    reconsider,
  };
};

/**
 * Answers with the first decider when it is sure enough and asks the second when it is not, so a language model runs
 * only for the few messages that need it. An answer without a confidence counts as unsure.
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
      return sure(answer.confidence) ? answer : branchElsewhere(second, question, signal);
    },
    path: async (question, signal) => {
      const answer = await askPath(first, question, signal);
      return sure(answer.confidence) ? answer : askPath(second, question, signal);
    },
  };
};

/**
 * Asks a decider that takes n* for a place to fork from. An ungated question may have the turn that the message would
 * follow anyway as its n*; the nearest of the other places then stands in for it.
 */
const branchElsewhere = async (decider: Decider, question: BranchQuestion, signal?: AbortSignal) => {
  const { forkPoint, path, places } = question;
  const [nearest] = places.map(({ from }) => from).sort((a, b) => b.similarity - a.similarity);
  if (nearest === undefined || forkPoint.nodeId !== path.at(-1)?.nodeId) return decider.branch(question, signal);
  const answer = await decider.branch({ ...question, forkPoint: nearest }, signal);
  return answer.action === 'continue-branch' ? answer : { point: nearest.nodeId, ...answer };
};

/**
 * Returns the deciders in the order they are asked: the chosen one, backed by `consult` where it is unsure, then the
 * embedded one as the fallback. One that is missing fails.
 */
const decidersFor = (
  { decide, consult, missing = [] }: Pick<Models, 'decide' | 'consult' | 'missing'>,
  embedded: Decider,
  sureFrom: number,
): Decider[] => {
  const absent = (role: MissingModel['role']): Decider | undefined => {
    const found = missing.find((model) => model.role === role);
    return found && absentDecider(found, embedded);
  };
  const asked = absent('decide') ?? decide;
  const second = consult ?? absent('consult');
  const first = second === undefined ? asked : askingWhereUnsure(asked, second, sureFrom);
  return first === embedded ? [embedded] : [first, embedded];
};

/** Answers nothing, so that the next one is asked as it would be alone, and the trace says why. */
const absentDecider = ({ name, why }: MissingModel, next: Decider): Decider => ({
  name,
  ungated: next.ungated === true,
  topic: () => Promise.reject(new Error(why)),
  branch: () => Promise.reject(new Error(why)),
});

/** Phrases that refer to something said earlier, wherever that was: in English, as `plain` writes it. */
const POINTS = new RegExp(
  String.raw`\b(?:(?:as|like|what|that|which|when|where) (?:we|you|i)(?:'ve| have| had)? (?:already )?(?:said|discussed|talked|mentioned|spoke|planned|agreed|decided|chose|picked|settled)|(?:we|you|i)(?:'ve| have| had)? (?:talked|spoke|spoken) (?:about|of)|(?:same|similar|just) (?:\w+ ){0,3}(?:as|like) (?:\w+ ){0,3}(?:in|for|with|on|before|earlier)|(?:from|mentioned|discussed) (?:before|earlier)|${EARLIER}|remember (?:the|that|what|when|how)|(?:compar\w+|combin\w+|together) (?:it |that |this |them )?(?:to|with)|based on (?:the|our|what))`,
);

/** Least cosine at which a turn may be what such a phrase refers to. Chosen by hand; it only drives suggestions. */
const NEAR = 0.3;
/** How much nearer than the path it has to be, as a cosine; otherwise the phrase may just as well refer to the path. */
const NEARER = 0.05;
const MOST = 2;

/**
 * Returns the turns off the path that a message clearly refers to ("as we said about Japan"), nearest first. The person
 * may turn them into references; a suggestion alone sends nothing.
 */
const suggestReferences = (forest: Forest, near: ComparedMessage, parentId: NodeId | null): NodeCandidate[] => {
  if (near.embedding === null || !POINTS.test(plain(glossedForEmbedder(near.message, near.spoken)))) return [];
  let nearestHere = 0;
  for (const { id } of near.pathTo(forest, parentId)) nearestHere = Math.max(nearestHere, near.to(id) ?? 0);
  // None of the path is as near as that.
  return nearestFrom(forest, near, Math.max(NEAR, nearestHere + NEARER), MOST).map(({ nodeId, similarity }) => ({
    nodeId,
    similarity,
  }));
};

/** Returns the route with the turns that the message refers to, if any. */
const withReferences = (forest: Forest, near: ComparedMessage, route: Route): Route => {
  const { parentId, decision } = route;
  const references = suggestReferences(forest, near, parentId);
  if (decision.trace === null || references.length === 0) return route;
  return { parentId, decision: { ...decision, trace: { ...decision.trace, references } } };
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
  /** The last turn of the path it continues; absent if no path was chosen. */
  readonly leaf?: NodeId;
  readonly paths?: { readonly asked: readonly PathQuestionRecord[]; readonly leftOut: number };
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

/** Builds the topic question about a message. */
const topicQuestionFor = ({ forest, pending, near, prompts }: RouteInput): TopicQuestion => {
  const asked = topicQuestion(forest, near, topicUnder(forest, pending));
  const last = asked.recent.at(-1)?.node.at ?? pending.at;
  return { ...asked, pause: Math.max(0, pending.at - last), ...ownInstructions(prompts?.topic) };
};

/** Returns the topic of the turn the person placed a message under, if any. */
const topicUnder = (forest: Forest, { target }: PendingTurn): TreeId | null =>
  target?.kind === 'under' ? nodeOf(forest, target.nodeId).treeId : null;

const decideTopic = async (input: RouteInput): Promise<TopicOutcome> => {
  const { forest, pending, deciders, parameters, signal, fallbacks } = input;
  if (forest.active === null) {
    return { action: 'create-topic', target: null, rule: 'first-turn', answer: null, candidates: [] };
  }
  const current = forest.active.treeId;
  const under = topicUnder(forest, pending);
  const question = topicQuestionFor(input);
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
  // No decider could answer: staying in the current topic misplaces least, and the trace records it.
  if (answered === null) return { action: 'continue-topic', target: current, rule: 'asked', answer: null, candidates };
  const { target: named, ...answer } = answered;
  const target = answer.action === 'create-topic' ? null : answer.action === 'continue-topic' ? current : named;
  return { action: topicAction(target, current), target, rule: 'asked', answer, candidates };
};

const topicAction = (target: TreeId | null, current: TreeId): TopicAction => {
  if (target === null) return 'create-topic';
  return target === current ? 'continue-topic' : 'switch-topic';
};

/**
 * Returns where a message belongs now that its reply is known; null if its place stands. A message may only hint at its
 * subject ("and without butter?"), while the reply names it; in everyday talk this halves the mistakes. Only what the
 * decider chose by itself is reconsidered, and only by a decider that supports it. `input` and `first`: what the
 * message was placed by, in the forest as it was then. `reply`: the reply compared with that forest.
 */
export const reconsidered = async (input: RouteInput, first: Route, reply: ComparedMessage): Promise<Route | null> => {
  const { forest, deciders, parameters } = input;
  const { trace, by } = first.decision;
  if (by !== 'engine' || trace === null || trace.topic.rule !== 'asked') return null;
  const decider = deciders.find(({ name }) => name === trace.topic.answer?.decider);
  if (decider?.reconsider === undefined) return null;
  const message = topicQuestionFor(input);
  const answer = await decider.reconsider({ message, reply: topicQuestionFor({ ...input, near: reply }) });
  const stands = first.parentId === null ? null : nodeOf(forest, first.parentId).treeId;
  const target = targetOf(answer, message);
  if (target === stands || (answer.confidence ?? 0) < parameters.reconsiderFrom) return null;
  // The fork point and the branch are found in the other topic as usual.
  const moved = await route({ ...input, deciders: [{ ...decider, topic: async () => answer }] });
  const again = moved.decision.trace;
  if (again === null) return null;
  const { topic, branch } = first.decision;
  const said = { topic, branch, parentId: first.parentId, confidence: trace.topic.answer?.confidence ?? null };
  const fallbacks = [...trace.fallbacks, ...again.fallbacks];
  // Decided again, the steps count from zero once more.
  const end = Math.max(0, ...trace.timings.map(({ start, ms }) => start + ms));
  const timings = [...trace.timings, ...again.timings.map((lap) => ({ ...lap, start: lap.start + end }))];
  // Only the one that answered is asked again, but another may be asked where that one is unsure.
  const { decider: asked } = trace;
  const whole = { ...again, decider: asked, beforeReply: said, fallbacks, timings };
  return { ...moved, decision: { ...moved.decision, trace: whole } };
};

const targetOf = ({ action, target }: TopicAnswerAbout, { topics }: TopicQuestion): TreeId | null => {
  if (action === 'create-topic') return null;
  return action === 'continue-topic' ? (topics.find(({ active }) => active)?.treeId ?? null) : target;
};
