import type { Segment } from '../../../../domain/context.ts';
import type { Forest, Node, NodeId } from '../../../../domain/forest.ts';
import { ranges } from '../../../text/ranges.ts';
import type { Retrieved } from '../../retrieval/retrieved.ts';
import type { TokenCache } from '../../token-cache.ts';
import { sumTokens } from '../sum-tokens.ts';
import { wantsOf } from '../wanted-turns.ts';
import { choose, costOf, type Item, type Limits } from './choose.ts';
import { fetchedForms, type Held, pathForms } from './forms.ts';
import type { Needs } from './need.ts';

/** Of a long path so many of the newest turns are weighed; of the older ones those that are found, or pinned. */
const NEWEST = 120;
/** So many turns that are not on the path are weighed, the most needed first. */
const ELSEWHERE = 60;
/** What stands earlier in the same topic can hardly be off topic: so much of the need that is asked of other topics is enough to fetch it. */
const SAME_TOPIC = 0.3;
/** Need of one part of a turn below which it is not fetched, whatever it costs. */
const LEAST_NEED = 0.02;

export interface Composing {
  readonly forest: Forest;
  /** Root to the turn that is answered. */
  readonly path: readonly Node[];
  readonly needs: Needs;
  readonly retrieved: readonly Retrieved[];
  readonly limits: Limits;
  readonly tokens: TokenCache;
}

/** The path in the forms that pay, then what is fetched from elsewhere, each in order of time. */
export const composed = async (composing: Composing): Promise<Segment[]> => {
  const { limits, path } = composing;
  const before = path.slice(0, -1);
  const items = [...(await pathItems(composing, before)), ...(await elsewhereItems(composing, new Map(), true))];
  const last = items.find(({ node }) => node === before.at(-1));
  if (last !== undefined) {
    // Whole, or as much of it as there is room for.
    last.at = last.forms.findLastIndex(({ segment }) => segment.tokens <= limits.total);
  }
  const kept = new Set<Item>(last === undefined ? [] : [last]);
  for (const item of items) {
    if (item.place !== 'path' || !item.node.pinned || item === last) continue;
    item.at = item.forms.length - 1;
    kept.add(item);
  }
  choose(items, { ...limits, path: Math.max(0, limits.path) });
  // What counts the rest costs, too: for it the least needed give way.
  for (;;) {
    const segments = await inPlace(composing, items);
    const over = sumTokens(segments) > limits.total;
    const weakest = over ? items.filter((item) => item.at >= 0 && !kept.has(item)).sort(byRate)[0] : undefined;
    if (!over) return segments;
    if (weakest === undefined) return segments.filter(({ kind }) => kind !== 'turns-left-out');
    weakest.at = -1;
    kept.add(weakest);
  }
};

/** What the message needs beyond what the context has already. */
export const fetchedFor = async (composing: Composing, has: readonly Segment[]): Promise<Segment[]> => {
  const items = await elsewhereItems(composing, heldIn(has), false);
  choose(items, { ...composing.limits, path: 0 });
  return taken(items);
};

const isSaid = (found: Retrieved | undefined): boolean => found !== undefined && found.rareShared.length > 0;

const byRate = (a: Item, b: Item): number => rateOf(a) - rateOf(b);
const rateOf = (item: Item): number => (item.forms[item.at]?.worth ?? 0) / Math.max(1, costOf(item));

const pathItems = async (composing: Composing, before: readonly Node[]): Promise<Item[]> => {
  const { needs, tokens } = composing;
  const found = foundIn(composing);
  const items: Item[] = [];
  for (const [at, node] of before.entries()) {
    const isWeighed = at >= before.length - NEWEST || node.pinned || found.has(node.id);
    const turn = { node, need: needs(node.id), found: found.get(node.id) };
    items.push({ node, place: 'path', from: 0, forms: isWeighed ? await pathForms(turn, tokens) : [], at: -1 });
  }
  return items;
};

/** Turns that may be fetched; those that the person wants are in already. `composes`: the path is being weighed, too. */
const elsewhereItems = async (
  composing: Composing,
  held: ReadonlyMap<NodeId, Held>,
  composes: boolean,
): Promise<Item[]> => {
  const { forest, path, needs, tokens, limits } = composing;
  const node = path.at(-1) as Node;
  const onPath = new Set(path.map(({ id }) => id));
  const found = foundIn(composing);
  const wants = wantsOf(forest, path);
  const heldOf = (id: NodeId): Held => held.get(id) ?? { message: false, reply: false };
  const missing = (id: NodeId): number => {
    const [need, has] = [needs(id), heldOf(id)];
    return Math.max(has.message ? 0 : need.message, has.reply ? 0 : need.reply);
  };
  const likely = Object.values(forest.nodes)
    .filter((turn) => turn.number < node.number && !wants.has(turn))
    // What of the path was shortened was not needed for its place: it is fetched for what it says.
    .filter(({ id }) => !onPath.has(id) || (!composes && isSaid(found.get(id))))
    .map((turn) => ({ turn, need: missing(turn.id) }))
    .filter(({ need }) => need >= LEAST_NEED)
    .sort((a, b) => b.need - a.need || b.turn.number - a.turn.number)
    .slice(0, ELSEWHERE);
  const items: Item[] = [];
  let room = limits.total / 2;
  for (const [turn, { pinned }] of wants) {
    const why = [{ reason: pinned ? ('pinned' as const) : ('referred-to' as const) }];
    const has = heldOf(turn.id);
    if (has.message && has.reply) continue;
    const forms = await fetchedForms(
      forest,
      { node: turn, need: { message: 1, reply: 1, why }, found: undefined },
      has,
      false,
      tokens,
    );
    const at = forms.findLastIndex(({ segment }) => segment.tokens <= room);
    room -= at < 0 ? 0 : (forms[at]?.segment.tokens ?? 0);
    items.push({ node: turn, place: 'elsewhere', from: 0, forms: forms.slice(0, at + 1), at });
  }
  for (const { turn } of likely) {
    const about = { node: turn, need: needs(turn.id), found: found.get(turn.id) };
    const isOnPath = onPath.has(turn.id);
    const forms = await fetchedForms(forest, about, heldOf(turn.id), isOnPath, tokens);
    const from = limits.elsewhereFrom * (isOnPath ? SAME_TOPIC : 1);
    items.push({ node: turn, place: 'elsewhere', from, forms, at: -1 });
  }
  return items;
};

export const foundIn = ({ retrieved }: Composing): ReadonlyMap<NodeId, Retrieved> =>
  new Map(retrieved.map((one) => [one.nodeId, one]));

const heldIn = (segments: readonly Segment[]): ReadonlyMap<NodeId, Held> => {
  const held = new Map<NodeId, Held>();
  for (const segment of segments) {
    if (
      segment.kind !== 'turn' &&
      segment.kind !== 'shortened' &&
      segment.kind !== 'fetched' &&
      segment.kind !== 'turn-line'
    )
      continue;
    const known = held.get(segment.nodeId) ?? { message: false, reply: false };
    const message = segment.kind === 'turn' || segment.kind === 'turn-line' || segment.message === null;
    const reply = segment.kind === 'turn' || (segment.kind !== 'turn-line' && segment.reply === null);
    held.set(segment.nodeId, { message: known.message || message, reply: known.reply || reply });
  }
  return held;
};

const taken = (items: readonly Item[]): Segment[] =>
  items
    .flatMap(({ node, forms, at }) => (forms[at] === undefined ? [] : [{ node, segment: forms[at].segment }]))
    .sort((a, b) => a.node.number - b.node.number)
    .map(({ segment }) => segment);

const inPlace = async ({ tokens }: Composing, items: readonly Item[]): Promise<Segment[]> => {
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

/** Runs of numbers that are told one by one. */
const RUNS = 3;

const leftOutText = (numbers: readonly number[]): string => {
  const told = ranges(numbers);
  if (told.split(', ').length <= RUNS) return `[${numbers.length === 1 ? 'Turn' : 'Turns'} ${told} left out]`;
  return `[${numbers.length} of turns ${numbers[0]}–${numbers.at(-1)} left out]`;
};
