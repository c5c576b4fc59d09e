import type { Context, InclusionReason, Segment } from '../../../../domain/context.ts';
import { wordOf } from '../../../../domain/decision.ts';
import type { Forest, Node } from '../../../../domain/forest.ts';
import { nodeOf, pathTo, replyOf } from '../../../../domain/queries.ts';
import { runsWithout, turnsBefore, turnsFrom } from '../../../../domain/turns-in-order.ts';
import { CostMeter } from '../../../memories/memory-access.ts';
import { sumCosts } from '../../../text/token-cache.ts';
import { replyStart } from '../../../vectors/node-vectors.ts';
import { cosine } from '../../../vectors/vector-math.ts';
import { instructionsOf } from '../../context-text.ts';
import { messageSegment } from '../../message-segment.ts';
import type { BuiltContext, PolicyInput } from '../../policy.ts';
import { sentMessage } from '../../sent-message.ts';
import { placingCost, prepareLater, sumTokens, turnBefore, turnSegment, turnTokens } from '../../tokens.ts';
import { sendableAgain, visibleForest } from '../../visible-forest.ts';
import { historyTokens } from '../flat-context.ts';
import { inShortText, wantsOf } from '../tree-context.ts';
import {
  type Composition,
  composeBudget,
  composePath,
  fetchedFor,
  holdsMoreAnew,
  leftOutText,
  seatedTokens,
} from './compose.ts';
import { type CompareTexts, continuationChances } from './continuations.ts';
import { lastingNeeds, STANDING_TURNS, withLasting } from './lasting-instructions.ts';
import { type Needs, needsByModel, needsByRule, withFarRecall, withRetrieved } from './need.ts';

/** The policy's name, by which it recognises its own earlier contexts. */
const NAME = 'focused';
/**
 * Factor by which everything besides the last exchange and what is needed whole may exceed its budget before the context
 * is composed anew.
 */
const PASSED = 1.25;
/**
 * Share of its budget to which a path that has outgrown it is cut back, so that it can grow for a while before the next
 * cut and a chat model keeps its cache.
 */
const CUT_BACK = 0.5;
/** Number of turns to retrieve when a budget for the whole context is to be filled. */
const FILLS = 300;

/** Builds the context of a turn under `focused`. Rejects if tokens cannot be counted. */
export const build = async (input: PolicyInput): Promise<BuiltContext> => {
  const { nodeId, tokens, window, parameters } = input;
  const forest = visibleForest(input.forest, nodeId);
  const node = nodeOf(forest, nodeId);
  const path = pathTo(forest, nodeId);
  const parent = path.at(-2);
  const history = await historyTokens(forest, node, input);
  const later = await prepareLater(path, node, tokens);
  const text = instructionsOf(forest);
  const instructions: Segment = { kind: 'instructions', text, tokens: tokens.count(text) };
  const bound = parameters.contextBudget;
  const last = parent === undefined ? 0 : turnTokens(parent, tokens);
  const others = path.slice(0, -2);
  const line = () => (others.length === 0 ? '' : leftOutText(others.map(({ number }) => number)));
  const beside = { last: parent, line, budget: bound ?? Number.POSITIVE_INFINITY };
  const message = await messageSegment(node, window - parameters.replyReserve - instructions.tokens, tokens, beside);
  const ends = sumTokens([instructions, message]);

  const replies = comparing(input, node);
  const chances = await continuationChances(forest, node, input.nearness, replies.compare);
  const retrieved = await input.retrieve(node.message, bound === null ? {} : { limit: FILLS });
  const known = { forest, node, before: path.slice(0, -1), retrieved, chances };
  const recent = turnsFrom(forest, node.number - STANDING_TURNS, node.number + 1);
  const lasting = lastingNeeds(known.before, node.message, recent);
  const likely = withLasting(parameters.fittedNeed ? needsByModel(known) : needsByRule(known), lasting);
  const all = history.fullHistoryTokens - instructions.tokens - tokens.count(sentMessage(node));
  // What was sent before a turn that was moved below later ones lacks part of its path, and cannot be sent instead.
  const most = later.length === 0 ? all : Number.POSITIVE_INFINITY;
  const needs = bound === null ? withFarRecall(likely, known, all) : withRetrieved(likely, known);

  const holds = Math.max(0, window - parameters.replyReserve - ends);
  const room = Math.min(holds, bound ?? Number.POSITIVE_INFINITY);
  const budget = Math.max(parameters.pathFloor, parameters.pathShare * (all - last));
  const older = others.reduce((sum, turn) => sum + turnTokens(turn, tokens), 0);
  const limits = {
    total: room,
    pinned: holds,
    path: bound ?? last + (older > budget ? CUT_BACK * budget : budget),
    elsewhere: bound ?? parameters.unsureBudget,
    elsewhereFrom: bound === null ? parameters.neededFrom : 0,
  };
  const composition = { forest, path, needs, lasting, retrieved, limits, tokens };

  const carried = carriedContext(composition, text);
  const goesOn =
    carried !== null &&
    sumTokens(carried) <= Math.min(room, last + PASSED * budget + seatedTokens(composition, carried), most) &&
    !(await holdsMoreAnew(composition, carried));
  const between =
    (goesOn && (await goneOn(composition, carried, Math.min(room, most)))) ||
    (await (bound === null ? composePath(composition) : composeBudget(composition)));
  const whole = sumTokens(between) >= most && most <= room ? wholeHistory(forest, node, path, input) : between;
  const segments = [instructions, ...whole, ...elsewhere(forest, node, whole), message];
  const context: Context = {
    policy: NAME,
    segments,
    tokens: sumTokens(segments),
    ...history,
    unit: tokens.unit,
  };
  return {
    context,
    overview: null,
    cost: async () => sumCosts([await placingCost(forest, nodeId, tokens), replies.cost()]),
  };
};

/**
 * Returns what the previous turn on the branch was sent, unchanged, followed by that turn's own exchange: the start of
 * the context while the conversation continues, so that a chat model rereads none of it. Null if the branch changed,
 * the previous turn was sent something by another policy or under other instructions, or anything in it has been edited
 * since; also, when the conversation returns from elsewhere, if something was fetched for a message then, other than
 * requests that hold in every topic. Its texts must be prepared.
 */
const carriedContext = (
  { forest, path, lasting, tokens }: Composition,
  instructions: string,
): readonly Segment[] | null => {
  const [parent, node] = path.slice(-2);
  if (parent === undefined || node === undefined || parent.branchId !== node.branchId) return null;
  const sent = replyOf(parent)?.context;
  if (!sent || sent.policy !== NAME || sent.unit !== tokens.unit) return null;
  const [first, ...others] = sent.segments;
  const last = others.pop();
  if (first?.kind !== 'instructions' || first.text !== instructions) return null;
  if (last?.kind !== 'message' || last.nodeId !== parent.id) return null;
  const between = others.filter(({ kind }) => kind !== 'elsewhere');
  // It was sent this for another place: what was on its path then now belongs to another topic.
  const isMovedByHand = parent.label !== null && wordOf(parent.label) === 'corrected';
  if (isMovedByHand || parent.decision.trace?.beforeReply !== undefined) return null;
  const isBack = node.number !== parent.number + 1;
  if (isBack && between.some((segment) => segment.kind === 'fetched' && !isRequest(segment, lasting))) return null;
  const older = path.slice(0, -2);
  if (!between.every((segment) => isAsItWas(forest, segment)) || !hasPath(between, older)) return null;
  // Checked last because they read the texts of everything that was sent.
  if (!sendableAgain(forest, sent) || between.some((segment) => isContinued(forest, segment))) return null;
  return [...between, turnSegment(parent, tokens)];
};

/** Whether only the message was fetched, for a request in it that still holds. */
const isRequest = ({ nodeId, reply }: Segment & { kind: 'fetched' }, lasting: Composition['lasting']): boolean =>
  reply === undefined && lasting.get(nodeId)?.some(({ reason }) => reason === 'constraint') === true;

/** Whether the reply it was sent with still counts and the user still wants what they wanted. */
const isAsItWas = (forest: Forest, segment: Segment): boolean => {
  if (segment.kind === 'reference-summary') {
    const node = forest.nodes[segment.nodeId];
    return segment.pinned === true && node?.pinned === true && inShortText(node) === segment.text;
  }
  if (segment.kind !== 'turn' && segment.kind !== 'shortened' && segment.kind !== 'fetched') return true;
  const node = forest.nodes[segment.nodeId];
  if (node === undefined || node.replyId !== segment.replyId) return false;
  const reasons = segment.why?.map(({ reason }) => reason) ?? [];
  return !(reasons.includes('pinned') && !node.pinned) && !reasons.includes('referred-to');
};

/** Whether the reply had broken off when it was sent and was continued since. */
const isContinued = ({ nodes }: Forest, segment: Segment): boolean => {
  if (segment.kind !== 'turn' && segment.kind !== 'shortened' && segment.kind !== 'fetched') return false;
  const node = nodes[segment.nodeId];
  return node !== undefined && (replyOf(node)?.text.length ?? 0) !== segment.replyLength;
};

/**
 * Whether every turn of the path is there in order (in full, shortened or counted) or fetched, and no other turn stands
 * in line unless all were sent.
 */
const hasPath = (segments: readonly Segment[], path: readonly Node[]): boolean => {
  const ids = new Set(path.map(({ id }) => id));
  const fetched = new Set(segments.flatMap((segment) => (segment.kind === 'fetched' ? [segment.nodeId] : [])));
  const sentWhole = new Set(
    segments.flatMap((segment) =>
      segment.kind === 'turn' && segment.why?.some(({ reason }) => reason === 'whole-is-shorter')
        ? [segment.nodeId]
        : [],
    ),
  );
  const there = segments.flatMap((segment) => {
    if (segment.kind === 'turns-left-out') return segment.nodeIds;
    const isInPlace = segment.kind === 'turn' || segment.kind === 'shortened' || segment.kind === 'turn-line';
    return isInPlace ? [segment.nodeId] : [];
  });
  if (there.some((id) => !ids.has(id) && !sentWhole.has(id))) return false;
  const own = there.filter((id) => ids.has(id));
  const others = path.filter(({ id }) => !own.includes(id));
  const order = path.filter(({ id }) => own.includes(id));
  return others.every(({ id }) => fetched.has(id)) && own.every((id, at) => id === order[at]?.id);
};

/** Returns what is carried over plus what else the message needs; null if that leaves no room for what the user wants included. */
const goneOn = async (
  composition: Composition,
  carried: readonly Segment[],
  most: number,
): Promise<Segment[] | null> => {
  const { forest, path, limits, needs } = composition;
  const left = { ...limits, total: most - sumTokens(carried) };
  const fetched = await fetchedFor({ ...composition, limits: left }, carried);
  const between = [...carried.map((segment) => explainedAnew(segment, needs, path.at(-2))), ...fetched];
  const sent = new Set(between.flatMap((segment) => ('nodeId' in segment ? [segment.nodeId] : [])));
  return [...wantsOf(forest, path).keys()].every(({ id }) => sent.has(id)) ? between : null;
};

/** Reasons for the form of a turn, which is the same until everything is composed anew. */
const OF_FORM: ReadonlySet<InclusionReason['reason']> = new Set([
  'constraint',
  'newest-version',
  'older-version',
  'pasted-in-parts',
]);
/** Those, and the ones by which the next context knows what it goes on from; all others are about the message of their time. */
const STAYS: ReadonlySet<InclusionReason['reason']> = new Set([...OF_FORM, 'pinned', 'whole-is-shorter']);

/** What is carried over, with the reasons that the present message gives for it and those for its form. `last`: gets its form now. */
const explainedAnew = (segment: Segment, needs: Needs, last: Node | undefined): Segment => {
  switch (segment.kind) {
    case 'turn':
    case 'shortened':
    case 'turn-line':
    case 'fetched': {
      const { need: _, why: before = [], ...sent } = segment;
      const now = needs.of(segment.nodeId).why;
      const isNow = (reason: InclusionReason['reason']): boolean => now.some((one) => one.reason === reason);
      // It keeps its form, but is not called the newest any more.
      const isReplaced = isNow('older-version') && !isNow('newest-version');
      const why = [
        ...now.filter(({ reason }) => segment.nodeId === last?.id || !OF_FORM.has(reason)),
        ...before.filter(({ reason }) => STAYS.has(reason) && !(isReplaced && reason === 'newest-version')),
      ];
      return { ...sent, ...(why.length > 0 && { why }) };
    }
    default:
      return segment;
  }
};

/** Everything in chronological order, for when that costs no more than a selection. */
const wholeHistory = (forest: Forest, node: Node, path: readonly Node[], { tokens }: PolicyInput): Segment[] => {
  const onPath = new Set(path);
  return turnsBefore(forest, node).map((turn) => ({
    ...turnSegment(turn, tokens),
    ...(!onPath.has(turn) && { why: [{ reason: 'whole-is-shorter' as const }] }),
  }));
};

/** What is neither sent nor counted on the path: shown by the inspector, not part of the request. */
const elsewhere = (forest: Forest, node: Node, sent: readonly Segment[]): Segment[] => {
  const there = new Set<number>();
  for (const segment of sent) {
    const ids = 'nodeId' in segment ? [segment.nodeId] : segment.kind === 'turns-left-out' ? segment.nodeIds : [];
    for (const id of ids) {
      const number = forest.nodes[id]?.number;
      if (number !== undefined) there.add(number);
    }
  }
  const numbers = runsWithout(forest, node, there);
  return numbers.length === 0 ? [] : [{ kind: 'elsewhere', numbers, text: '', tokens: 0 }];
};

/** Compares texts with a turn's message by embedding, and tracks the cost. */
const comparing = ({ memory, forest }: PolicyInput, node: Node) => {
  const before = turnBefore(forest, node);
  const fresh = before && replyStart(before);
  // Older replies were already paid for by the turns after them.
  const bill = new CostMeter((text) => text !== fresh, memory.now);
  const compare: CompareTexts = async (texts) => {
    try {
      const [asked, ...vectors] = await bill.time(() => memory.tools(bill).embed([node.message, ...texts]));
      return vectors.map((vector) => cosine(vector, asked as Float32Array));
    } catch {
      // The embedder failed, which the context reports; turns are weighed by what else is known of them.
      return null;
    }
  };
  return { compare, cost: () => bill.cost };
};
