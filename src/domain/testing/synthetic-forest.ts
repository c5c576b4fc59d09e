import type { Context } from '../context.ts';
import type { Decision } from '../decision.ts';
import { type Entry, type Event, LOG_VERSION } from '../events.ts';
import type { NodeId } from '../forest.ts';
import { CONTINUATIONS, REPLIES, RETURNS, REVISIONS, type SyntheticTopic, TOPICS } from './synthetic-text.ts';

/** How often a turn does not simply go on. About what people do in long chats; rounded. */
const SHARE = { newTopic: 0.1, switchTopic: 0.08, fork: 0.09, switchBranch: 0.04 };
/** From about this many topics on, new ones become rarer. */
const TOPICS_BEFORE_SATURATION = 400;
/** Turns of the path that a made-up context sends whole. */
const PATH_WINDOW = 6;
/** Monday, 2 March 2026, 09:00 UTC. */
const STARTED_AT = 1_772_442_000_000;

interface Made {
  readonly id: NodeId;
  readonly tree: MadeTree;
  readonly branchId: string;
  readonly parent: Made | null;
  readonly depth: number;
  readonly tokens: number;
  children: number;
}
interface MadeTree {
  readonly id: string;
  readonly topic: SyntheticTopic;
  readonly nodes: Made[];
  active: Made | null;
}
type Move = 'new-topic' | 'switch-topic' | 'fork' | 'switch-branch' | 'continue';

/**
 * A valid log of a made-up conversation: topics that are left and returned to, forks, switched
 * branches, replies, summaries, titles. The same seed gives the same log, and a longer one starts
 * with the shorter. For benchmarks, pictures and tests; no model has seen it, so traces are null.
 */
export const syntheticLog = (turns: number, seed: number): Entry[] => {
  const random = mulberry32(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const entries: Entry[] = [];
  const trees: MadeTree[] = [];
  let tree: MadeTree | null = null;
  let at = STARTED_AT;
  const put = (event: Event, step: string | null) =>
    entries.push({ v: LOG_VERSION, seq: entries.length + 1, at, step, event });

  for (let number = 1; number <= turns; number++) {
    const nodeId = `n${number}`;
    const step = `s${number}`;
    at += 20_000 + Math.floor(random() * 240_000);

    const move = chooseMove(random, trees.length, tree);
    if (tree === null || move === 'new-topic') {
      tree = { id: `t${trees.length + 1}`, topic: pickTopic(random, trees.length), nodes: [], active: null };
      trees.push(tree);
    } else if (move === 'switch-topic') {
      tree = pickRecent(random, trees, tree);
    }
    const parent: Made | null = parentFor(random, move, tree);
    const goesOn = parent !== null && parent.children === 0;
    const branchId = goesOn ? parent.branchId : `b${number}`;
    const text = fill(pick, move, tree);
    const node: Made = {
      id: nodeId,
      tree,
      branchId,
      parent,
      depth: parent === null ? 0 : parent.depth + 1,
      tokens: Math.ceil((text.message.length + text.reply.length) / 4),
      children: 0,
    };
    if (parent !== null) parent.children += 1;
    tree.nodes.push(node);
    tree.active = node;

    const replyId = `r${number}`;
    put({ type: 'message-sent', nodeId, message: text.message, given: null, target: null }, step);
    const placement = { treeId: tree.id, branchId, parentId: parent?.id ?? null };
    put({ type: 'turn-placed', nodeId, placement, decision: decisionFor(move, parent, goesOn) }, step);
    if (parent === null) put({ type: 'topic-titled', treeId: tree.id, title: tree.topic.title, by: 'engine' }, null);
    put({ type: 'reply-started', nodeId, replyId, model: 'synthetic', context: contextFor(node, number) }, null);
    put({ type: 'reply-received', nodeId, replyId, text: text.reply }, null);
    at += 2_000;
    const state = random() < 0.01 ? 'interrupted' : 'done';
    put({ type: 'reply-ended', nodeId, replyId, state, failure: null, timings: [] }, null);
    put({ type: 'summarised', nodeId, text: `The user asked: ${text.message}`, by: 'synthetic' }, null);
  }
  return entries;
};

const chooseMove = (random: () => number, topics: number, tree: MadeTree | null): Move => {
  if (tree === null) return 'new-topic';
  const dice = random();
  let bound = SHARE.newTopic / (1 + topics / TOPICS_BEFORE_SATURATION);
  if (dice < bound) return 'new-topic';
  bound += topics > 1 ? SHARE.switchTopic : 0;
  if (dice < bound) return 'switch-topic';
  const canFork = tree.nodes.length > 2;
  bound += canFork ? SHARE.fork : 0;
  if (dice < bound) return 'fork';
  bound += canFork ? SHARE.switchBranch : 0;
  return dice < bound ? 'switch-branch' : 'continue';
};

/** The first topics run through the list in an order of their own; later ones repeat it. */
const pickTopic = (random: () => number, made: number): SyntheticTopic => {
  const base = TOPICS[(made * 7 + Math.floor(random() * 2)) % TOPICS.length] as SyntheticTopic;
  const round = Math.floor(made / TOPICS.length);
  return round === 0 ? base : { ...base, title: `${base.title} ${round + 1}` };
};

/** Another topic, mostly one of the latest. */
const pickRecent = (random: () => number, trees: readonly MadeTree[], but: MadeTree): MadeTree => {
  const back = Math.floor(random() ** 2 * trees.length);
  const found = trees[trees.length - 1 - back] as MadeTree;
  return found !== but ? found : (trees[trees.length - 1 - ((back + 1) % trees.length)] as MadeTree);
};

const parentFor = (random: () => number, move: Move, tree: MadeTree): Made | null => {
  const recent = tree.nodes.slice(-24);
  const any = () => recent[Math.floor(random() * recent.length)] as Made;
  if (recent.length === 0 || tree.active === null) return null;
  if (move === 'fork') return any();
  if (move !== 'switch-branch') return tree.active;
  const tips = recent.filter((node) => node.children === 0 && node !== tree.active);
  return tips[Math.floor(random() * tips.length)] ?? tree.active;
};

const fill = (pick: <T>(from: readonly T[]) => T, move: Move, { topic, nodes }: MadeTree) => {
  const phrases =
    move === 'fork' ? REVISIONS : move === 'switch-topic' || move === 'switch-branch' ? RETURNS : CONTINUATIONS;
  const put = (phrase: string) => {
    const text = phrase.replace('*', pick(topic.things));
    return text.charAt(0).toUpperCase() + text.slice(1);
  };
  return { message: nodes.length === 0 ? topic.opening : put(pick(phrases)), reply: put(pick(REPLIES)) };
};

const decisionFor = (move: Move, parent: Made | null, goesOn: boolean): Decision => ({
  topic: parent === null ? 'create-topic' : move === 'switch-topic' ? 'switch-topic' : 'continue-topic',
  branch:
    parent === null ? null : !goesOn ? 'create-branch' : move === 'switch-branch' ? 'switch-branch' : 'continue-branch',
  by: 'engine',
  trace: null,
});

const contextFor = (node: Made, turns: number): Context => {
  const segments: Context['segments'] = [{ kind: 'instructions', text: 'Answer briefly.', tokens: 4 }];
  const path: Made[] = [];
  for (let at = node.parent; at !== null && path.length < PATH_WINDOW; at = at.parent) path.push(at);
  const left = node.depth - path.length;
  if (left > 0) segments.push({ kind: 'path-left-out', turns: left, text: `${left} older turns left out.`, tokens: 6 });
  for (const { id, tokens } of path.reverse()) {
    segments.push({ kind: 'turn', nodeId: id, replyId: `r${id.slice(1)}`, replyLength: 80, tokens });
  }
  segments.push({ kind: 'message', nodeId: node.id, tokens: Math.ceil(node.tokens / 3) });
  const tokens = segments.reduce((sum, segment) => sum + segment.tokens, 0);
  return { policy: 'context-agent', segments, tokens, fullHistoryTokens: tokens + turns * 48, unit: 'synthetic' };
};

/** Tommy Ettinger's mulberry32: small, seeded, good enough to make up conversations. */
const mulberry32 = (seed: number) => {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    const a = Math.imul(state ^ (state >>> 15), 1 | state);
    const b = (a + Math.imul(a ^ (a >>> 7), 61 | a)) ^ a;
    return ((b ^ (b >>> 14)) >>> 0) / 4_294_967_296;
  };
};
