import type { Segment } from '../../../../domain/context.ts';
import type { Forest, Node, NodeId } from '../../../../domain/forest.ts';
import { indicator, plural } from '../../../../domain/numbers.ts';
import { turnsBefore } from '../../../../domain/turns-in-order.ts';
import type { TokenCache } from '../../../text/token-cache.ts';
import { ranges, sentReply } from '../../context-text.ts';
import type { RetrievedTurn } from '../../policy.ts';
import { sentMessage, userAttachments } from '../../sent-message.ts';
import { sumTokens, turnTokens } from '../../tokens.ts';
import { referenceSummaries, wantsOf } from '../tree-context.ts';
import type { LastingNeed } from './lasting-instructions.ts';
import { hitsIn, type Needs, type Part, type TurnNeed } from './need.ts';
import { type Form, fetchedForms, type HeldParts, mostWorth, pathForms } from './turn-forms.ts';

/** Number of newest turns weighed on a long path; older ones only if they are found, pinned or hold a standing request. */
const NEWEST = 120;
/** Maximum number of turns off the path to weigh, the most needed first. */
const ELSEWHERE = 60;
/** Share of the need required of other topics that is enough to fetch from the same topic, which can hardly be off topic. */
const SAME_TOPIC = 0.3;
/** Need of a turn's part below which it is not fetched, whatever it costs. */
const LEAST_NEED = 0.02;

export interface Composition {
  readonly forest: Forest;
  /** From the root to the turn being answered. */
  readonly path: readonly Node[];
  readonly needs: Needs;
  readonly lasting: ReadonlyMap<NodeId, readonly LastingNeed[]>;
  readonly retrieved: readonly RetrievedTurn[];
  readonly limits: Limits;
  readonly tokens: TokenCache;
}

/** Returns the path in the forms that pay off, then what is fetched from elsewhere, each in chronological order. */
export const composePath = async (composition: Composition): Promise<Segment[]> => {
  const { limits, path } = composition;
  const onPath = await pathItems(composition, path.slice(0, -1));
  const last = onPath.at(-1);
  const kept = new Set(onPath.filter((item) => item === last || item.node.pinned));
  const left = fitted([...kept], limits.total);
  const elsewhere = await elsewhereItems(composition, null, left);
  for (const item of elsewhere) if (item.node.pinned) kept.add(item);
  const items = [...onPath, ...elsewhere];
  const seats = seated(composition, items, left - totalCost(elsewhere));
  const onPathSeats = totalCost([...seats].filter(({ place }) => place === 'path'));
  choose(items, { ...limits, path: Math.max(0, limits.path) + onPathSeats });
  // The line that counts the rest costs tokens too; the least needed turns make way for it, those with a seat last.
  const byWeight = (a: Item, b: Item): number => indicator(seats.has(a)) - indicator(seats.has(b)) || byRate(a, b);
  for (;;) {
    const segments = await inPlace(composition, items);
    const over = sumTokens(segments) > limits.total;
    const weakest = over ? items.filter((item) => item.at >= 0 && !kept.has(item)).sort(byWeight)[0] : undefined;
    if (!over) return segments;
    if (weakest === undefined) return segments.filter(({ kind }) => kind !== 'turns-left-out');
    weakest.at = -1;
    kept.add(weakest);
  }
};

/** Returns what the message needs beyond what the context already holds. */
export const fetchedFor = async (composition: Composition, has: readonly Segment[]): Promise<Segment[]> => {
  const items = await elsewhereItems(composition, has, composition.limits.total);
  seated(composition, items, composition.limits.total - totalCost(items));
  choose(items, { ...composition.limits, path: 0 });
  return taken(items);
};

/** Share of the room that lasting needs may take in full, newest first. */
const WHOLE_OF_ROOM = 0.5;

/**
 * Gives standing requests their shortest form, and what is needed whole on the path all of it, or the most that there
 * is room for, as far as half of the room goes, each the newest first. The limit of the path is for everything else.
 * Returns what has got a seat.
 */
const seated = (composition: Composition, items: readonly Item[], room: number): ReadonlySet<Item> => {
  const { lasting, limits, needs } = composition;
  const seats = new Set<Item>();
  const open = items.filter(({ at }) => at < 0).toReversed();
  const seat = (item: Item, at: number, most: number): number => {
    const more = costOf(item, at) - costOf(item);
    if (at <= item.at || more > most) return 0;
    item.at = at;
    seats.add(item);
    return more;
  };
  let left = room;
  let elsewhere = limits.elsewhere;
  for (const item of open.filter(({ isRequest }) => isRequest)) {
    const at = item.forms.findIndex(saysRequest);
    if (item.place === 'path') {
      left -= seat(item, at, left);
    } else if (100 * needs.of(item.node.id).message >= item.from * Math.max(SHORT, costOf(item, at))) {
      const more = seat(item, at, Math.min(left, elsewhere));
      left -= more;
      elsewhere -= more;
    }
  }
  let whole = Math.min(left, WHOLE_OF_ROOM * limits.total);
  for (const item of open.filter(({ place }) => place === 'path')) {
    const wanted = lasting.get(item.node.id)?.filter(({ isWhole }) => isWhole) ?? [];
    if (wanted.length === 0) continue;
    const at = item.forms.findIndex(({ segment }) => wanted.every(({ part }) => hasWhole(segment, part)));
    const most = whole + costOf(item);
    const fits = costOf(item, at) <= most ? at : item.forms.findLastIndex(({ segment }) => segment.tokens <= most);
    whole -= seat(item, fits, whole);
  }
  return seats;
};

/** Tokens of what `seated` would seat in what a context goes on from. The last exchange there has room of its own. */
export const seatedTokens = (composition: Composition, has: readonly Segment[]): number => {
  const { forest, lasting, limits, tokens } = composition;
  const most = WHOLE_OF_ROOM * limits.total;
  let taken = 0;
  for (const segment of has.slice(0, -1).toReversed()) {
    const node = 'nodeId' in segment ? forest.nodes[segment.nodeId] : undefined;
    if (node === undefined) continue;
    const wanted = (lasting.get(node.id) ?? []).filter(({ isWhole, reason }) => isWhole || reason === 'constraint');
    const parts = new Set(wanted.flatMap(({ part }) => (hasWhole(segment, part) ? [part] : [])));
    const isCut = segment.kind === 'shortened' && wanted.some(({ part, isWhole }) => isWhole && !parts.has(part));
    const own = segment.kind === 'turn-line' && isStanding(composition, node) ? segment.tokens : 0;
    const message = parts.has('message') ? tokens.count(sentMessage(node)) : own;
    const seat = message + (parts.has('reply') ? tokens.count(sentReply(node)) : 0);
    const both = isCut ? segment.tokens : seat;
    if (taken + both <= most) taken += both;
  }
  return taken;
};

const hasWhole = (segment: Segment, part: Part): boolean =>
  segment.kind === 'turn' || ((segment.kind === 'shortened' || segment.kind === 'fetched') && segment[part] === null);

/** A standing request is too short for passages: the user's own words are all in whatever is sent of its message. */
const saysRequest = ({ segment }: Pick<Form, 'segment'>): boolean =>
  segment.kind === 'turn' ||
  segment.kind === 'turn-line' ||
  ((segment.kind === 'shortened' || segment.kind === 'fetched') && segment.message !== undefined);

/** Gives each item as much of it as fits into `room`, the last item first; returns what is left of the room. */
const fitted = (items: readonly Item[], room: number): number => {
  let left = room;
  for (const item of items.toReversed()) {
    item.at = item.forms.findLastIndex(({ segment }) => segment.tokens <= left);
    left -= costOf(item);
  }
  return left;
};

/** How much a turn is needed; that it is pinned is a reason to send it. */
const needOf = ({ needs }: Composition, { id, pinned }: Node): TurnNeed => {
  const need = needs.of(id);
  return pinned ? { ...need, why: [...need.why, { reason: 'pinned' }] } : need;
};

const lastsAs = (wanted: LastingNeed['reason'], { lasting }: Composition, { id }: Node): boolean =>
  lasting.get(id)?.some(({ reason }) => reason === wanted) ?? false;

const isStanding = (composition: Composition, node: Node): boolean => lastsAs('constraint', composition, node);

const isReplaced = (composition: Composition, node: Node): boolean => lastsAs('older-version', composition, node);

const isSaid = (found: RetrievedTurn | undefined): boolean => found !== undefined && found.rareShared.length > 0;

const byRate = (a: Item, b: Item): number => rateOf(a) - rateOf(b);
const rateOf = (item: Item): number => (item.forms[item.at]?.worth ?? 0) / Math.max(1, costOf(item));

const pathItems = async (composition: Composition, before: readonly Node[]): Promise<Item[]> => {
  const found = hitsIn(composition.retrieved);
  const items: Item[] = [];
  for (const [at, node] of before.entries()) {
    const isWeighed =
      at >= before.length - NEWEST || node.pinned || found.has(node.id) || isStanding(composition, node);
    const turn = { node, need: needOf(composition, node), found: found.get(node.id) };
    const forms = isWeighed ? await pathForms(turn, composition.tokens) : [];
    // Not for what little is needed of a text that has been replaced, however much room there is.
    const from = isReplaced(composition, node) && !node.pinned ? composition.limits.elsewhereFrom : 0;
    items.push({ node, place: 'path', from, isRequest: isStanding(composition, node), forms, at: -1 });
  }
  return items;
};

/**
 * Returns the turns that may be fetched; those that the user wants are already selected. `has`: what the context goes on
 * from; null if the path is being weighed too. `left`: tokens that pinned turns may take.
 */
const elsewhereItems = async (
  composition: Composition,
  has: readonly Segment[] | null,
  left: number,
): Promise<Item[]> => {
  const { forest, path, needs, tokens, limits } = composition;
  const node = path.at(-1) as Node;
  const onPath = new Set(path.map(({ id }) => id));
  const found = hitsIn(composition.retrieved);
  const held = heldIn(forest, has ?? []);
  // A pinned turn that only fitted in part stays as it is while the conversation goes on and there is no room for more.
  const isThere = ({ id }: Node): boolean => has?.some((segment) => isPinOf(segment, id)) ?? false;
  const wants = new Map([...wantsOf(forest, path)].filter(([turn]) => !isThere(turn)));
  const asks = new Set(
    has?.flatMap((segment) => ('nodeId' in segment && saysRequest({ segment }) ? [segment.nodeId] : [])),
  );
  const heldOf = (id: NodeId): HeldParts => {
    const { message, reply } = held.get(id) ?? NOTHING_HELD;
    // A request may be there without the files that came with it; those are fetched if the message is about them.
    const own = composition.lasting.get(id)?.filter(({ part }) => part === 'message') ?? [];
    const isAsked = own.some(({ reason }) => reason === 'constraint') && !own.some(({ isWhole }) => isWhole);
    return { message: message || (isAsked && asks.has(id) && !isSaid(found.get(id))), reply };
  };
  /** What is needed of a turn for what it is, and not there. */
  const lacking = (id: NodeId): readonly LastingNeed[] =>
    composition.lasting
      .get(id)
      ?.filter(({ part, isWhole, reason }) => (isWhole || reason === 'constraint') && !heldOf(id)[part]) ?? [];
  const isInPart = (id: NodeId, { part, isWhole, reason }: LastingNeed): boolean =>
    isWhole && reason !== 'pointed-at' && (has ?? []).some((one) => isPartOf(one, id) && typeof one[part] === 'string');
  const missing = (id: NodeId): number => {
    const [need, has] = [needs.of(id), heldOf(id)];
    return Math.max(has.message ? 0 : need.message, has.reply ? 0 : need.reply);
  };
  const likely = [...needs.ids]
    .flatMap((id) => forest.nodes[id] ?? [])
    .filter((turn) => turn.number < node.number && wants.get(turn)?.summary !== false)
    // A request is no reason to send less than the summary that the user wants.
    .filter((turn) => !wants.has(turn) || !isStanding(composition, turn) || isSaid(found.get(turn.id)))
    // Shortened path turns were not needed for their position; they are fetched for what they say.
    .filter(({ id }) => !onPath.has(id) || (has !== null && (isSaid(found.get(id)) || lacking(id).length > 0)))
    .map((turn) => ({ turn, need: missing(turn.id) }))
    .filter(({ need }) => need >= LEAST_NEED)
    .sort((a, b) => b.need - a.need || b.turn.number - a.turn.number)
    .slice(0, ELSEWHERE);
  const items: Item[] = [];
  let taken = 0;
  const inShort = await summaryForms(wants, tokens);
  for (const [turn, { pinned, summary }] of wants) {
    const why = [{ reason: pinned ? ('pinned' as const) : ('referred-to' as const) }];
    const parts = held.get(turn.id) ?? NOTHING_HELD;
    if (parts.message && parts.reply) continue;
    const short = (summary || has === null ? inShort.get(turn) : undefined) ?? [];
    const wanted = { node: turn, need: { message: 1, reply: 1, why }, found: pinned ? found.get(turn.id) : undefined };
    const forms = summary ? short : [...short, ...(await fetchedForms(forest, wanted, parts, false, tokens))];
    const room = (pinned ? left : limits.total / 2) - taken;
    const fits = forms.findLastIndex(({ segment }) => segment.tokens <= room);
    // Where a pinned turn does not fit beside what was sent, the path is cut for it.
    const at = pinned && has !== null && fits < forms.length - 1 ? -1 : fits;
    taken += at < 0 ? 0 : (forms[at]?.segment.tokens ?? 0);
    items.push({ node: turn, place: 'elsewhere', from: 0, isRequest: false, forms: forms.slice(0, at + 1), at });
  }
  for (const { turn } of likely) {
    const about = { node: turn, need: needs.of(turn.id), found: found.get(turn.id) };
    const isOnPath = onPath.has(turn.id);
    const from = limits.elsewhereFrom * (isOnPath ? SAME_TOPIC : 1);
    // However short its forms are, none would be chosen.
    if (100 * (mostWorth(about.need, heldOf(turn.id)) / SHORT) < from) continue;
    const forms = await fetchedForms(forest, about, heldOf(turn.id), isOnPath, tokens);
    // Unless the message is about it, passages of what is there in passages would be fetched again for each message.
    const inPart = isOnPath && !isSaid(about.found) ? lacking(turn.id).filter((one) => isInPart(turn.id, one)) : [];
    const offered = forms.filter(({ segment }) => inPart.every(({ part }) => hasWhole(segment, part)));
    const isRequest = isStanding(composition, turn) && !asks.has(turn.id);
    items.push({ node: turn, place: 'elsewhere', from, isRequest, forms: offered, at: -1 });
  }
  return items;
};

const NOTHING_HELD: HeldParts = { message: false, reply: false };

const isPartOf = (segment: Segment, id: NodeId): segment is Segment & { kind: 'shortened' | 'fetched' } =>
  (segment.kind === 'shortened' || segment.kind === 'fetched') && segment.nodeId === id;

/** Whether a segment is what was sent of a turn because it is pinned. */
const isPinOf = (segment: Segment, id: NodeId): boolean => {
  if (!('nodeId' in segment) || segment.nodeId !== id) return false;
  if (segment.kind === 'reference-summary') return segment.pinned === true;
  return 'why' in segment && segment.why?.some(({ reason }) => reason === 'pinned') === true;
};

/**
 * Whether a context composed anew would hold more of a pinned turn than one that goes on from `has`: the turn was not
 * pinned then, or there is room for all of it by now.
 */
export const holdsMoreAnew = async (composition: Composition, has: readonly Segment[]): Promise<boolean> => {
  const { forest, path, limits, tokens } = composition;
  const found = hitsIn(composition.retrieved);
  const onPath = new Set(path.slice(0, -2).filter(({ pinned }) => pinned));
  const pins = [...onPath, ...[...wantsOf(forest, path).keys()].filter(({ pinned }) => pinned)].map((node) => {
    const sent = has.filter((segment) => 'nodeId' in segment && segment.nodeId === node.id);
    const isWhole = sent.some(({ kind }) => kind === 'turn');
    return { node, isWhole, takes: isWhole || sent.some((one) => isPinOf(one, node.id)) ? sumTokens(sent) : 0 };
  });
  const last = turnTokens(path.at(-2) as Node, tokens);
  const left = pins.reduce((rest, { takes }) => rest - takes, limits.pinned - last);
  for (const { node, isWhole, takes } of pins) {
    // What is missing of a turn elsewhere is fetched behind what was sent.
    if (isWhole || (takes === 0 && !onPath.has(node))) continue;
    const about = { node, need: needOf(composition, node), found: found.get(node.id) };
    const forms = onPath.has(node)
      ? await pathForms(about, tokens)
      : await fetchedForms(forest, about, { message: false, reply: false }, false, tokens);
    const more = costOf({ forms, at: takes === 0 ? 0 : forms.length - 1 });
    if (more > takes && more - takes <= left) return true;
  }
  return false;
};

/** Returns that one form for the turns that are to be sent as their summaries, or may be because they are pinned. */
const summaryForms = async (
  wants: ReturnType<typeof wantsOf>,
  tokens: TokenCache,
): Promise<ReadonlyMap<Node, readonly Form[]>> => {
  const wanted = [...wants.values()].filter(({ summary, pinned }) => summary || pinned);
  const summaries = await referenceSummaries(wanted, tokens);
  return new Map([...summaries].map(([turn, segment]) => [turn, [{ segment, worth: 1 }]]));
};

const heldIn = ({ nodes }: Forest, segments: readonly Segment[]): ReadonlyMap<NodeId, HeldParts> => {
  const held = new Map<NodeId, HeldParts>();
  for (const segment of segments) {
    if (
      segment.kind !== 'turn' &&
      segment.kind !== 'shortened' &&
      segment.kind !== 'fetched' &&
      segment.kind !== 'turn-line'
    )
      continue;
    const known = held.get(segment.nodeId) ?? NOTHING_HELD;
    const node = nodes[segment.nodeId];
    const message =
      segment.kind === 'turn-line'
        ? // Older contexts have lines of messages with attachments, which only name these.
          node !== undefined && userAttachments(node).length === 0
        : segment.kind === 'turn' || segment.message === null;
    const reply = segment.kind === 'turn' || (segment.kind !== 'turn-line' && segment.reply === null);
    held.set(segment.nodeId, { message: known.message || message, reply: known.reply || reply });
  }
  return held;
};

/** A turn's summary makes way for what the message needs of the turn. */
const taken = (items: readonly Item[]): Segment[] => {
  const chosen = items.flatMap(({ node, forms, at }) => {
    const segment = forms[at]?.segment;
    return segment === undefined ? [] : [{ node, segment }];
  });
  const needed = new Set(chosen.flatMap(({ node, segment }) => (segment.kind === 'reference-summary' ? [] : [node])));
  return chosen
    .filter(({ node, segment }) => segment.kind !== 'reference-summary' || !needed.has(node))
    .sort((a, b) => a.node.number - b.node.number)
    .map(({ segment }) => segment);
};

const inPlace = async ({ tokens }: Composition, items: readonly Item[]): Promise<Segment[]> => {
  const segments: Segment[] = [];
  const fetched = taken(items.filter(({ place }) => place === 'elsewhere'));
  const isFetched = new Set(fetched.flatMap((segment) => ('nodeId' in segment ? [segment.nodeId] : [])));
  let gone: Node[] = [];
  const count = async (): Promise<void> => {
    const left = gone.filter(({ id }) => !isFetched.has(id));
    gone = [];
    if (left.length === 0) return;
    const text = leftOutText(left.map(({ number }) => number));
    await tokens.prepare([text]);
    segments.push({ kind: 'turns-left-out', nodeIds: left.map(({ id }) => id), text, tokens: tokens.count(text) });
  };
  for (const { node, place, forms, at } of items) {
    if (place !== 'path') continue;
    const form = forms[at];
    if (form === undefined) gone.push(node);
    else {
      await count();
      segments.push(form.segment);
    }
  }
  await count();
  return [...segments, ...fetched];
};

/** Maximum number of runs listed individually. */
const RUNS = 3;

export const leftOutText = (numbers: readonly number[]): string => {
  const runs = ranges(numbers);
  if (runs.split(', ').length <= RUNS) return `[${plural(numbers.length, 'Turn')} ${runs} left out]`;
  return `[${numbers.length} of turns ${numbers[0]}–${numbers.at(-1)} left out]`;
};

/** A turn that can be included, its possible forms, and the index of the current one (−1 for none). */
interface Item {
  readonly node: Node;
  readonly place: 'path' | 'elsewhere';
  /** Need it must be worth per hundred tokens. */
  readonly from: number;
  /** Holds a standing request that is not there yet. */
  readonly isRequest: boolean;
  /** Shortest first. */
  readonly forms: readonly Form[];
  at: number;
}

/** Token limits, in total and by place, and the need per hundred tokens that a turn from elsewhere must be worth. */
interface Limits {
  readonly total: number;
  /** What the window holds, whatever the budget: pinned turns may take it. */
  readonly pinned: number;
  readonly path: number;
  readonly elsewhere: number;
  readonly elsewhereFrom: number;
}

const costOf = ({ forms, at }: Pick<Item, 'forms' | 'at'>, to = at): number =>
  to < 0 ? 0 : (forms[to]?.segment.tokens ?? 0);

const totalCost = (items: Iterable<Item>): number => [...items].reduce((sum, item) => sum + costOf(item), 0);

const worthOf = ({ forms }: Item, at: number): number => (at < 0 ? 0 : (forms[at]?.worth ?? 0));

/** Minimum tokens counted for a text that has to be worth them: being short does not make it a bargain. */
const SHORT = 50;

/**
 * Gives each turn a form so that the tokens within the limits cover as much expected need as possible: repeatedly
 * applies the change with the highest gain per token. Forms that items already have stay and count.
 */
const choose = (items: readonly Item[], limits: Limits): void => {
  const left = { path: limits.path, elsewhere: limits.elsewhere };
  let total = limits.total;
  for (const item of items) {
    left[item.place] -= costOf(item);
    total -= costOf(item);
  }
  for (;;) {
    let best: { readonly item: Item; readonly to: number } | null = null;
    let most = 0;
    for (const item of items) {
      for (let to = item.at + 1; to < item.forms.length; to++) {
        const more = costOf(item, to) - costOf(item);
        if (more > left[item.place] || more > total) continue;
        const gain = worthOf(item, to) - worthOf(item, item.at);
        const rate = gain / Math.max(item.place === 'elsewhere' || item.from > 0 ? SHORT : 1, more);
        if (rate <= most || 100 * rate < item.from) continue;
        [best, most] = [{ item, to }, rate];
      }
    }
    if (best === null) return;
    const more = costOf(best.item, best.to) - costOf(best.item);
    left[best.item.place] -= more;
    total -= more;
    best.item.at = best.to;
  }
};

/** Number of newest path turns that are weighed, found or not. */
const NEWEST_WEIGHED = 6;

/** Share of the budget that a turn may take before shorter forms are considered. */
const LONG = 0.25;

/**
 * Fills a budget set for the whole context with what is needed and found, best first, wherever it stands. Sent in
 * chronological order like a plain chat, so that no tokens are spent on saying where it comes from. Pinned turns are
 * sent whatever they cost, in full if the window holds them. A leading line counts what is left out, if there is room
 * for it.
 */
export const composeBudget = async (composition: Composition): Promise<Segment[]> => {
  const { forest, path, limits, tokens } = composition;
  const node = path.at(-1) as Node;
  const before = path.slice(0, -1);
  const found = hitsIn(composition.retrieved);
  const wants = wantsOf(forest, path);
  const inShort = await summaryForms(wants, tokens);
  const newest = new Set(before.slice(-NEWEST_WEIGHED));
  const earlier = turnsBefore(forest, node);
  const items: Item[] = [];
  for (const turn of earlier) {
    const isWanted = turn.pinned || wants.has(turn);
    if (!isWanted && !newest.has(turn) && !found.has(turn.id) && !isStanding(composition, turn)) continue;
    const about = { node: turn, need: needOf(composition, turn), found: found.get(turn.id) };
    const forms = await pathForms(about, tokens);
    // Many digests in place of one full turn would be a bad bargain: questions ask for details.
    const isLong = (forms.at(-1)?.segment.tokens ?? 0) > LONG * limits.total;
    const short = turn.pinned ? undefined : inShort.get(turn);
    const inFull = isLong || turn.pinned ? forms : forms.slice(-1);
    const offered = short === undefined ? inFull : isSaid(found.get(turn.id)) ? [...short, ...forms.slice(-1)] : short;
    items.push({ node: turn, place: 'path', from: 0, isRequest: false, forms: offered, at: -1 });
  }
  fitted(
    items.filter(({ node: { pinned } }) => pinned),
    limits.pinned,
  );
  const first = items.filter((item) => item.node === before.at(-1) || item.node.pinned || wants.has(item.node));
  const byWorth = items.toSorted((a, b) => wholeWorthOf(b) - wholeWorthOf(a) || b.node.number - a.node.number);
  let room = limits.total - items.reduce((total, item) => total + costOf(item), 0);
  for (const item of [...first.toReversed(), ...byWorth]) {
    if (item.at >= 0) continue;
    item.at = item.forms.findLastIndex(({ segment }) => segment.tokens <= room);
    room -= costOf(item);
  }
  const kept = new Set(first);
  for (;;) {
    const sent = items.flatMap(({ forms, at }) => forms[at]?.segment ?? []);
    const there = new Set(items.flatMap(({ node: one, at }) => (at < 0 ? [] : [one])));
    const gone = earlier.filter((turn) => !there.has(turn));
    if (gone.length === 0) return sent;
    const text = `[${gone.length} earlier ${plural(gone.length, 'turn')} left out]`;
    await tokens.prepare([text]);
    const nodeIds = gone.map(({ id }) => id);
    const note: Segment = { kind: 'turns-left-out', nodeIds, text, tokens: tokens.count(text) };
    if (sumTokens([note, ...sent]) <= limits.total) return [note, ...sent];
    const weakest = items
      .filter((item) => item.at >= 0 && !kept.has(item))
      .sort((a, b) => worthOf(a, a.at) - worthOf(b, b.at))
      .at(0);
    // If there is no room for the note, the inspector still shows it.
    if (weakest === undefined) return [{ ...note, text: '', tokens: 0 }, ...sent];
    weakest.at = -1;
  }
};

const wholeWorthOf = ({ forms }: Item): number => forms.at(-1)?.worth ?? 0;
