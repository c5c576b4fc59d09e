import type { Context, Segment } from '../../domain/context.ts';
import type { Decision, Fallback } from '../../domain/decision.ts';
import { type Forest, type Node, newTurnDefaults } from '../../domain/forest.ts';
import { childrenOf, replyOf } from '../../domain/queries.ts';
import { withRecord } from '../../domain/table.ts';
import { turnsBefore } from '../../domain/turns-in-order.ts';
import { instructionsOf, picturedTurn, sentReply } from '../context/context-text.ts';
import { truncation } from '../context/policies/flat-policies.ts';
import type { BuiltContext, Policy, PolicyInput } from '../context/policy.ts';
import type { RetrievalFor } from '../context/retrieval/retriever.ts';
import { type MessageWithAttachments, picturesOf } from '../context/sent-message.ts';
import type { EngineCore } from '../core.ts';
import { reserveFor } from '../parameters.ts';
import type { ChatModel } from '../ports.ts';
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

/** Estimated tokens of a picture: models that report the cost charge from 85 tokens to about twice this. */
const PICTURE_TOKENS = 800;

/** Tokens of the window that are left for text beside a message's own pictures: at least half of those for the prompt. */
export const textWindow = (said: MessageWithAttachments, window: number, replyReserve: number): number =>
  window - Math.min(picturesOf(said).length * PICTURE_TOKENS, Math.floor(Math.max(0, window - replyReserve) / 2));

/** Returns the context with the pictures shown to the model, as far as their bytes are there. */
export const withPictures = async (
  core: EngineCore,
  forest: Forest,
  context: Context,
  chat: ChatModel,
): Promise<Context> => {
  const ids = picturesNamed(forest, context).map(({ id }) => id);
  const there = ids.length === 0 ? undefined : await core.parts.pictures?.(ids);
  const most = chat.window - reserveFor(forest, core.parameters, chat);
  return withFittingPictures(forest, context, most, (id) => there?.[id] !== undefined);
};

/** The pictures of the messages that are sent, newest first, and whether they are the message's own. */
const picturesNamed = (forest: Forest, { segments }: Context): { readonly id: string; readonly isOwn: boolean }[] => {
  const own = segments.findLast(({ kind }) => kind === 'message');
  return segments.toReversed().flatMap((segment) => {
    const turn = picturedTurn(forest, segment);
    return turn === null ? [] : picturesOf(turn).map(({ id }) => ({ id: id as string, isOwn: segment === own }));
  });
};

/**
 * Returns the context with the pictures shown to the model: those of the message, and the newest from the earlier turns
 * sent, as far as there is room. `most`: tokens of the context, at most.
 */
export const withFittingPictures = (
  forest: Forest,
  context: Context,
  most: number,
  isThere: (id: string) => boolean,
): Context => {
  const ids = fittingPictures(forest, context, most, isThere);
  return ids.length === 0 ? context : withShownPictures(forest, context, most, ids);
};

const fittingPictures = (
  forest: Forest,
  context: Context,
  most: number,
  isThere: (id: string) => boolean,
): string[] => {
  const room = most - context.tokens;
  const ids: string[] = [];
  for (const { id, isOwn } of picturesNamed(forest, context)) {
    // A picture that is shown is shown everywhere it occurs.
    const fits = isOwn || ids.includes(id) || (ids.length + 1) * PICTURE_TOKENS <= room;
    if (fits && isThere(id)) ids.push(id);
  }
  return ids;
};

/** Returns a context of text alone with these pictures. */
export const withShownPictures = (forest: Forest, context: Context, most: number, ids: readonly string[]): Context =>
  withPictureTokens({ ...context, ...withPicturesInHistory(forest, context, most) }, ids);

const withPictureTokens = (context: Context, ids: readonly string[]): Context => {
  const tokens = ids.length * PICTURE_TOKENS;
  return { ...context, tokens: context.tokens + tokens, pictures: { ids: [...ids], tokens } };
};

/** What the history would have cost with all its pictures, for a model that is shown pictures. */
const withPicturesInHistory = (
  forest: Forest,
  { segments, fullHistoryTokens, plainChatTokens = fullHistoryTokens }: Context,
  most: number,
): Pick<Context, 'fullHistoryTokens' | 'plainChatTokens'> => {
  const own = segments.findLast(({ kind }) => kind === 'message');
  const node = own?.kind === 'message' ? forest.nodes[own.nodeId] : undefined;
  const turns = node === undefined ? [] : [...turnsBefore(forest, node), node];
  const pictures = turns.reduce((sum, turn) => sum + picturesOf(turn).length, 0) * PICTURE_TOKENS;
  const whole = fullHistoryTokens + pictures;
  return {
    fullHistoryTokens: whole,
    ...(whole > most && { plainChatTokens: Math.min(most, plainChatTokens + pictures) }),
  };
};

/** Tokens of the context that a message continuing from the active node would have before it. */
export const nextTokens = async (core: EngineCore, signal: AbortSignal): Promise<number> => {
  const { tokens, host, policy } = core;
  const forest = host.forest();
  const at = forest.active === null ? undefined : forest.nodes[forest.active.nodeId];
  if (at === undefined) return 0;
  // Replies from an import or an older log have none.
  const context = replyOf(at)?.context;
  const { chat } = core.parts.models();
  // The cheap path, taken after every turn: nothing older has to be counted.
  if (
    context &&
    policy.onlyGrows === true &&
    context.policy === policy.name &&
    context.unit === tokens.unit &&
    isBuiltWith(context, at, core.settings) &&
    untouchedSince(forest) &&
    opensWith(context, instructionsOf(forest)) &&
    // A path that goes over its budget is shortened, though the window would hold it.
    core.parameters.contextBudget === null &&
    !context.segments.some(isCutBack) &&
    showsPicturesTo(chat, forest, context)
  ) {
    await tokens.prepare([sentReply(at)]);
    const all = context.tokens + tokens.count(sentReply(at));
    if (all <= chat.window - reserveFor(forest, core.parameters, chat)) return all;
  }
  return (await builtFor(core, forest, at, signal)).tokens;
};

/** Segments of a context that did not fit: in another window, others would be sent. */
const CUT_BACK: ReadonlySet<Segment['kind']> = new Set(['turn-summary', 'path-left-out', 'reference-summary']);

/** Whether it did not fit as it is. A message sent with passages of its files is sent with all of them as an earlier turn. */
const isCutBack = (segment: Segment): boolean =>
  CUT_BACK.has(segment.kind) || (segment.kind === 'message' && segment.text !== undefined);

/** Whether a context shows all the pictures that this model could be shown: in another window, others would fit. */
const showsPicturesTo = (chat: ChatModel, forest: Forest, context: Context): boolean => {
  const shown = context.pictures?.ids ?? [];
  return chat.sees === true ? picturesNamed(forest, context).every(({ id }) => shown.includes(id)) : shown.length === 0;
};

/** The context that a message continuing from a forest's active node would have before it; null in an empty forest. */
export const nextContext = async (core: EngineCore, forest: Forest, signal: AbortSignal): Promise<Context | null> => {
  const at = forest.active === null ? undefined : forest.nodes[forest.active.nodeId];
  return at === undefined ? null : builtFor(core, forest, at, signal);
};

const builtFor = async (core: EngineCore, forest: Forest, at: Node, signal: AbortSignal): Promise<Context> => {
  const { tokens, parameters } = core;
  const { chat } = core.parts.models();
  const replyReserve = reserveFor(forest, parameters, chat);
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
    parameters: { ...parameters, replyReserve },
    newId: core.parts.newId,
  };
  const { context } = await buildContext(core, request, signal);
  if (chat.sees !== true) return context;
  // Those that are gone count, too: to find out, all of them would have to be read.
  const ids = fittingPictures(request.forest, context, chat.window - replyReserve, () => true);
  // Not what the history would have cost with its pictures: nobody asks, and all turns would have to be listed.
  return withPictureTokens(context, ids);
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
