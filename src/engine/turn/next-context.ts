import type { Context, Segment } from '../../domain/context.ts';
import type { Decision, Fallback } from '../../domain/decision.ts';
import { type Forest, type Node, newTurnDefaults } from '../../domain/forest.ts';
import { childrenOf, replyOf } from '../../domain/queries.ts';
import { withRecord } from '../../domain/table.ts';
import { instructionsOf, sentReply } from '../context/context-text.ts';
import { truncation } from '../context/policies/flat-policies.ts';
import type { BuiltContext, Policy, PolicyInput } from '../context/policy.ts';
import type { RetrievalFor } from '../context/retrieval/retriever.ts';
import type { EngineCore } from '../core.ts';
import { reserveFor } from '../parameters.ts';
import { type Settings, usedSettings } from '../settings.ts';
import { abortable } from '../tasks.ts';

/** Needs no model except the one that counts tokens. */
const STAND_IN = truncation;
/** What a policy without its own memory falls back to when texts cannot be compared. */
const UNCOMPARED = 'what is known without comparing replies';

/** What the core itself does not know about a turn to be answered. */
type ContextRequest = Omit<PolicyInput, 'memory' | 'retrieve'> & RetrievalFor;

/**
 * Builds the context with the current policy, including what failed on the way. If the policy's memory cannot do
 * without a model that failed, the last turns are sent instead and the context says so. Rejects if tokens cannot be
 * counted, and as soon as the signal fires; what a memory has taken in by then is kept.
 */
export const buildContext = async (
  core: EngineCore,
  given: ContextRequest,
  signal: AbortSignal,
): Promise<BuiltContext> => {
  const { policy } = core;
  const { memory, failures } = await core.watchedMemory(policy, signal);
  const { replyNearness, ...rest } = given;
  const input = { ...rest, memory, retrieve: core.retrieve({ ...rest, replyNearness }) };
  try {
    return withFallbacks(await abortable(policy.build(input), signal), policy, failures);
  } catch (error) {
    signal.throwIfAborted();
    if (!failures.some(({ role }) => role === 'embed')) throw error;
    const built = await STAND_IN.build(input);
    const to = `${STAND_IN.name} instead of ${policy.name}`;
    const fallbacks = failures.map((one) => (one.role === 'embed' ? { ...one, to } : one));
    return { ...built, context: { ...built.context, fallbacks } };
  }
};

/** Adds to a context of a policy what failed while it was built. */
export const withFallbacks = (built: BuiltContext, policy: Policy, failures: readonly Fallback[]): BuiltContext => {
  if (failures.length === 0) return built;
  const fallbacks = failures.map((one) =>
    policy.remember === undefined && one.role === 'embed' ? { ...one, to: UNCOMPARED } : one,
  );
  return { ...built, context: { ...built.context, fallbacks } };
};

/** Tokens of the context that a message continuing from the active node would have before it. */
export const nextTokens = async (core: EngineCore, signal: AbortSignal): Promise<number> => {
  const { tokens, host, policy } = core;
  const forest = host.forest();
  const at = forest.active === null ? undefined : forest.nodes[forest.active.nodeId];
  if (at === undefined) return 0;
  // Replies from an import or an older log have none.
  const context = replyOf(at)?.context;
  // The cheap path, taken after every turn: nothing older has to be counted.
  if (
    context &&
    policy.onlyGrows === true &&
    context.policy === policy.name &&
    context.unit === tokens.unit &&
    isBuiltWith(context, at, core.settings) &&
    untouchedSince(forest) &&
    opensWith(context, instructionsOf(forest)) &&
    context.segments.every(({ kind }) => !CUT_BACK.has(kind))
  ) {
    await tokens.prepare([sentReply(at)]);
    const all = context.tokens + tokens.count(sentReply(at));
    const { chat } = core.parts.models();
    if (all <= chat.window - reserveFor(forest, core.parameters, chat)) return all;
  }
  return (await builtFor(core, forest, at, signal)).tokens;
};

/** Segments of a context that did not fit: in another window, others would be sent. */
const CUT_BACK: ReadonlySet<Segment['kind']> = new Set(['turn-summary', 'path-left-out', 'reference-summary']);

/** The context that a message continuing from a forest's active node would have before it; null in an empty forest. */
export const nextContext = async (core: EngineCore, forest: Forest, signal: AbortSignal): Promise<Context | null> => {
  const at = forest.active === null ? undefined : forest.nodes[forest.active.nodeId];
  return at === undefined ? null : builtFor(core, forest, at, signal);
};

const builtFor = async (core: EngineCore, forest: Forest, at: Node, signal: AbortSignal): Promise<Context> => {
  const { tokens, parameters } = core;
  const { chat } = core.parts.models();
  const next = silentTurn({ id: core.parts.newId(), at: core.host.time() }, forest, at);
  const nodes = withRecord(forest.nodes, next.id, next);
  const children = withRecord(forest.children, at.id, [...childrenOf(forest, at.id), next.id]);
  const request = {
    forest: { ...forest, nodes, children },
    nodeId: next.id,
    // Nothing is similar to a message that has not been written.
    nearness: () => null,
    tokens,
    window: chat.window,
    parameters: { ...parameters, replyReserve: reserveFor(forest, parameters, chat) },
    newId: core.parts.newId,
  };
  return (await buildContext(core, request, signal)).context;
};

/** Whether nothing was edited since the last message, so that the next one begins with what it was sent. */
const untouchedSince = ({ history }: Forest): boolean => history.past.at(-1)?.type === 'message-sent';

/** Whether a turn's context was built under the same parameters. */
const isBuiltWith = (context: Context, { decision: { trace } }: Node, settings: Settings): boolean =>
  JSON.stringify((context.settings ?? trace?.settings)?.parameters) ===
  JSON.stringify(usedSettings(settings).parameters);

const opensWith = ({ segments: [first] }: Context, text: string): boolean =>
  first?.kind === 'instructions' && first.text === text;

const NOT_DECIDED: Decision = { topic: 'continue-topic', branch: 'continue-branch', by: 'engine', trace: null };

/** An empty turn that continues from a node and costs nothing. */
const silentTurn = (
  { id, at }: Pick<Node, 'id' | 'at'>,
  forest: Forest,
  { id: parentId, treeId, branchId }: Node,
): Node => ({
  id,
  number: forest.turnCount + 1,
  treeId,
  branchId,
  parentId,
  message: '',
  at,
  replies: [],
  replyId: null,
  summary: null,
  decision: NOT_DECIDED,
  label: null,
  ...newTurnDefaults,
});
