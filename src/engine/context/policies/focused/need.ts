import type { Why } from '../../../../domain/context.ts';
import type { Forest, Node, NodeId } from '../../../../domain/forest.ts';
import { pathTo } from '../../../../domain/queries.ts';
import type { Retrieved } from '../../retrieval/retrieved.ts';

/** How likely an answer needs a turn's message and its reply, each 0–1, and what speaks for it. */
export interface TurnNeed {
  readonly message: number;
  readonly reply: number;
  readonly why: readonly Why[];
}

export type Needs = (nodeId: NodeId) => TurnNeed;

/** What is known of a message and the turns before it. */
export interface Known {
  readonly forest: Forest;
  /** The turn that is answered. */
  readonly node: Node;
  /** Root to parent of the turn that is answered. */
  readonly before: readonly Node[];
  readonly retrieved: readonly Retrieved[];
  /** Chance that the message goes on from a turn, where its decisions left that open; empty where they did not. */
  readonly chances: ReadonlyMap<NodeId, number>;
}

export const NO_NEED: TurnNeed = { message: 0, reply: 0, why: [] };

/**
 * Going on from a turn: how likely its own message and reply are needed, and those of the turns above it, by how far up they are.
 * Read off the needs of everyday talk: the last reply in eight of ten turns, the one before in one of ten.
 */
const fading = (up: number): { readonly message: number; readonly reply: number } => ({
  message: 0.4 / up ** 0.7,
  reply: 0.85 / up ** 1.5,
});

/** The place that was decided is believed at least so far: else a doubt would empty the path. */
const BELIEVED = 0.5;
/** Turns of a path above which nothing is needed for its place alone. */
const REMEMBERED = 40;
/** What words and similarity in common make of need, on the path and off it, for evidence of 1. */
const FOUND = { path: { message: 0.4, reply: 0.5 }, elsewhere: { message: 0.15, reply: 0.3 } } as const;

/**
 * The rule: what was said last is needed most, and replies fade faster than messages; where the place of the message is in doubt,
 * so it is for every other place by its chance; words and similarity in common add to it.
 */
export const needsByRule = (known: Known): Needs => {
  const { forest, before, retrieved, chances } = known;
  const parent = before.at(-1);
  const onPath = new Set(before.map(({ id }) => id));
  const needs = new Map<NodeId, { message: number; reply: number }>();
  const add = ({ id }: Node, message: number, reply: number): void => {
    const before = needs.get(id) ?? NO_NEED;
    needs.set(id, { message: either(before.message, message), reply: either(before.reply, reply) });
  };
  const goOnFrom = (from: Node, chance: number): void => {
    for (const [at, node] of pathTo(forest, from.id).slice(-REMEMBERED).toReversed().entries()) {
      const { message, reply } = fading(at + 1);
      add(node, chance * message, chance * reply);
    }
  };
  if (parent !== undefined) goOnFrom(parent, chances.size === 0 ? 1 : Math.max(BELIEVED, chances.get(parent.id) ?? 0));
  for (const [id, chance] of chances) {
    const node = forest.nodes[id];
    if (node !== undefined && node !== parent) goOnFrom(node, chance);
  }
  for (const { nodeId, score, rareShared, passages } of retrieved) {
    const node = forest.nodes[nodeId];
    const isFound = onPath.has(nodeId) || (rareShared.length > 0 && score >= EVIDENT);
    if (node === undefined || !isFound) continue;
    const of = onPath.has(nodeId) ? FOUND.path : FOUND.elsewhere;
    const best = (part: 'message' | 'reply') =>
      passages.reduce((most, one) => (one.part === part ? Math.max(most, one.score) : most), 0);
    add(node, of.message * best('message') ** 2, of.reply * best('reply') ** 2);
  }
  return (nodeId) => {
    const need = needs.get(nodeId);
    const node = forest.nodes[nodeId];
    return need === undefined || node === undefined ? NO_NEED : { ...need, why: whyOf(known, node) };
  };
};

/** Evidence below which a turn elsewhere is not needed for it alone. */
const EVIDENT = 0.5;
/** Evidence from which a turn is called alike, and chance from which one elsewhere is called unsure. */
const ALIKE = 0.3;
const LIKELY = 0.05;

/** What speaks for a turn, for the person who asks why it is sent. */
export const whyOf = ({ before, retrieved, chances }: Known, { id }: Node): Why[] => {
  const up = before.length - before.findIndex((one) => one.id === id);
  const isOnPath = up <= before.length;
  const found = retrieved.find(({ nodeId }) => nodeId === id);
  const why: Why[] = [];
  if (up === 1) why.push({ reason: 'last-exchange' });
  else if (isOnPath && up <= 3) why.push({ reason: 'recent' });
  if (!isOnPath && (chances.get(id) ?? 0) >= LIKELY) why.push({ reason: 'unsure' });
  if (found !== undefined && found.rareShared.length > 0)
    why.push({ reason: 'same-words', words: [...found.rareShared] });
  else if (found !== undefined && found.score >= ALIKE) why.push({ reason: 'alike' });
  return why;
};

/** What need counts for beside evidence where a budget is there to be filled (chosen on LoCoMo). */
const NEED_BESIDE = 0.5;

/**
 * Need where a budget for the whole context is there to be filled: what is found comes first, whole, though most of it is not needed; then what is
 * needed for its place.
 */
export const filledBy = (needs: Needs, { retrieved }: Known): Needs => {
  const found = new Map(retrieved.map(({ nodeId, score }) => [nodeId, score]));
  return (nodeId) => {
    const need = needs(nodeId);
    const evidence = found.get(nodeId) ?? 0;
    return {
      ...need,
      message: either(NEED_BESIDE * need.message, evidence),
      reply: either(NEED_BESIDE * need.reply, evidence),
    };
  };
};

const either = (a: number, b: number): number => 1 - (1 - a) * (1 - b);
