import { List } from 'immutable';
import type { NodeId } from '../../domain/forest.ts';
import { plural } from '../../domain/numbers.ts';
import { cosine } from '../vectors/vector-math.ts';
import { type Cell, type Memory, type MemoryTools, type RecalledText, turnText } from './memory.ts';
import { highest, nearest, vectorOf } from './similarity.ts';

/** Rate of θ(d) = θ₀ · exp(rate · d / d_max), where θ₀ is a parameter (MemTree, A.1.3). */
const RATE = 0.5;
/** k: 3 for conversations of about 15 rounds, 10 for longer ones (A.1.4). */
const SHORT = 15;
const MOST_OF_SHORT = 3;
const MOST_OF_LONG = 10;
/** θ_retrieve, for which the paper gives no value (§3.2): nearly unrelated nodes are dropped. */
const RETRIEVE_FROM = 0.2;
/** Sentences in an aggregate if no language model writes it; fewer, the more turns it covers (§3.1). */
const SENTENCES = 4;

/** A node of the tree; the root is just a list of children. */
interface MemNode {
  readonly id: string;
  /** c_v: a turn's text in a leaf, an aggregate of the whole subtree in a parent. */
  readonly text: string;
  /** e_v. */
  readonly vector: Float32Array;
  readonly children: List<MemNode>;
  /** The turn of a leaf; null in a parent. */
  readonly turn: NodeId | null;
  /** Number of turns in its subtree. */
  readonly turns: number;
}

export interface MemTree {
  readonly children: List<MemNode>;
  /** Depth of the deepest node; the root's is 0. */
  readonly depth: number;
  /** Number of nodes created so far, for generating ids. */
  readonly made: number;
}

/** Similarity from which an insertion descends into a child of a node at depth `depth` (A.1.3); `base` is θ₀. */
export const thresholdAt = (depth: number, maxDepth: number, base: number): number =>
  base * Math.exp(maxDepth === 0 ? 0 : (RATE * depth) / maxDepth);

/**
 * MemTree (Rezazadeh et al., arXiv 2410.14052). A turn is inserted from the root: it descends into the most similar
 * child as long as the similarity reaches the threshold for the depth, and becomes a new leaf otherwise. The
 * paper's Algorithm 1 and its text disagree in two places; this follows the text: a leaf that is reached becomes a
 * parent of itself and the new leaf (the algorithm would compare the leaf with its own copy over and over), and
 * every parent on the way is aggregated again (the algorithm omits the one the leaf is attached to). Recall
 * searches all nodes at once (§3.2, “collapsed tree”).
 */
export const memtree: Memory<MemTree> = {
  name: 'memtree',
  shapedBy: ['memtreeThreshold'],
  empty: { children: List(), depth: 0, made: 0 },
  take: async (tree, turn, tools) => {
    const text = turnText(turn);
    const vector = await vectorOf(tools, text);
    const leaf: MemNode = {
      id: `n${tree.made}`,
      text,
      vector,
      children: List(),
      turn: turn.nodeId,
      turns: 1,
    };
    const { nodes, depth, made } = await insert(tree.children, { leaf, tree, tools, made: tree.made + 1 }, 0);
    return { children: nodes, depth: Math.max(tree.depth, depth), made };
  },
  recall: async ({ children }, { vector }, { parameters: { memoryK } }) => ({
    items: highest(all(children), ({ node }) => cosine(vector, node.vector), memoryK ?? mostRecalled(children))
      .filter(({ score }) => score >= RETRIEVE_FROM)
      .map(
        ({ item: { node, depth }, score }): RecalledText => ({
          cell: node.id,
          name: nameOf(node, depth),
          text: node.text,
          from: turnsIn(node),
          score,
          ...(node.turn !== null && { whole: true }),
        }),
      ),
  }),
  cells: ({ children }) =>
    all(children).map(
      ({ node, parent, depth }): Cell => ({
        id: node.id,
        parent,
        name: nameOf(node, depth),
        text: node.text,
        from: turnsIn(node),
      }),
    ),
};

const mostRecalled = (children: List<MemNode>): number => {
  const turns = children.reduce((total, node) => total + node.turns, 0);
  return turns <= SHORT ? MOST_OF_SHORT : MOST_OF_LONG;
};

const nameOf = ({ turn, turns }: MemNode, depth: number): string =>
  turn === null ? `depth ${depth}, ${turns} turns` : `depth ${depth}`;

interface Insertion {
  readonly leaf: MemNode;
  readonly tree: MemTree;
  readonly tools: MemoryTools;
  readonly made: number;
}

interface InsertionResult {
  readonly nodes: List<MemNode>;
  /** Depth of the new leaf. */
  readonly depth: number;
  readonly made: number;
}

/**
 * Tie-break for equally similar children, on which the paper is silent: always taking the first would make the tree
 * as deep as it is large when the same thing is said repeatedly.
 */
const isSmaller = (node: MemNode, than: MemNode): boolean => node.turns < than.turns;

/** Inserts a leaf among the children of a node at `depth`. */
const insert = async (nodes: List<MemNode>, insertion: Insertion, depth: number): Promise<InsertionResult> => {
  const { leaf, tree, tools, made } = insertion;
  const best = nearest(nodes, leaf.vector, isSmaller);
  if (best === null || best.score < thresholdAt(depth, tree.depth, tools.parameters.memtreeThreshold)) {
    return { nodes: nodes.push(leaf), depth: depth + 1, made };
  }
  const { item: node, at } = best;
  const below: InsertionResult =
    node.turn === null
      ? await insert(node.children, insertion, depth + 1)
      : { nodes: List.of({ ...node, id: `n${made}` }, leaf), depth: depth + 2, made: made + 1 };
  const text = await aggregate(node, leaf.text, tools);
  const parent: MemNode = {
    id: node.id,
    text,
    vector: await vectorOf(tools, text),
    children: below.nodes,
    turn: null,
    turns: node.turns + 1,
  };
  return { ...below, nodes: nodes.set(at, parent) };
};

/** Aggregate(c_v, c_new | n), where n is the number of turns the node already covers (A.1.2). */
const aggregate = ({ text, turns }: MemNode, added: string, { condense }: MemoryTools): Promise<string> =>
  condense({
    instructions: `You get a summary of ${turns} earlier ${plural(turns, 'entry', 'entries')} and a new entry. Join them into one short summary of what matters most in both.${turns > 2 ? ' Be more abstract: keep only the theme that they share.' : ''} Write only the summary.`,
    texts: [text, added],
    sentences: Math.max(1, SENTENCES - Math.floor(Math.log2(turns))),
  });

const turnsIn = (node: MemNode): NodeId[] =>
  all(List.of(node)).flatMap(({ node: { turn } }) => (turn === null ? [] : [turn]));

interface NodeInTree {
  readonly node: MemNode;
  readonly parent: string | null;
  readonly depth: number;
}

/** Lists all nodes, parents before their children. */
const all = (top: List<MemNode>): NodeInTree[] => {
  const found: NodeInTree[] = [];
  const walk = (nodes: List<MemNode>, parent: string | null, depth: number) => {
    for (const node of nodes) {
      found.push({ node, parent, depth });
      walk(node.children, node.id, depth + 1);
    }
  };
  walk(top, null, 1);
  return found;
};
