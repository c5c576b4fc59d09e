import type { Overview, Segment } from '../../../domain/context.ts';
import { restatesOverview } from '../../../domain/event-kinds.ts';
import { byNumber, type Change, type Forest, type Node, type NodeId, type Step } from '../../../domain/forest.ts';
import { plural } from '../../../domain/numbers.ts';
import { isStepOf, nodeOf, pathTo, replyOf } from '../../../domain/queries.ts';
import { pinnedTurns } from '../../../domain/turns-in-order.ts';
import type { TokenCache } from '../../text/token-cache.ts';
import { instructionsOf, OVERVIEW_HEAD, sentReply } from '../context-text.ts';
import { messageSegment } from '../message-segment.ts';
import { buildOverview, summaryText } from '../overview.ts';
import type { BuiltContext, PolicyInput } from '../policy.ts';
import { sentMessage } from '../sent-message.ts';
import { placingCost, prepareLater, sumTokens, turnSegment, turnTokens } from '../tokens.ts';
import { visibleForest } from '../visible-forest.ts';
import { historyTokens, withinWindow } from './flat-context.ts';

/** Largest share that the overview may take of a whole-context budget, and of what the window holds: both are mainly for the path. */
const OVERVIEW_SHARE = 0.25;

/**
 * Context-Agent §3.3, step 4: the active path in full and every other branch and topic as its summary. Those nearest to
 * the message get into the overview's budget first; among equally near ones, the latest.
 */
export const treeContext = async (policy: string, input: PolicyInput): Promise<BuiltContext> => {
  const { nodeId, tokens, window, parameters } = input;
  const forest = visibleForest(input.forest, nodeId);
  const node = nodeOf(forest, nodeId);
  const path = pathTo(forest, nodeId);
  const before = path.slice(0, -1);

  const history = await historyTokens(forest, node, input);
  await prepareLater(path, node, tokens);
  const text = instructionsOf(forest);
  const instructions: Segment = { kind: 'instructions', text, tokens: tokens.count(text) };

  const budget = parameters.contextBudget ?? Number.POSITIVE_INFINITY;
  const holds = Math.max(0, window - parameters.replyReserve - instructions.tokens);
  const overviewBudget = Math.min(parameters.overviewBudget, Math.floor(Math.min(budget, holds) * OVERVIEW_SHARE));
  const kept = keptOverview(policy, forest, path, overviewBudget, tokens.unit);
  const bounded = { ...parameters, overviewBudget };
  const made =
    kept === null ? await buildOverview({ ...input, parameters: bounded, forest, id: input.newId(), path }) : null;
  const overview = kept ?? made;
  const front: Segment[] = [instructions];
  if (overview !== null) {
    await tokens.prepare([OVERVIEW_HEAD]);
    const lines = overview.lines.reduce((total, line) => total + line.tokens, tokens.count(OVERVIEW_HEAD));
    front.push({ kind: 'overview', overviewId: overview.id, tokens: lines });
  }
  const parent = before.at(-1);
  const beside = { last: parent, line: () => (before.length < 2 ? '' : leftOut(before.length)), budget };
  const message = await messageSegment(node, window - parameters.replyReserve - sumTokens(front), tokens, beside);
  const left = window - parameters.replyReserve - sumTokens([...front, message]);
  const room = Math.min(left, budget - sumTokens(front.filter(({ kind }) => kind === 'overview')));
  const pins = await pinsThatFit(before, left, tokens);
  const others = left - sumTokens([...pins.values()]);
  const last = parent === undefined || pins.has(parent) ? 0 : turnTokens(parent, tokens);
  const most = { pinned: Math.min(Math.max(room * MOST, others - last), others), rest: Math.min(room * MOST, others) };
  const wanted = await wantedTurns(forest, path, most, tokens);
  const inFull = await fitPath(before, room - sumTokens(wanted), pins, tokens);
  const segments = [...front, ...withinWindow([...wanted, ...inFull], left), message];
  const context = {
    policy,
    segments,
    tokens: sumTokens(segments),
    ...history,
    unit: tokens.unit,
  };
  return { context, overview: made, cost: () => placingCost(forest, nodeId, tokens) };
};

/**
 * Returns the previous turn's overview if the conversation merely continued under the same policy: same branch, nothing
 * it lists has moved away or onto the path since, and it fits the current overview budget (`most` tokens).
 */
const keptOverview = (
  policy: string,
  forest: Forest,
  path: readonly Node[],
  most: number,
  unit: string,
): Overview | null => {
  const [parent, node] = path.slice(-2);
  if (parent === undefined || node === undefined || parent.branchId !== node.branchId) return null;
  // Replied to again: whatever was edited since its first reply counts as well.
  if (node.replies.length > 0) return null;
  const context = replyOf(parent)?.context;
  // Another policy ranked its overview differently, another tokenizer counted it differently.
  if (!context || context.policy !== policy || context.unit !== unit) return null;
  const segment = context.segments.find(({ kind }) => kind === 'overview');
  const overview = segment?.kind === 'overview' ? forest.overviews[segment.overviewId] : undefined;
  if (overview === undefined || overview.branchId !== node.branchId) return null;
  const listed = overview.lines.filter(({ kind }) => kind !== 'left-out');
  if (listed.reduce((total, line) => total + line.tokens, 0) > most) return null;
  const onPath = new Set(path.map(({ id }) => id));
  const stale = overview.lines.some(
    (line) =>
      line.kind !== 'left-out' &&
      line.nodeIds.some((id) => {
        const listed = forest.nodes[id];
        const home = line.kind === 'topic' ? listed?.treeId === line.treeId : listed?.branchId === line.branchId;
        return !home || onPath.has(id);
      }),
  );
  // A turn that follows a visit to other topics has something new to list.
  return stale || leftMeanwhile(parent, node) || editedMeanwhile(forest, node, onPath) ? null : overview;
};

/** Whether the user edited something off the path since the message before this one, or may have. */
const editedMeanwhile = ({ history: { past } }: Forest, node: Node, onPath: ReadonlySet<NodeId>): boolean => {
  const isSent = past.at(-1)?.type === 'message-sent' && isStepOf(past.at(-1) as Step, node.id);
  for (let at = past.length - (isSent ? 2 : 1); at >= 0; at--) {
    const { type, changes } = past[at] as Step;
    if (type === 'message-sent') return false;
    if (restatesOverview(type) && !changes.every((undo) => isOfTurn(undo, onPath))) return true;
  }
  // A purge has taken what came before it. Where not even this message is, no history is kept: in measurements.
  return past.length > 0;
};

/** Whether it only changed one of these turns, such as its reply. */
const isOfTurn = (change: Change, turns: ReadonlySet<NodeId>): boolean =>
  change.kind === 'fields' && change.table === 'nodes' && turns.has(change.id);

/** Whether turns were sent elsewhere since the parent: the conversation returned rather than continued. */
const leftMeanwhile = (parent: Node, node: Node): boolean => node.number !== parent.number + 1;

/**
 * Number of turns summarised at a time when a path is too long for the window. Summarising one at a time would change
 * the start of the context every turn and so invalidate a chat model's cache.
 */
const SUMMARISE_AT_ONCE = 4;

/**
 * Returns what the window holds of the pinned turns of a path, the newest first: all of a turn or, where only that fits,
 * its summary. `holds`: tokens.
 */
const pinsThatFit = async (
  path: readonly Node[],
  holds: number,
  tokens: TokenCache,
): Promise<ReadonlyMap<Node, Segment>> => {
  const pinned = path.filter((node) => node.pinned).toReversed();
  await tokens.prepare(pinned.map(inShortText));
  const pins = new Map<Node, Segment>();
  let left = holds;
  for (const node of pinned) {
    const form = [turnSegment(node, tokens), inShort(node, tokens)].find((one) => one.tokens <= left);
    if (form === undefined) continue;
    left -= form.tokens;
    pins.set(node, form);
  }
  return pins;
};

/** A turn of the path as its summary, where that is shorter. Both must be prepared. */
const inShort = (node: Node, tokens: TokenCache): Segment => {
  const turn = turnSegment(node, tokens);
  const text = inShortText(node);
  const cost = tokens.count(text);
  return cost >= turn.tokens ? turn : { kind: 'turn-summary', nodeId: node.id, text, tokens: cost };
};

/**
 * Returns the path in full if it fits; otherwise its oldest turns as summaries, where these are shorter, and a count of
 * the oldest that still do not fit. The last exchange gives way after all before it. Pinned turns stay as in `pins`,
 * whatever they cost.
 */
const fitPath = async (
  path: readonly Node[],
  room: number,
  pins: ReadonlyMap<Node, Segment>,
  tokens: TokenCache,
): Promise<Segment[]> => {
  const inFull = path.map((node) => turnSegment(node, tokens));
  if (sumTokens(inFull) <= room) return inFull;

  await tokens.prepare([...path.map(inShortText), leftOut(path.length)]);
  const turns = path.map((node, at) => pins.get(node) ?? (inFull[at] as Segment));
  const shortened = path.map((node) => pins.get(node) ?? inShort(node, tokens));
  const withShort = (inShort: number): Segment[] => [...shortened.slice(0, inShort), ...turns.slice(inShort)];
  const before = path.length - 1;
  for (let inShort = 0; inShort < before; ) {
    inShort = Math.min(inShort + SUMMARISE_AT_ONCE, before);
    const segments = withShort(inShort);
    if (sumTokens(segments) <= room) return segments;
  }
  const withoutLast = await withOldestLeftOut(path, withShort(before), before, room, pins, tokens);
  if (sumTokens(withoutLast) <= room) return withoutLast;
  return withOldestLeftOut(path, shortened, path.length, room, pins, tokens);
};

/** Returns the segments of a path without the oldest of the first `most`, as many as it takes, and a count of these. */
const withOldestLeftOut = async (
  path: readonly Node[],
  segments: readonly Segment[],
  most: number,
  room: number,
  pins: ReadonlyMap<Node, Segment>,
  tokens: TokenCache,
): Promise<Segment[]> => {
  let total = sumTokens(segments);
  if (total <= room) return [...segments];
  total += tokens.count(leftOut(path.length));
  const gone = new Set<Segment>();
  for (const [at, segment] of segments.slice(0, most).entries()) {
    if (total <= room) break;
    if (pins.has(path[at] as Node)) continue;
    gone.add(segment);
    total -= segment.tokens;
  }
  if (gone.size === 0) return [...segments];
  const text = leftOut(gone.size);
  await tokens.prepare([text]);
  return [
    { kind: 'path-left-out', turns: gone.size, text, tokens: tokens.count(text) },
    ...segments.filter((segment) => !gone.has(segment)),
  ];
};

const leftOut = (turns: number): string =>
  `The ${turns} oldest ${plural(turns, 'turn')} before these did not fit and ${plural(turns, 'is', 'are')} left out.`;

/** Share of the room that references may take, and pins in any case; the path needs the rest. */
const MOST = 0.5;

interface WantedTurn {
  readonly turn: Node;
  readonly pinned: boolean;
  /** The path turn that refers to it or to a turn below it. */
  readonly neededBy: string | null;
  readonly summary: boolean;
}

/**
 * Returns the turns off the path that the user wants in the context: pinned ones, and those that path turns refer to
 * (each with its own path, or as its summary). Chronological; a turn that does not fit becomes its summary, and is
 * dropped if that does not fit either. They stay the same from turn to turn so that a chat model can reuse its cache.
 * `most`: tokens that pinned turns, whatever the budget, and the rest may take.
 */
const wantedTurns = async (
  forest: Forest,
  path: readonly Node[],
  most: { readonly pinned: number; readonly rest: number },
  tokens: TokenCache,
): Promise<Segment[]> => {
  const wanted = [...wantsOf(forest, path).values()];
  if (wanted.length === 0) return [];
  await tokens.prepare(wanted.flatMap(({ turn }) => [sentMessage(turn), sentReply(turn)]));
  const summaries = await referenceSummaries(wanted, tokens);
  let taken = 0;
  const segments: { readonly number: number; readonly segment: Segment }[] = [];
  // Pins first: the user asked for all of them.
  for (const { turn, pinned, neededBy, summary } of wanted.sort((a, b) => Number(b.pinned) - Number(a.pinned))) {
    const why = pinned ? { pinned: true as const } : { neededBy: neededBy ?? turn.id };
    const left = (pinned ? most.pinned : most.rest) - taken;
    const inFull: Segment = { ...turnSegment(turn, tokens), ...why };
    const segment = !summary && inFull.tokens <= left ? inFull : (summaries.get(turn) as Segment);
    if (segment.tokens > left) continue;
    taken += segment.tokens;
    segments.push({ number: turn.number, segment });
  }
  return segments.sort(byNumber).map(({ segment }) => segment);
};

/** The summary that stands for a turn. */
export const inShortText = (node: Node): string => `Turn ${node.number}, in short: ${summaryText(node)}`;

/** Returns the summaries that stand for wanted turns. */
export const referenceSummaries = async (
  wanted: readonly WantedTurn[],
  tokens: TokenCache,
): Promise<ReadonlyMap<Node, Segment>> => {
  const texts = wanted.map(({ turn }) => inShortText(turn));
  await tokens.prepare(texts);
  return new Map(
    wanted.map(({ turn, pinned, neededBy }, at) => {
      const text = texts[at] as string;
      const of = { nodeId: turn.id, neededBy: neededBy ?? turn.id, ...(pinned && { pinned }) };
      return [turn, { kind: 'reference-summary', ...of, text, tokens: tokens.count(text) }];
    }),
  );
};

/**
 * Lists each turn once: pinned takes precedence over needed, full over summarised. Of what a reference brings, the turn
 * referred to comes first, then those above it: whoever gives them room in this order has room for what was asked for.
 */
export const wantsOf = (forest: Forest, path: readonly Node[]): Map<Node, WantedTurn> => {
  const wants = new Map<Node, WantedTurn>();
  const onPath = new Set(path.map(({ id }) => id));
  const add = (turn: Node, want: Omit<WantedTurn, 'turn'>): void => {
    if (onPath.has(turn.id)) return;
    const before = wants.get(turn);
    if (before === undefined || (before.summary && !want.summary)) wants.set(turn, { turn, ...want });
  };
  const answered = path.at(-1)?.number ?? 0;
  for (const turn of pinnedTurns(forest.nodes)) {
    // Another reply to an earlier turn is sent nothing that was said after it.
    if (turn.number < answered) add(turn, { pinned: true, neededBy: null, summary: false });
  }
  for (const { id, references } of path) {
    for (const { to, as } of references) {
      if (forest.nodes[to] === undefined) continue;
      const turns = as === 'path' ? pathTo(forest, to).toReversed() : [nodeOf(forest, to)];
      for (const turn of turns) add(turn, { pinned: false, neededBy: id, summary: as === 'summary' });
    }
  }
  return wants;
};
