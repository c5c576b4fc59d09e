import type { Context } from '../context.ts';
import type { Decision } from '../decision.ts';
import { type Entry, LOG_VERSION } from '../entry.ts';
import type { Event } from '../event-kinds.ts';
import type { NodeId } from '../forest.ts';
import { randomFrom } from '../numbers.ts';

/** How often a turn does something other than continue; rounded, and close to what people do in long chats. */
const SHARE = { newTopic: 0.1, switchTopic: 0.08, fork: 0.09, switchBranch: 0.04 };
/** From about this many topics on, new ones become rarer. */
const TOPICS_BEFORE_SATURATION = 400;
/** Turns of the path that a made-up context sends in full. */
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
 * branches, replies, summaries, titles. The same seed gives the same log, and a longer log starts
 * with the shorter one. For benchmarks, pictures and tests; no model is involved, so traces are null.
 */
export const syntheticLog = (turns: number, seed: number): Entry[] => {
  const random = randomFrom(seed);
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

/** The first topics run through the list in a shuffled order; later ones repeat it. */
const pickTopic = (random: () => number, made: number): SyntheticTopic => {
  const base = TOPICS[(made * 7 + Math.floor(random() * 2)) % TOPICS.length] as SyntheticTopic;
  const round = Math.floor(made / TOPICS.length);
  return round === 0 ? base : { ...base, title: `${base.title} ${round + 1}` };
};

/** Another topic, usually a recent one. */
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

/** The material for a made-up topic. */
interface SyntheticTopic {
  readonly title: string;
  readonly opening: string;
  /** Things the topic keeps returning to; they fill the `*` of the phrases below. */
  readonly things: readonly string[];
}

const topic = (title: string, opening: string, ...things: string[]): SyntheticTopic => ({ title, opening, things });

const TOPICS: readonly SyntheticTopic[] = [
  topic(
    'Spring in Lisbon',
    'We have six days in Lisbon in April with two kids. Where should we stay?',
    'the tram to Graça',
    'a day in Sintra',
    'the flat in Alfama',
    'Belém on a Monday',
    'the beach at Carcavelos',
  ),
  topic(
    'Sourdough',
    'My sourdough comes out dense, with a gummy crumb. What goes wrong?',
    'the starter',
    'bulk fermentation',
    'the oven temperature',
    '75 % hydration',
    'the second loaf',
  ),
  topic(
    'Rate limiter',
    'I need a rate limiter for a small HTTP service. Token bucket or sliding window?',
    'the bucket size',
    'Redis',
    'a burst of 200 requests',
    'the retry header',
    'the integration test',
  ),
  topic(
    'Half marathon',
    'Ten weeks until my first half marathon. I run 20 km a week now.',
    'the long run',
    'my left knee',
    'a rest day',
    'the pace of 5:40',
    'race morning',
  ),
  topic(
    'Kitchen wall',
    'Can I take out the wall between kitchen and living room myself?',
    'the load-bearing beam',
    'the electrician',
    'the permit',
    'dust in the other rooms',
    'the budget of 9,000',
  ),
  topic(
    'Bees and mites',
    'How do I tell whether my bees have varroa, and how bad is it?',
    'the sugar roll',
    'oxalic acid in December',
    'the weaker hive',
    'drone brood',
    'the count of 4 per 100',
  ),
  topic(
    'Learning Czech',
    'I want to hold a simple conversation in Czech by summer.',
    'the seven cases',
    'ř',
    'ten minutes a day',
    'verbs of motion',
    'my tutor in Brno',
  ),
  topic(
    'Old bicycle',
    'I found a 1984 steel road bike. Is it worth restoring?',
    'the bottom bracket',
    'the wheels',
    'a new chain',
    'the original paint',
    'the seized seatpost',
  ),
  topic(
    'Transformer memory',
    'How do attention caches grow with the context, and what can be done about it?',
    'grouped queries',
    'the sliding window',
    'quantised keys',
    'the 32k run',
    'figure 3',
  ),
  topic(
    'Rain garden',
    'Water stands in one corner of the garden after every storm.',
    'the infiltration test',
    'sedges',
    'the downspout',
    'clay at 30 cm',
    'the slope to the fence',
  ),
  topic(
    'Budget for two',
    'We are moving in together. How do people split costs fairly?',
    'the joint account',
    'rent by income',
    'the emergency fund',
    'her student loan',
    'groceries',
  ),
  topic(
    'Star party',
    'What could we see with a 6-inch telescope next Saturday?',
    'Saturn',
    'the Veil Nebula',
    'the moonrise at 23:10',
    'the red torch',
    'a filter',
  ),
  topic(
    'Flaky tests',
    'About one in thirty of our CI runs fails and passes on retry.',
    'the shared database',
    'the clock',
    'test order',
    'the quarantine list',
    'the login spec',
  ),
  topic(
    'Tea from seed',
    'Could I grow tea plants on a north-facing balcony?',
    'the soil pH',
    'winter at −8 °C',
    'the first flush',
    'the larger pots',
    'Camellia sinensis var. sinensis',
  ),
  topic(
    'Wedding speech',
    'I have to give a five-minute speech at my brother’s wedding.',
    'the canoe story',
    'the opening line',
    'our grandmother',
    'the toast',
    'anything about exes',
  ),
  topic(
    'Chess openings',
    'As Black against e4 I always end up cramped. What should I play?',
    'the Caro-Kann',
    'the Advance variation',
    'my dark bishop',
    'game 12',
    'the endgame',
  ),
];

const CONTINUATIONS: readonly string[] = [
  'What about *?',
  'Tell me more about *, please.',
  'How much time should I allow for *?',
  'And if * does not work out?',
  'Is there a cheaper way to handle *?',
  'I tried that. * still bothers me; what else could it be?',
  'Could you put the steps for * in order, with rough times, so that I can print them and tick them off?',
  'Why does * matter so much here?',
  'OK.',
  'Who would know more about *?',
  'Make a short list of what I need for *.',
  'Thanks. Next: *.',
];

const REVISIONS: readonly string[] = [
  'Actually, let’s do it without *.',
  'Instead of that: what if we start from *?',
  'Different idea. Suppose * is not possible at all, what then?',
  'Let me change one thing: twice as much for *.',
  'Go back a step: I was wrong about *.',
];

const RETURNS: readonly string[] = [
  'Back to *: where were we?',
  'Coming back to *, I have news.',
  'One more thing about *.',
  'Returning to the other question: *.',
];

const REPLIES: readonly string[] = [
  'Start small with * and look at it again after a week; most of what goes wrong shows by then.',
  'For * there are two sound ways. The first costs less, the second is easier to undo. I would take the second.',
  'Short answer: yes. * needs about two hours, and nothing you do today closes a door.\n\nWrite down what you see, so that next time you compare numbers and not impressions.',
  'It depends on *. If that holds, go on as planned; if it does not, wait for better conditions.',
  'Three things help with *:\n\n1. measure before you change anything,\n2. change one thing at a time,\n3. stop when it is good enough.',
  'I would leave * as it is for now, and settle the rest first.',
];
