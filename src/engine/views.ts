import type { Forest, Node, NodeId } from '../domain/forest.ts';
import { activePath, nodesOf, pathTo, treesOf } from '../domain/queries.ts';
import { summaryText } from './overview.ts';
import type { NodeView, TopicQuestion, TopicView } from './ports.ts';
import type { VectorTable } from './vector-table.ts';

/** How many of the last turns a topic decision is shown. */
const RECENT = 10;

/** A message and how near it is to the nodes of a forest. */
export class Nearness {
  readonly message: string;
  readonly #vector: Float32Array | null;
  readonly #table: VectorTable;
  readonly #known = new Map<NodeId, number | null>();

  /** `vector`: normalised; null where the message could not be embedded. */
  constructor(message: string, vector: Float32Array | null, table: VectorTable) {
    this.message = message;
    this.#vector = vector;
    this.#table = table;
  }

  /** Cosine of a node to the message; null where one of them has no vector. */
  to(nodeId: NodeId): number | null {
    if (this.#vector === null) return null;
    let known = this.#known.get(nodeId);
    if (known === undefined) {
      known = this.#table.similarity(nodeId, this.#vector);
      this.#known.set(nodeId, known);
    }
    return known;
  }
}

const view = (near: Nearness, node: Node): NodeView => ({
  node,
  nodeId: node.id,
  similarity: near.to(node.id) ?? 0,
});

export const topicQuestion = (forest: Forest, near: Nearness): TopicQuestion => ({
  message: near.message,
  topics: treesOf(forest).map((tree) => topicView(forest, tree.id, near)),
  path: activePath(forest).map((node) => view(near, node)),
  recent: Object.values(forest.nodes)
    .filter(({ number }) => number > forest.turnCount - 1 - RECENT)
    .sort((a, b) => a.number - b.number)
    .map((node) => view(near, node)),
});

const topicView = (forest: Forest, treeId: string, near: Nearness): TopicView => {
  const tree = forest.trees[treeId];
  if (tree === undefined) throw new Error(`no topic ${treeId} in the forest`);
  const nodes = nodesOf(forest, treeId);
  const views = nodes.map((node) => view(near, node));
  const similarities = views.map(({ similarity }) => similarity);
  return {
    treeId,
    title: tree.title,
    active: forest.active?.treeId === treeId,
    similarity: similarities.reduce((a, b) => Math.max(a, b), -1),
    meanSimilarity: similarities.reduce((a, b) => a + b, 0) / Math.max(1, similarities.length),
    activeSimilarity: views.find(({ nodeId }) => nodeId === tree.activeId)?.similarity ?? 0,
    size: nodes.length,
    age: forest.turnCount - 1 - (nodes.at(-1)?.number ?? 0),
    get summary() {
      return nodes.map(summaryText).join(' ');
    },
  };
};

/** Nodes of a topic that have a vector, most similar first (Context-Agent §3.3, step 2). */
export const retrieve = (forest: Forest, treeId: string, near: Nearness): NodeView[] =>
  nearestFirst(nodesOf(forest, treeId), near);

/** The nodes that have a vector, most similar first; of equals the newer. */
export const nearestFirst = (nodes: readonly Node[], near: Nearness): NodeView[] =>
  nodes
    .flatMap((node) => {
      const similarity = near.to(node.id);
      return similarity === null ? [] : [{ node, nodeId: node.id, similarity }];
    })
    .sort((a, b) => b.similarity - a.similarity || b.node.number - a.node.number);

export const pathViews = (forest: Forest, nodeId: string, near: Nearness): NodeView[] =>
  pathTo(forest, nodeId).map((node) => view(near, node));
